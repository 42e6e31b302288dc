// deque.h - collections.deque: a list with room at both ends.
//
// The program has a row for the deques of each element type (PYCHORAL_DEQUE_ROW). What a deque has
// are the items of a list from `first` on; those before are zero bits, which refer to nothing.

#ifndef PYCHORAL_DEQUE_H
#define PYCHORAL_DEQUE_H

#include "../builtins/list.h"

typedef struct PychoralDeque {
    PychoralObject object;
    PychoralList *items;
    size_t first;
    int64_t most;       // maxlen; -1: None
    uint64_t changes;   // of the length: iterators look at it
} PychoralDeque;

enum { PYCHORAL_DEQUE_METHODS = 6 };

extern const PychoralMethod pychoral_deque_methods[PYCHORAL_DEQUE_METHODS];

// The row of deques whose items stand in a list of the row that the one of `fields` has.
#define PYCHORAL_DEQUE_FIELD(list_row)                                                            \
    {.type = (list_row), .offset = offsetof(PychoralDeque, items), .attribute = true,             \
     .name = "items"}
#define PYCHORAL_DEQUE_ROW(fields_)                                                               \
    {.kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralDeque *), .body = sizeof(PychoralDeque),  \
     .flags = PYCHORAL_PLAIN, .name = "deque", .module = "collections", .count = 1,               \
     .fields = (fields_), .method_count = PYCHORAL_DEQUE_METHODS,                                 \
     .methods = pychoral_deque_methods}

static inline int64_t pychoral_deque_len(const PychoralDeque *deque)
{
    return (int64_t)(deque->items->count - deque->first);
}

static inline bool pychoral_is_deque(const PychoralType *type)
{
    return type->methods == pychoral_deque_methods;
}

// deque(iterable, maxlen): PYCHORAL_NO_REF is nothing, INT64_MIN None. Raises ValueError and what
// iterating raises; so do extend and extendleft.
PychoralDeque *pychoral_deque_new(const PychoralType *row, PychoralRef iterable, int64_t most);
void pychoral_deque_extend(PychoralDeque *deque, PychoralRef iterable);
void pychoral_deque_extend_left(PychoralDeque *deque, PychoralRef iterable);

// Items are of the element type. They raise IndexError (then zero bits).
void pychoral_deque_append(PychoralDeque *deque, const void *item);
void pychoral_deque_append_left(PychoralDeque *deque, const void *item);
void pychoral_deque_pop(PychoralDeque *deque, void *result);
void pychoral_deque_pop_left(PychoralDeque *deque, void *result);
void pychoral_deque_item(const PychoralDeque *deque, int64_t index, void *result);
void pychoral_deque_put(PychoralDeque *deque, int64_t index, const void *item);
void pychoral_deque_delete(PychoralDeque *deque, int64_t index);
void pychoral_deque_insert(PychoralDeque *deque, int64_t index, const void *item);

void pychoral_deque_rotate(PychoralDeque *deque, int64_t by);
void pychoral_deque_clear(PychoralDeque *deque);
void pychoral_deque_reverse(PychoralDeque *deque);
PychoralDeque *pychoral_deque_copy(PychoralDeque *deque);
void pychoral_deque_maxlen(const PychoralDeque *deque, const PychoralType *row, void *result);

// By ==, which may raise; index and remove raise ValueError.
int64_t pychoral_deque_index(PychoralDeque *deque, PychoralRef value, int64_t start, int64_t stop);
int64_t pychoral_deque_count(PychoralDeque *deque, PychoralRef value);
void pychoral_deque_remove(PychoralDeque *deque, PychoralRef value);

// From the first item on, or from the last one back. Raises RuntimeError, once the length has
// changed meanwhile.
PychoralIterator *pychoral_deque_iterate(const PychoralType *row, PychoralDeque *deque,
                                         bool backwards);

#endif
