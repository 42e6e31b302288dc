// members.c - methods of builtin types by name; the contract is in members.h.

#include "members.h"

#include <string.h>

#include "bytes.h"
#include "dict.h"
#include "iterating.h"
#include "list.h"
#include "plain.h"
#include "range.h"
#include "set.h"
#include "str.h"
#include "../modules/deque.h"
#include "iterator_tuple.h"
#include "tables.h"

// A call: the container, what it is given, and a place for what it gives, which is None at first.
typedef struct Call {
    PychoralRef self;
    size_t count;
    const PychoralRef *given;
    PychoralAny *result;
} Call;

static PychoralList *list_of(const Call *c) { return pychoral_pointer_at(c->self.value); }

static PychoralTable *table_of(const Call *c) { return pychoral_pointer_at(c->self.value); }

static const PychoralType *item_row(const Call *c) { return c->self.type->element; }

static PychoralRef given_or(const Call *c, size_t at, PychoralRef otherwise)
{
    return at < c->count ? c->given[at] : otherwise;
}

static PychoralInt given_int(const Call *c, size_t at)
{
    PychoralInt value = {0, NULL};
    pychoral_convert(c->given[at].type, c->given[at].value, &pychoral_type_int, &value);
    return value;
}

// An argument that is an index, clipped to 64 bits.
static int64_t place_or(const Call *c, size_t at, int64_t otherwise)
{
    if (at >= c->count)
        return otherwise;
    PychoralInt number = given_int(c, at);
    bool negative = pychoral_int_is_big(number) && number.big->head.flags & PYCHORAL_NEGATIVE;
    int64_t place = !pychoral_int_is_big(number) ? number.small : negative ? INT64_MIN : INT64_MAX;
    pychoral_release(&pychoral_type_int, &number);
    return place;
}

// Takes over what `value` refers to.
static void give(const Call *c, const PychoralType *type, void *value)
{
    if (pychoral_raised == NULL)
        *c->result = pychoral_any(type, value);
    pychoral_release(type, value);
}

static void give_int(const Call *c, int64_t number)
{
    PychoralInt value = pychoral_int(number);
    give(c, &pychoral_type_int, &value);
}

static void give_bool(const Call *c, bool truth) { give(c, &pychoral_type_bool, &truth); }

static void give_container(const Call *c, void *container)
{
    if (container != NULL)
        give(c, c->self.type, &container);
}

// ---- list ----

typedef void WithItem(const Call *c, const void *item);

static void with_item(const Call *c, size_t at, WithItem *take)
{
    PychoralSlot slot;
    void *item = pychoral_slot_open(&slot, item_row(c));
    memset(item, 0, item_row(c)->size);
    if (pychoral_give(c->given[at], item_row(c), item))
        take(c, item);
    pychoral_release(item_row(c), item);
    pychoral_slot_close(&slot);
}

static void push(const Call *c, const void *item) { pychoral_list_push(list_of(c), item); }

static void insert(const Call *c, const void *item)
{
    int64_t index = place_or(c, 0, 0);
    if (pychoral_raised == NULL)
        pychoral_list_insert(list_of(c), index, item);
}

static void list_append(const Call *c) { with_item(c, 0, push); }

static void list_insert(const Call *c) { with_item(c, 1, insert); }

static void list_extend(const Call *c) { pychoral_list_extend(list_of(c), c->given[0]); }

static void list_pop(const Call *c)
{
    PychoralSlot slot;
    int64_t index = place_or(c, 0, -1);
    void *item = pychoral_slot_open(&slot, item_row(c));
    memset(item, 0, item_row(c)->size);
    if (pychoral_raised == NULL)
        pychoral_list_pop(list_of(c), index, item);
    give(c, item_row(c), item);
    pychoral_slot_close(&slot);
}

static void list_remove(const Call *c) { pychoral_list_remove(list_of(c), c->given[0]); }

static void list_index(const Call *c)
{
    int64_t start = place_or(c, 1, 0), stop = place_or(c, 2, INT64_MAX);
    if (pychoral_raised == NULL)
        give_int(c, pychoral_list_index(list_of(c), c->given[0], start, stop));
}

static void list_count(const Call *c)
{
    give_int(c, pychoral_list_count(list_of(c), c->given[0]));
}

static void list_clear(const Call *c) { pychoral_list_clear(list_of(c)); }

static void list_reverse(const Call *c) { pychoral_list_reverse(list_of(c)); }

static void list_copy(const Call *c) { give_container(c, pychoral_list_copy(list_of(c))); }

static void list_sort(const Call *c) { pychoral_list_sort(list_of(c), NULL, false); }

// ---- str, bytes, tuple, range ----

typedef int64_t FindText(const void *text, const void *part, int64_t start, int64_t end);
typedef int64_t FindByte(const PychoralBytes *s, int64_t byte, int64_t start, int64_t end);

// text.index(part[, start[, end]]) or `count`, of str or bytes; in bytes an int is a part, too.
static void find_text(const Call *c, const PychoralType *row, FindText *find, FindByte *find_byte)
{
    void *part = NULL;
    PychoralKind kind = pychoral_look(c->given[0].type, c->given[0].value).type->kind;
    bool byte = find_byte != NULL && (kind == PYCHORAL_INT || kind == PYCHORAL_BOOL);
    int64_t number = byte ? place_or(c, 0, 0) : 0;
    int64_t start = place_or(c, 1, 0), end = place_or(c, 2, INT64_MAX);
    if (byte && pychoral_raised == NULL)
        give_int(c, find_byte(pychoral_pointer_at(c->self.value), number, start, end));
    else if (!byte && pychoral_give(c->given[0], row, &part))
        give_int(c, find(pychoral_pointer_at(c->self.value), part, start, end));
    pychoral_release(row, &part);
}

#define FIND_TEXT(method, kind, of_byte)                                                          \
    static int64_t find_##method(const void *s, const void *part, int64_t start, int64_t end)     \
    {                                                                                             \
        return pychoral_##method(s, part, start, end);                                            \
    }                                                                                             \
    static void method(const Call *c)                                                             \
    {                                                                                             \
        find_text(c, &pychoral_type_##kind, find_##method, of_byte);                              \
    }
FIND_TEXT(str_index, str, NULL)
FIND_TEXT(str_count, str, NULL)
FIND_TEXT(bytes_index, bytes, pychoral_bytes_index_byte)
FIND_TEXT(bytes_count, bytes, pychoral_bytes_count_byte)
#undef FIND_TEXT

static void tuple_index(const Call *c)
{
    int64_t start = place_or(c, 1, 0), stop = place_or(c, 2, INT64_MAX);
    if (pychoral_raised == NULL)
        give_int(c, pychoral_tuple_index(c->self, c->given[0], start, stop));
}

static void tuple_count(const Call *c)
{
    give_int(c, pychoral_tuple_count_of(c->self, c->given[0]));
}

static void range_index(const Call *c)
{
    PychoralInt value = given_int(c, 0);
    if (pychoral_raised == NULL) {
        PychoralInt place = pychoral_range_index(pychoral_pointer_at(c->self.value), value);
        give(c, &pychoral_type_int, &place);
    }
    pychoral_release(&pychoral_type_int, &value);
}

static void range_count(const Call *c)
{
    PychoralInt value = given_int(c, 0);
    if (pychoral_raised == NULL)
        give_int(c, pychoral_range_count(pychoral_pointer_at(c->self.value), value));
    pychoral_release(&pychoral_type_int, &value);
}

// ---- dict ----

static const PychoralField PAIR[] = {
    {.type = &pychoral_type_object, .offset = 0},
    {.type = &pychoral_type_object, .offset = sizeof(PychoralAny)}};
static const PychoralType PAIR_ROW = {
    .kind = PYCHORAL_TUPLE, .size = 2 * sizeof(PychoralAny), .count = 2, .fields = PAIR,
    .name = "tuple"};
static const PychoralType ITEMS_ROW = {
    .kind = PYCHORAL_ITERATOR, .size = sizeof(void *), .element = &PAIR_ROW, .name = "dict_items"};
static const PychoralType OBJECTS_ROW = {
    .kind = PYCHORAL_ITERATOR, .size = sizeof(void *), .element = &pychoral_type_object,
    .name = "iterator"};

static void give_iterator(const Call *c, const PychoralType *row, PychoralIterator *iterator)
{
    if (iterator != NULL)
        give(c, row, &iterator);
}

static void dict_keys(const Call *c)
{
    give_iterator(c, &OBJECTS_ROW, pychoral_dict_keys(table_of(c), &OBJECTS_ROW));
}

static void dict_values(const Call *c)
{
    give_iterator(c, &OBJECTS_ROW, pychoral_dict_values(table_of(c), &OBJECTS_ROW));
}

static void dict_items(const Call *c)
{
    give_iterator(c, &ITEMS_ROW, pychoral_dict_items(table_of(c), &ITEMS_ROW));
}

static void dict_get(const Call *c)
{
    pychoral_dict_get(table_of(c), c->given[0], given_or(c, 1, PYCHORAL_NONE_REF),
                      &pychoral_type_object, c->result);
}

static void dict_pop(const Call *c)
{
    pychoral_dict_pop(table_of(c), c->given[0], given_or(c, 1, PYCHORAL_NO_REF),
                      &pychoral_type_object, c->result);
}

static void dict_setdefault(const Call *c)
{
    pychoral_dict_setdefault(table_of(c), c->given[0], given_or(c, 1, PYCHORAL_NONE_REF),
                             &pychoral_type_object, c->result);
}

static void dict_update(const Call *c) { pychoral_dict_update(table_of(c), c->given[0]); }

static void dict_clear(const Call *c) { pychoral_dict_clear(table_of(c)); }

static void table_copy(const Call *c) { give_container(c, pychoral_table_copy(table_of(c))); }

// ---- set ----

static void add(const Call *c, const void *item) { pychoral_set_add(table_of(c), item); }

static void set_add(const Call *c) { with_item(c, 0, add); }

static void set_discard(const Call *c) { pychoral_set_discard(table_of(c), c->given[0]); }

static void set_remove(const Call *c) { pychoral_set_remove(table_of(c), c->given[0]); }

static void set_clear(const Call *c) { pychoral_set_clear(table_of(c)); }

static void set_update(const Call *c) { pychoral_set_update(table_of(c), c->count, c->given); }

static void set_issubset(const Call *c)
{
    give_bool(c, pychoral_set_issubset(table_of(c), c->given[0]));
}

static void set_issuperset(const Call *c)
{
    give_bool(c, pychoral_set_issuperset(table_of(c), c->given[0]));
}

static void set_isdisjoint(const Call *c)
{
    give_bool(c, pychoral_set_isdisjoint(table_of(c), c->given[0]));
}

// ---- all ----

enum { ANY_NUMBER = 1000 };

typedef struct Member {
    PychoralKind kind;
    const char *name;
    size_t least, most;     // arguments
    void (*call)(const Call *c);
} Member;

static const Member MEMBERS[] = {
#define MEMBER(kind, name, least, most, function)                                                 \
    {PYCHORAL_##kind, #name, least, most, function},
#include "members.def"
#undef MEMBER
};

static const Member *member_of(PychoralKind kind, const char *name)
{
    for (size_t i = 0; i < sizeof MEMBERS / sizeof *MEMBERS; i++)
        if (MEMBERS[i].kind == kind && strcmp(MEMBERS[i].name, name) == 0)
            return &MEMBERS[i];
    return NULL;
}

static void call_member(PychoralRef seen, const char *name, size_t count,
                        const PychoralRef *arguments, PychoralAny *result)
{
    const Member *m = member_of(seen.type->kind, name);
    Call call = {seen, count, arguments, result};
    if (m == NULL && pychoral_is_deque(seen.type))
        pychoral_throw(&pychoral_type_NotImplementedError, "a C program supports `%s` only of a "
                       "deque whose type is declared, as in `d: deque[int]`", name);
    else if (m == NULL)
        pychoral_throw(&pychoral_type_AttributeError, "'%s' object has no attribute '%s'",
                       pychoral_type_name(seen), name);
    else if (count < m->least || count > m->most)
        pychoral_throw(&pychoral_type_TypeError, "%s.%s() takes %s%zu argument%s (%zu given)",
                       pychoral_type_name(seen), name, m->least == m->most ? "exactly " : "",
                       m->most, m->most == 1 ? "" : "s", count);
    else
        m->call(&call);
}

void pychoral_call_member(PychoralRef value, const char *name, size_t count,
                          const PychoralRef *arguments, const PychoralType *row, void *result)
{
    PychoralAny given = {.type = &pychoral_type_none};
    call_member(pychoral_look(value.type, value.value), name, count, arguments, &given);
    memset(result, 0, row->size);
    if (pychoral_raised == NULL && row->kind != PYCHORAL_NONE)
        pychoral_convert_own(&pychoral_type_object, &given, row, result);
    pychoral_release(&pychoral_type_object, &given);
}
