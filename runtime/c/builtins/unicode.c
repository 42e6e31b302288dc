// unicode.c - the tables of unicode_tables.inc: runs of characters that share a record.

#include "unicode.h"

typedef struct Record {
    uint16_t flags;
    int32_t deltas[4];  // to lower, upper, title case and folded, by PychoralCase
} Record;

// A case of a character that is more than one character.
typedef struct LongCase {
    uint32_t character;
    uint8_t which, count;
    uint32_t to[PYCHORAL_MAX_CASE];
} LongCase;

#include "unicode_tables.inc"

enum { RECORD_BITS = 11, RECORD_MASK = (1 << RECORD_BITS) - 1 };

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// The run that has the character.
static uint32_t run_of(uint32_t character)
{
    size_t low = 0, high = COUNT_OF(RUNS);
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (RUNS[middle] >> RECORD_BITS <= character)
            low = middle;
        else
            high = middle;
    }
    return RUNS[low];
}

static const Record *record_of(uint32_t character)
{
    return &RECORDS[run_of(character) & RECORD_MASK];
}

unsigned pychoral_char_flags(uint32_t character)
{
    return character < COUNT_OF(ASCII_FLAGS) ? ASCII_FLAGS[character]
                                             : record_of(character)->flags;
}

static const LongCase *find_long_case(uint32_t character, PychoralCase which)
{
    size_t low = 0, high = COUNT_OF(LONG_CASES);
    while (low < high) {
        size_t middle = (low + high) / 2;
        const LongCase *at = &LONG_CASES[middle];
        if (at->character == character && at->which == which)
            return at;
        if (at->character < character || (at->character == character && at->which < which))
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

size_t pychoral_char_case(uint32_t character, PychoralCase which, uint32_t to[PYCHORAL_MAX_CASE])
{
    if (character < 0x80) {
        bool lowers = which == PYCHORAL_TO_LOWER || which == PYCHORAL_TO_FOLDED;
        unsigned other = lowers ? PYCHORAL_UPPER : PYCHORAL_LOWER;
        to[0] = ASCII_FLAGS[character] & other ? character ^ 0x20 : character;
        return 1;
    }
    const LongCase *found = find_long_case(character, which);
    if (found == NULL) {
        to[0] = character + (uint32_t)record_of(character)->deltas[which];
        return 1;
    }
    for (size_t i = 0; i < found->count; i++)
        to[i] = found->to[i];
    return found->count;
}

// Decimal digits come in runs that start with a zero, ten or a multiple of ten of them.
int pychoral_char_decimal(uint32_t character)
{
    if (character < 0x80)
        return character >= '0' && character <= '9' ? (int)(character - '0') : -1;
    uint32_t run = run_of(character);
    if (!(RECORDS[run & RECORD_MASK].flags & PYCHORAL_DECIMAL))
        return -1;
    return (int)((character - (run >> RECORD_BITS)) % 10);
}
