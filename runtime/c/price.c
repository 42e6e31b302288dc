// price.c - the price of a value, from its bytes: each item adds what it costs, wherever it stands.

#include "price.h"

#include "wire.h"

enum {
    SCALAR = 16,
    TEXT = 48,                          // and its bytes
    LIST = 56, LIST_ITEM = 8,
    DICT = 64, DICT_ITEM = 100,         // sets, too
    INSTANCE = 48, FIELD = 16,
    MOST_A_BYTE = 164,                  // an item of a set, and a container
};

typedef enum Form { NO_FORM, OF_SCALAR, OF_TEXT, OF_ARRAY, OF_MAP, OF_EXTENSION } Form;

typedef struct Head {
    Form form;
    uint64_t size;                      // bytes behind it; items of an array or map
    unsigned code;                      // of an extension
} Head;

typedef struct Walk {
    const unsigned char *at, *end;
    uint64_t price, items;              // items that are still to come
} Walk;

// Heads from 0xc0 on: bytes of the length that follows, or the size.
static const struct { unsigned char form, length, size; } HEADS[32] = {
    {OF_SCALAR, 0, 0},    {NO_FORM, 0, 0},      {OF_SCALAR, 0, 0},    {OF_SCALAR, 0, 0},
    {OF_TEXT, 1, 0},      {OF_TEXT, 2, 0},      {OF_TEXT, 4, 0},      {OF_EXTENSION, 1, 0},
    {OF_EXTENSION, 2, 0}, {OF_EXTENSION, 4, 0}, {OF_SCALAR, 0, 4},    {OF_SCALAR, 0, 8},
    {OF_SCALAR, 0, 1},    {OF_SCALAR, 0, 2},    {OF_SCALAR, 0, 4},    {OF_SCALAR, 0, 8},
    {OF_SCALAR, 0, 1},    {OF_SCALAR, 0, 2},    {OF_SCALAR, 0, 4},    {OF_SCALAR, 0, 8},
    {OF_EXTENSION, 0, 1}, {OF_EXTENSION, 0, 2}, {OF_EXTENSION, 0, 4}, {OF_EXTENSION, 0, 8},
    {OF_EXTENSION, 0, 16}, {OF_TEXT, 1, 0},     {OF_TEXT, 2, 0},      {OF_TEXT, 4, 0},
    {OF_ARRAY, 2, 0},     {OF_ARRAY, 4, 0},     {OF_MAP, 2, 0},       {OF_MAP, 4, 0},
};

static Head head_of_one_byte(unsigned byte)
{
    if (byte <= 0x7f || byte >= 0xe0)
        return (Head){.form = OF_SCALAR};
    if (byte <= 0x8f)
        return (Head){.form = OF_MAP, .size = byte & 0x0f};
    if (byte <= 0x9f)
        return (Head){.form = OF_ARRAY, .size = byte & 0x0f};
    return (Head){.form = OF_TEXT, .size = byte & 0x1f};
}

static size_t bytes_left(const Walk *walk) { return (size_t)(walk->end - walk->at); }

// The next head; the walk stands behind it then.
static bool read_head(Walk *walk, Head *head)
{
    if (walk->at == walk->end)
        return false;
    unsigned byte = *walk->at++;
    if (byte < 0xc0 || byte > 0xdf) {
        *head = head_of_one_byte(byte);
        return true;
    }
    size_t length = HEADS[byte - 0xc0].length;
    *head = (Head){.form = (Form)HEADS[byte - 0xc0].form, .size = HEADS[byte - 0xc0].size};
    bool has_code = head->form == OF_EXTENSION;
    if (bytes_left(walk) < length + has_code)
        return false;
    for (size_t i = 0; i < length; i++)
        head->size = head->size << 8 | *walk->at++;
    if (has_code)
        head->code = *walk->at++;
    return head->form != NO_FORM;
}

static bool skip(Walk *walk, uint64_t size)
{
    if (bytes_left(walk) < size)
        return false;
    walk->at += size;
    return true;
}

static uint64_t price_of_extension(const Walk *walk, const Head *head)
{
    bool is_outside = head->code == EXT_OUTSIDE;
    unsigned what = is_outside && head->size > 0 ? walk->at[0] : head->code;
    uint64_t size = is_outside ? 0 : head->size;        // that of its frame is counted
    if (what == EXT_INTS || what == EXT_FLOATS)
        return LIST + size;
    return is_outside || what == EXT_NDARRAY ? TEXT + size : SCALAR;
}

static uint64_t price_of_array(unsigned mark, uint64_t items)
{
    if (mark == EXT_DATACLASS)
        return INSTANCE + FIELD * items;
    if (mark == EXT_SET || mark == EXT_FROZENSET)
        return DICT + DICT_ITEM * items;
    return LIST + LIST_ITEM * items;
}

// The code of the marker that stands first in an array, which is then behind the walk; 0: none.
static unsigned take_mark(Walk *walk)
{
    Walk ahead = *walk;
    Head head;
    bool is_mark = read_head(&ahead, &head) && head.form == OF_EXTENSION &&
                   (head.code == EXT_TUPLE || head.code == EXT_DATACLASS ||
                    head.code == EXT_SET || head.code == EXT_FROZENSET) &&
                   skip(&ahead, head.size);
    if (is_mark)
        walk->at = ahead.at;
    return is_mark ? head.code : 0;
}

// Pays for the next item, for a container without its own.
static bool step(Walk *walk)
{
    Head head;
    if (!read_head(walk, &head))
        return false;
    unsigned mark = head.form == OF_ARRAY && head.size > 0 ? take_mark(walk) : 0;
    switch (head.form) {
    case OF_SCALAR:
        walk->price += SCALAR;
        return skip(walk, head.size);
    case OF_TEXT:
        walk->price += TEXT + head.size;
        return skip(walk, head.size);
    case OF_EXTENSION:
        if (bytes_left(walk) < head.size)
            return false;
        walk->price += price_of_extension(walk, &head);
        return skip(walk, head.size);
    case OF_ARRAY:
        walk->items += head.size - (mark != 0);
        walk->price += price_of_array(mark, head.size - (mark != 0));
        return true;
    case OF_MAP:
        walk->items += 2 * head.size;
        walk->price += DICT + DICT_ITEM * head.size;
        return true;
    case NO_FORM: break;
    }
    return false;
}

bool pychoral_price_fits(const PychoralFrame *frames, size_t count, uint64_t most)
{
    if (count == 0)
        return true;
    Walk walk = {.at = frames[0].data, .items = 1};
    walk.end = walk.at + frames[0].size;
    for (size_t i = 1; i < count; i++)
        walk.price += frames[i].size;
    if ((walk.price + frames[0].size) * MOST_A_BYTE <= most)
        return true;
    while (walk.items > 0 && walk.price <= most) {
        walk.items--;
        if (!step(&walk))
            return true;                // no value, so it is refused
    }
    return walk.price <= most;
}
