// str.c - str as a sequence: characters, slices, iteration, putting together (str.h).

#include "str.h"

#include <stdlib.h>

#include "iterating.h"
#include "text.h"

PychoralStr pychoral_empty_str = PYCHORAL_CONSTANT("", PYCHORAL_ASCII);

// The ASCII characters, each followed by a NUL.
#define CHAR_1(code) [2 * (code)] = (code)
#define CHAR_8(code)                                                                              \
    CHAR_1(code), CHAR_1((code) + 1), CHAR_1((code) + 2), CHAR_1((code) + 3), CHAR_1((code) + 4), \
        CHAR_1((code) + 5), CHAR_1((code) + 6), CHAR_1((code) + 7)
#define CHAR_64(code)                                                                             \
    CHAR_8(code), CHAR_8((code) + 8), CHAR_8((code) + 16), CHAR_8((code) + 24),                   \
        CHAR_8((code) + 32), CHAR_8((code) + 40), CHAR_8((code) + 48), CHAR_8((code) + 56)
static const char CHARS[256] = {CHAR_64(0), CHAR_64(64)};
#undef CHAR_1

#define CHAR_1(code)                                                                              \
    [code] = {.head = {.refs = PYCHORAL_IMMORTAL, .flags = PYCHORAL_ASCII}, .size = 1,            \
              .data = CHARS + 2 * (code)}
PychoralStr pychoral_ascii_chars[128] = {CHAR_64(0), CHAR_64(64)};
#undef CHAR_1
#undef CHAR_8
#undef CHAR_64

enum { CHARACTERS_A_MARK = 64, LONG = 256 };

// ---- where characters stand ----

static bool is_first(char byte) { return (byte & 0xc0) != 0x80; }

static size_t count_characters(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += is_first(text[i]);
    return count;
}

// A table: the number of characters, then the offset of each 64th.
static size_t *make_places(const PychoralStr *s)
{
    size_t count = count_characters(s->data, s->size);
    size_t *places = pychoral_allocate((count / CHARACTERS_A_MARK + 2) * sizeof *places);
    size_t *next = places;
    *next++ = count;
    size_t place = 0;
    for (size_t i = 0; i < s->size; i++)
        if (is_first(s->data[i]) && place++ % CHARACTERS_A_MARK == 0)
            *next++ = i;
    return places;
}

// The table of a str that is long enough for one; NULL: go without.
static const size_t *places_of(const PychoralStr *s)
{
    if (s->places != NULL || s->size < LONG || s->head.refs == PYCHORAL_IMMORTAL)
        return s->places;
    ((PychoralStr *)s)->places = make_places(s);  // what a str is does not change by it
    return s->places;
}

size_t pychoral_str_characters(const PychoralStr *s)
{
    if (pychoral_str_is_ascii(s))
        return s->size;
    const size_t *places = places_of(s);
    return places != NULL ? places[0] : count_characters(s->data, s->size);
}

size_t pychoral_str_offset(const PychoralStr *s, size_t place)
{
    if (pychoral_str_is_ascii(s))
        return place;
    const size_t *places = places_of(s);
    if (places != NULL && place >= places[0])
        return s->size;
    size_t at = places == NULL ? 0 : places[1 + place / CHARACTERS_A_MARK];
    for (size_t left = places == NULL ? place : place % CHARACTERS_A_MARK; left > 0; left--)
        at += pychoral_utf8_step(s->data[at]);
    return at;
}

size_t pychoral_str_place(const PychoralStr *s, size_t offset)
{
    if (pychoral_str_is_ascii(s))
        return offset;
    const size_t *places = places_of(s);
    if (places == NULL)
        return count_characters(s->data, offset);
    size_t low = 0, high = places[0] / CHARACTERS_A_MARK + 1;
    if (places[0] % CHARACTERS_A_MARK == 0)
        high--;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (places[1 + middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    size_t mark = places[1 + low];
    return low * CHARACTERS_A_MARK + count_characters(s->data + mark, offset - mark);
}

// ---- characters ----

PychoralStr *pychoral_str_of_char(uint32_t character)
{
    if (character < 0x80)
        return &pychoral_ascii_chars[character];
    bool surrogate = character >= 0xd800 && character < 0xe000;
    char text[4];
    size_t size = pychoral_utf8_put(text, character);
    PychoralStr *s = pychoral_must(pychoral_bytes_room(size, surrogate ? PYCHORAL_SURROGATES : 0));
    memcpy((char *)s->data, text, size);
    return s;
}

PychoralStr *pychoral_str_at_any(const PychoralStr *s, int64_t index)
{
    int64_t length = pychoral_str_len(s);
    if (index < 0)
        index += length;
    if (index < 0 || index >= length) {
        pychoral_throw(&pychoral_type_IndexError, "string index out of range");
        return NULL;
    }
    const char *at = s->data + pychoral_str_offset(s, (size_t)index);
    return pychoral_str_of_char(pychoral_utf8_next(&at));
}

PychoralStr *pychoral_str_step(const PychoralStr *s, size_t *at)
{
    const char *here = s->data + *at;
    PychoralStr *character = pychoral_str_of_char(pychoral_utf8_next(&here));
    *at = (size_t)(here - s->data);
    return character;
}

PychoralStr *pychoral_chr(int64_t code)
{
    if (code < 0 || code > 0x10ffff) {
        pychoral_throw(&pychoral_type_ValueError, "chr() arg not in range(0x110000)");
        return NULL;
    }
    return pychoral_str_of_char((uint32_t)code);
}

int64_t pychoral_ord(const PychoralStr *s)
{
    int64_t length = pychoral_str_len(s);
    if (length != 1) {
        pychoral_throw(&pychoral_type_TypeError,
                       "ord() expected a character, but string of length %lld found",
                       (long long)length);
        return 0;
    }
    const char *at = s->data;
    return pychoral_utf8_next(&at);
}

// ---- slices ----

size_t pychoral_text_slice(int64_t length, int64_t *start, int64_t *stop, int64_t step)
{
    int64_t low = step < 0 ? -1 : 0, high = step < 0 ? length - 1 : length;
    int64_t *bounds[] = {start, stop};
    for (int i = 0; i < 2; i++) {
        if (*bounds[i] < 0)
            *bounds[i] += length;
        if (*bounds[i] < low)
            *bounds[i] = low;
        if (*bounds[i] > high)
            *bounds[i] = high;
    }
    if (step > 0)
        return *start < *stop ? (size_t)((*stop - *start - 1) / step + 1) : 0;
    return *stop < *start ? (size_t)(*start - *stop - 1) / (0 - (uint64_t)step) + 1 : 0;
}

bool pychoral_text_bounds(int64_t length, int64_t *start, int64_t *end)
{
    if (*end > length)
        *end = length;
    else if (*end < 0)
        *end = *end + length < 0 ? 0 : *end + length;
    if (*start < 0)
        *start = *start + length < 0 ? 0 : *start + length;
    return *start <= *end;
}

PychoralBytes *pychoral_text_part(const PychoralBytes *s, bool is_text, size_t offset, size_t size)
{
    if (size == s->size)
        return pychoral_same(s);
    if (is_text && size == 0)
        return &pychoral_empty_str;
    if (is_text && !pychoral_str_is_ascii(s))
        return pychoral_must(pychoral_str_new(s->data + offset, size));
    if (is_text && size == 1)
        return &pychoral_ascii_chars[(unsigned char)s->data[offset]];
    PychoralBytes *part = pychoral_must(pychoral_bytes_room(size, s->head.flags & PYCHORAL_ASCII));
    memcpy((char *)part->data, s->data + offset, size);
    return part;
}

static PychoralStr *slice_by_steps(const PychoralStr *s, size_t start, int64_t step, size_t count)
{
    PychoralOut out = {0};
    size_t length = (size_t)pychoral_str_len(s), place = start;
    const char *at = s->data + pychoral_str_offset(s, start);
    for (size_t i = 0; i < count; i++) {
        const char *here = at;
        pychoral_out_char(&out, pychoral_utf8_next(&here));
        place += (size_t)step;
        if (i + 1 == count || place >= length)
            break;
        if (step > 0 && step < CHARACTERS_A_MARK)
            for (int64_t skip = step; skip > 0; skip--)
                at += pychoral_utf8_step(*at);
        else if (step == -1)
            pychoral_utf8_before(&at);
        else
            at = s->data + pychoral_str_offset(s, place);
    }
    return pychoral_out_str(&out);
}

PychoralStr *pychoral_str_slice(const PychoralStr *s, int64_t start, int64_t stop, int64_t step)
{
    if (step == 0) {
        pychoral_throw(&pychoral_type_ValueError, "slice step cannot be zero");
        return NULL;
    }
    size_t count = pychoral_text_slice(pychoral_str_len(s), &start, &stop, step);
    if (count == 0)
        return &pychoral_empty_str;
    if (step != 1)
        return slice_by_steps(s, (size_t)start, step, count);
    size_t offset = pychoral_str_offset(s, (size_t)start);
    return pychoral_text_part(s, true, offset, pychoral_str_offset(s, (size_t)stop) - offset);
}

// ---- iterating ----

typedef struct Cells {
    PychoralStr *s;
    size_t at;
} Cells;

static const PychoralField HELD_FIELDS[] = {{.type = &pychoral_type_str}};
static const PychoralType HELD = {
    .kind = PYCHORAL_TUPLE, .size = sizeof(Cells), .count = 1, .fields = HELD_FIELDS};
static const PychoralType ITERATOR = {.kind = PYCHORAL_ITERATOR, .size = sizeof(PychoralIterator *),
                                      .element = &pychoral_type_str, .name = "str_iterator"};

static bool next_character(PychoralIterator *self, void *item)
{
    Cells *cells = (Cells *)self->cells;
    return pychoral_str_next(cells->s, &cells->at, item);
}

PychoralIterator *pychoral_str_iter(const PychoralStr *s)
{
    PychoralIterator *iterator = pychoral_iterator_new(&ITERATOR, &HELD, next_character);
    Cells *cells = (Cells *)iterator->cells;
    *cells = (Cells){pychoral_same(s), 0};
    return iterator;
}

// ---- putting together ----

static uint32_t common_flags(uint32_t a, uint32_t b)
{
    return (a & b & PYCHORAL_ASCII) | ((a | b) & PYCHORAL_SURROGATES);
}

PychoralStr *pychoral_str_add(const PychoralStr *a, const PychoralStr *b)
{
    if (b->size == 0)
        return pychoral_same(a);
    if (a->size == 0)
        return pychoral_same(b);
    PychoralStr *sum = pychoral_must(pychoral_bytes_room(
        a->size + b->size, common_flags(a->head.flags, b->head.flags)));
    memcpy((char *)sum->data, a->data, a->size);
    memcpy((char *)sum->data + a->size, b->data, b->size);
    return sum;
}

PychoralStr *pychoral_concat(size_t count, const PychoralStr *const *parts)
{
    size_t size = 0;
    uint32_t flags = PYCHORAL_ASCII;
    for (size_t i = 0; i < count; i++) {
        size += parts[i]->size;
        flags = common_flags(flags, parts[i]->head.flags);
    }
    PychoralStr *all = pychoral_must(pychoral_bytes_room(size, flags));
    char *to = (char *)all->data;
    for (size_t i = 0; i < count; i++) {
        memcpy(to, parts[i]->data, parts[i]->size);
        to += parts[i]->size;
    }
    return all;
}

// The log2 of a room for `size` bytes and a NUL.
static uint32_t room_for(size_t size)
{
    return 64 - (uint32_t)__builtin_clzll(size | 31);
}

static bool can_grow(const PychoralStr *s)
{
    return s->head.refs == 1 && s->buffer == NULL && s->data == (const char *)(s + 1);
}

// A str alike *s with room for `size` bytes behind the struct, in place of *s.
static PychoralStr *make_room(PychoralStr **s, size_t size)
{
    PychoralStr *old = *s;
    uint32_t room = old->head.flags >> PYCHORAL_ROOM_SHIFT;
    if (can_grow(old) && room != 0 && size < (size_t)1 << room)
        return old;
    room = room_for(size);
    size_t bytes = sizeof *old + ((size_t)1 << room);
    PychoralStr *grown;
    if (can_grow(old)) {
        grown = pychoral_reallocate(old, bytes);
    } else {
        grown = pychoral_allocate(bytes);
        *grown = (PychoralStr){.head = {.refs = 1, .flags = old->head.flags}, .size = old->size};
        memcpy(grown + 1, old->data, old->size);
        pychoral_drop_str(s);
    }
    uint32_t low = grown->head.flags & ((1u << PYCHORAL_ROOM_SHIFT) - 1);
    grown->head.flags = low | room << PYCHORAL_ROOM_SHIFT;
    grown->data = (const char *)(grown + 1);
    return *s = grown;
}

void pychoral_str_append(PychoralStr **s, const PychoralStr *right)
{
    size_t more = right->size, size = (*s)->size + more;
    if (more == 0)
        return;
    if ((*s)->size == 0) {
        pychoral_drop_str(s);
        *s = pychoral_same(right);
        return;
    }
    bool doubles = right == *s;
    uint32_t flags = right->head.flags;
    PychoralStr *grown = make_room(s, size);
    char *data = (char *)grown->data;
    memcpy(data + grown->size, doubles ? data : right->data, more);
    data[size] = '\0';
    grown->size = size;
    free(grown->places);
    grown->places = NULL;
    uint32_t room = grown->head.flags >> PYCHORAL_ROOM_SHIFT << PYCHORAL_ROOM_SHIFT;
    grown->head.flags = room | common_flags(grown->head.flags, flags);
}

void *pychoral_text_too_large(void)
{
    pychoral_throw_with(&pychoral_type_MemoryError, 0, NULL);
    return NULL;
}

PychoralBytes *pychoral_text_repeat(const PychoralBytes *s, bool is_text, int64_t times)
{
    size_t length = is_text ? pychoral_str_characters(s) : s->size;
    if (times == 1)
        return pychoral_same(s);
    if ((uint64_t)times > PTRDIFF_MAX / length) {
        pychoral_throw(&pychoral_type_OverflowError, is_text ? "repeated string is too long"
                                                             : "repeated bytes are too long");
        return NULL;
    }
    if ((uint64_t)times > PYCHORAL_TEXT_MOST / s->size)
        return pychoral_text_too_large();
    size_t total = s->size * (size_t)times;
    PychoralBytes *all =
        pychoral_bytes_room(total, s->head.flags & (PYCHORAL_ASCII | PYCHORAL_SURROGATES));
    if (all == NULL)
        return pychoral_text_too_large();
    char *to = (char *)all->data;
    if (s->size == 1) {
        memset(to, s->data[0], total);
        return all;
    }
    memcpy(to, s->data, s->size);
    for (size_t done = s->size; done < total;) {
        size_t more = done < total - done ? done : total - done;
        memcpy(to + done, to, more);
        done += more;
    }
    return all;
}

PychoralStr *pychoral_str_repeat(const PychoralStr *s, int64_t times)
{
    if (times <= 0 || s->size == 0)
        return &pychoral_empty_str;
    return pychoral_text_repeat(s, true, times);
}

static char *put_at(char *to, PychoralOut *out, const PychoralBytes *text)
{
    pychoral_out_note(out, text->head.flags);
    if (text->size == 1)
        *to = *text->data;
    else
        memcpy(to, text->data, text->size);
    return to + text->size;
}

static void join_all(PychoralOut *out, const PychoralBytes *sep, PychoralBytes *const *items,
                     size_t count)
{
    size_t size;
    bool fits = !__builtin_mul_overflow(count - 1, sep->size, &size);
    for (size_t i = 0; fits && i < count; i++)
        fits = !__builtin_add_overflow(size, items[i]->size, &size);
    if (!fits)
        pychoral_no_memory();
    char *to = pychoral_out_room(out, size);
    out->size = size;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            to = put_at(to, out, sep);
        to = put_at(to, out, items[i]);
    }
}

PychoralBytes *pychoral_text_join(const PychoralBytes *sep, bool is_text, PychoralIterator *items)
{
    PychoralOut out = {0};
    size_t count;
    PychoralBytes *const *rest = pychoral_take_rest(items, &count);
    if (rest != NULL)
        join_all(&out, sep, rest, count);
    bool first = rest == NULL;
    for (PychoralStr *item; items->next(items, &item); first = false) {
        if (!first)
            pychoral_out_whole(&out, sep);
        pychoral_out_whole(&out, item);
        pychoral_drop_str(&item);
    }
    if (pychoral_raised != NULL)
        return pychoral_out_drop(&out);
    return is_text ? pychoral_out_str(&out) : pychoral_out_as_bytes(&out);
}

PychoralStr *pychoral_str_join(const PychoralStr *s, PychoralIterator *items)
{
    return pychoral_text_join(s, true, items);
}

PychoralStr *pychoral_str_join_list(const PychoralStr *s, const PychoralList *items)
{
    PychoralOut out = {0};
    PychoralStr *const *strs = items->items;
    for (size_t i = 0; i < items->count; i++) {
        if (i > 0)
            pychoral_out_whole(&out, s);
        pychoral_out_whole(&out, strs[i]);
    }
    return pychoral_out_str(&out);
}
