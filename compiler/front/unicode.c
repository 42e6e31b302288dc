// unicode.c - UTF-8 as RFC 3629 defines it, identifiers as PEP 3131, names as `unicodedata.lookup`.

#include "compiler/front/unicode.h"

#include <string.h>
#include <utf8proc.h>

#include "compiler/front/unicode_tables.h"

static bool is_continuation(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

// How many bytes a sequence has that starts with this byte; 0 when none does.
static size_t sequence_length(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 2;
    if (lead >= 0xE0 && lead <= 0xEF)
        return 3;
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

size_t unicode_decode(const char *s, size_t len, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char lead_mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    if (len == 0)
        return 0;
    size_t n = sequence_length((unsigned char)s[0]);
    if (n == 0 || n > len)
        return 0;
    uint32_t c = (unsigned char)s[0] & lead_mask[n];
    for (size_t i = 1; i < n; i++) {
        if (!is_continuation(s[i]))
            return 0;
        c = c << 6 | ((unsigned char)s[i] & 0x3F);
    }
    if (c < least[n] || c > UNICODE_MAX || (c >= 0xD800 && c <= 0xDFFF))
        return 0;
    *code = c;
    return n;
}

size_t unicode_encode(uint32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3F));
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    out[0] = (char)(lead[n] | code);
    return n;
}

static bool in_ranges(const UnicodeRange *at, size_t len, uint32_t code)
{
    size_t low = 0, high = len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code > at[middle].last)
            low = middle + 1;
        else if (code < at[middle].first)
            high = middle;
        else
            return true;
    }
    return false;
}

static bool is_ascii_letter(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool unicode_is_xid_start(uint32_t code)
{
    if (code < 0x80)
        return is_ascii_letter(code);
    return in_ranges(unicode_xid_start, unicode_xid_start_len, code);
}

bool unicode_is_xid_continue(uint32_t code)
{
    if (code < 0x80)
        return is_ascii_letter(code) || (code >= '0' && code <= '9');
    return in_ranges(unicode_xid_continue, unicode_xid_continue_len, code);
}

static bool strip_prefix(Text *name, const char *prefix)
{
    size_t len = strlen(prefix);
    if (name->len < len || memcmp(name->at, prefix, len) != 0)
        return false;
    *name = (Text){name->at + len, name->len - len};
    return true;
}

// The jamo short names of the Unicode standard, section 3.12, in the order of their indices.
enum { JAMO_LEADS = 19, JAMO_VOWELS = 21, JAMO_TAILS = 28 };

static const char jamo_leads[JAMO_LEADS][4] = {
    "G", "GG", "N", "D", "DD", "R", "M", "B", "BB", "S", "SS", "", "J", "JJ", "C", "K", "T", "P",
    "H",
};
static const char jamo_vowels[JAMO_VOWELS][4] = {
    "A", "AE", "YA", "YAE", "EO", "E", "YEO", "YE", "O", "WA", "WAE", "OE", "YO", "U", "WEO", "WE",
    "WI", "YU", "EU", "YI", "I",
};
static const char jamo_tails[JAMO_TAILS][4] = {
    "", "G", "GG", "GS", "N", "NJ", "NH", "D", "L", "LG", "LM", "LB", "LS", "LT", "LP", "LH", "M",
    "B", "BS", "S", "SS", "NG", "J", "C", "K", "T", "P", "H",
};

// Takes the longest of the short names that the text starts with; -1 when none does.
static int strip_jamo(Text *name, const char names[][4], int count)
{
    int best = -1;
    size_t best_len = 0;
    for (int i = 0; i < count; i++) {
        size_t len = strlen(names[i]);
        bool longer = best < 0 || len > best_len;
        if (longer && len <= name->len && memcmp(name->at, names[i], len) == 0) {
            best = i;
            best_len = len;
        }
    }
    *name = (Text){name->at + best_len, name->len - best_len};
    return best;
}

static bool find_hangul(Text syllable, uint32_t *code)
{
    int lead = strip_jamo(&syllable, jamo_leads, JAMO_LEADS);
    int vowel = strip_jamo(&syllable, jamo_vowels, JAMO_VOWELS);
    int tail = strip_jamo(&syllable, jamo_tails, JAMO_TAILS);
    if (lead < 0 || vowel < 0 || tail < 0 || syllable.len != 0)
        return false;
    *code = 0xAC00 + (uint32_t)((lead * JAMO_VOWELS + vowel) * JAMO_TAILS + tail);
    return true;
}

static bool find_ideograph(Text digits, uint32_t *code)
{
    if (digits.len != 4 && digits.len != 5)
        return false;
    uint32_t c = 0;
    for (size_t i = 0; i < digits.len; i++) {
        char d = digits.at[i];
        if (d >= '0' && d <= '9')
            c = c * 16 + (uint32_t)(d - '0');
        else if (d >= 'A' && d <= 'F')
            c = c * 16 + (uint32_t)(d - 'A' + 10);
        else
            return false;
    }
    *code = c;
    return in_ranges(unicode_ideographs, unicode_ideographs_len, c);
}

static int compare(Text a, const unsigned char *b, size_t b_len)
{
    int order = memcmp(a.at, b, a.len < b_len ? a.len : b_len);
    if (order != 0)
        return order;
    return (a.len > b_len) - (a.len < b_len);
}

// Reads the entry at `p` over the name before it. Gives where the next entry starts.
static const unsigned char *read_entry(const unsigned char *p, unsigned char *name, size_t *len,
                                       uint32_t *code)
{
    size_t shared = p[0], rest = p[1];
    *code = (uint32_t)p[2] << 16 | (uint32_t)p[3] << 8 | p[4];
    memcpy(name + shared, p + 5, rest);
    *len = shared + rest;
    return p + 5 + rest;
}

// The last block whose first name is not beyond the name looked for.
static size_t find_block(Text name)
{
    size_t low = 0, high = (unicode_name_count + UNICODE_NAME_BLOCK - 1) / UNICODE_NAME_BLOCK;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        const unsigned char *head = unicode_name_bytes + unicode_name_blocks[middle];
        if (compare(name, head + 5, head[1]) < 0)
            high = middle;
        else
            low = middle;
    }
    return low;
}

static bool find_listed(Text name, uint32_t *code)
{
    unsigned char entry[UNICODE_NAME_MAX];
    size_t len;
    size_t block = find_block(name);
    const unsigned char *p = unicode_name_bytes + unicode_name_blocks[block];
    for (size_t i = block * UNICODE_NAME_BLOCK; i < unicode_name_count; i++) {
        p = read_entry(p, entry, &len, code);
        int order = compare(name, entry, len);
        if (order == 0)
            return true;
        if (order < 0 || i % UNICODE_NAME_BLOCK == UNICODE_NAME_BLOCK - 1)
            return false;
    }
    return false;
}

bool unicode_find_name(Text name, uint32_t *code)
{
    char upper[UNICODE_NAME_MAX];
    if (name.len == 0 || name.len > sizeof upper)
        return false;
    Text rest = name;
    if (strip_prefix(&rest, "HANGUL SYLLABLE "))
        return find_hangul(rest, code);
    if (strip_prefix(&rest, "CJK UNIFIED IDEOGRAPH-"))
        return find_ideograph(rest, code);
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];
        upper[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    }
    return find_listed((Text){upper, name.len}, code);
}

Text unicode_nfkc(Arena *a, Text utf8)
{
    const utf8proc_option_t form = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT;
    const utf8proc_uint8_t *in = (const utf8proc_uint8_t *)utf8.at;
    utf8proc_ssize_t len = (utf8proc_ssize_t)utf8.len;
    utf8proc_ssize_t count = utf8proc_decompose(in, len, NULL, 0, form);
    if (count < 0)
        return utf8;
    utf8proc_int32_t *codes = ARENA_ARRAY(a, utf8proc_int32_t, (size_t)count + 1);
    count = utf8proc_decompose(in, len, codes, count, form);
    utf8proc_ssize_t out = count < 0 ? count : utf8proc_reencode(codes, count, form);
    return out < 0 ? utf8 : (Text){(const char *)codes, (size_t)out};
}
