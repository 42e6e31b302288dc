// convert.c - a value as another static type has it; the contract is in object.h.

#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "items.h"
#include "table.h"
#include "tables.h"

static void misfit(PychoralRef seen, const PychoralType *to)
{
    const char *maker = to->kind == PYCHORAL_LIST ? "list" : to->kind == PYCHORAL_DICT ? "dict"
        : to->kind == PYCHORAL_SET ? "set" : NULL;
    if (seen.type->kind == to->kind && maker != NULL)
        pychoral_throw(&pychoral_type_TypeError, "expected %s, got %s, which other variables "
                       "may share; convert a copy: %s(x)", to->name, seen.type->name, maker);
    else
        pychoral_throw(&pychoral_type_TypeError, "expected %s, got %s", to->name,
                       pychoral_type_name(seen));
}

// ---- into a union ----

// How well a value fits a member: the higher the better, 0 not at all.
enum { NO_FIT, PARTLY, WIDENED, DERIVED, EXACTLY };

static bool is_number(const PychoralType *type)
{
    return type->kind == PYCHORAL_BOOL || type->kind == PYCHORAL_INT ||
           type->kind == PYCHORAL_FLOAT;
}

enum { MOST_DEPTH = 24 };

static const PychoralType *without_literals(const PychoralType *type)
{
    while (type->kind == PYCHORAL_LITERAL)
        type = type->element;
    return type;
}

// Whether the types are the same but for literals.
static bool is_kept_as(const PychoralType *from, const PychoralType *to, int depth)
{
    from = without_literals(from);
    to = without_literals(to);
    if (pychoral_same_type(from, to))
        return true;
    if (depth == 0 || (from->kind != to->kind && from->kind != PYCHORAL_UNION))
        return false;
    if (from->kind == PYCHORAL_DICT && !is_kept_as(from->key, to->key, depth - 1))
        return false;
    if (from->kind >= PYCHORAL_LIST && from->kind <= PYCHORAL_FROZENSET &&
        from->kind != PYCHORAL_TUPLE)
        return is_kept_as(from->element, to->element, depth - 1);
    bool tuple = from->kind == PYCHORAL_TUPLE && from->count == to->count;
    bool every = tuple || from->kind == PYCHORAL_UNION;
    for (uint32_t i = 0; every && i < from->count; i++) {
        const PychoralType *part = from->fields[i].type;
        every = is_kept_as(part, tuple ? to->fields[i].type : to, depth - 1);
        for (uint32_t j = 0; !tuple && to->kind == PYCHORAL_UNION && j < to->count; j++)
            every |= is_kept_as(part, to->fields[j].type, depth - 1);
    }
    return every;
}

static int fit(PychoralRef seen, const PychoralType *member)
{
    while (member->kind == PYCHORAL_BOX || member->kind == PYCHORAL_LITERAL)
        member = member->element;
    if (is_kept_as(seen.type, member, MOST_DEPTH))
        return EXACTLY;
    if (member->kind == PYCHORAL_OBJECT)
        return PARTLY;
    if (pychoral_is_instance(seen.type, seen.value, member))
        return seen.type->kind == PYCHORAL_BOOL || seen.type->kind == PYCHORAL_ENUM ||
                       seen.type->kind == PYCHORAL_DATACLASS
                   ? DERIVED
                   : PARTLY;
    if (member->kind == PYCHORAL_FLOAT || member->kind == PYCHORAL_COMPLEX)
        return is_number(pychoral_plain_of(seen.type, seen.value).type) ? WIDENED : NO_FIT;
    return NO_FIT;
}

// A literal that is the value, or a member whose class is nearer, is the better one.
static int fit_of_member(PychoralRef seen, const PychoralType *member, const PychoralType *best)
{
    int how = fit(seen, member);
    if (how == EXACTLY && member->kind == PYCHORAL_LITERAL) {
        const char *literals = member->literals;
        for (uint32_t i = 0; i < member->count; i++)
            if (pychoral_equal(member->element, literals + i * member->element->size, seen.value))
                return EXACTLY + 1;
        return NO_FIT;
    }
    if (how == DERIVED && best != NULL && best->kind == PYCHORAL_DATACLASS &&
        member->kind == PYCHORAL_DATACLASS && pychoral_derives(best, member))
        return PARTLY;
    return how;
}

// Converts parts: what others may have as well, or what they do not.
typedef void Converter(const PychoralType *, const void *, const PychoralType *, void *);

static void into_union(PychoralRef seen, const PychoralType *to, void *result, Converter *convert)
{
    int best = NO_FIT;
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < to->count; i++) {
        const PychoralType *so_far = best == NO_FIT ? NULL : to->fields[chosen].type;
        const PychoralType *member = to->fields[i].type;
        int how = fit_of_member(seen, member, so_far);
        bool nearer = how == best && best == DERIVED && member->kind == PYCHORAL_DATACLASS &&
                      so_far->kind == PYCHORAL_DATACLASS && pychoral_derives(member, so_far);
        if (how > best || nearer)
            best = how, chosen = i;
    }
    if (best == NO_FIT) {
        misfit(seen, to);
        return;
    }
    memcpy(result, &chosen, sizeof chosen);
    convert(seen.type, seen.value, to->fields[chosen].type,
            (char *)result + to->fields[chosen].offset);
    if (pychoral_raised != NULL)
        memset(result, 0, to->size);
}

// ---- numbers ----

static bool to_int(PychoralPlain plain, PychoralInt *result)
{
    if (plain.type->kind == PYCHORAL_BOOL)
        *result = pychoral_int_bool(*(const bool *)plain.value);
    else if (plain.type->kind == PYCHORAL_INT)
        pychoral_assign(&pychoral_type_int, result, plain.value);
    else
        return false;
    return true;
}

static bool to_float(PychoralPlain plain, double *result)
{
    PychoralNumber number;
    if (plain.type->kind == PYCHORAL_COMPLEX || !pychoral_number_of(plain, &number))
        return false;
    *result = number.real;
    if (number.is_int && !pychoral_int_to_float(number.whole, result)) {
        *result = 0;
        pychoral_throw(&pychoral_type_OverflowError, "int too large to convert to float");
    }
    return true;
}

// Members of enums that are numbers or texts, too, become those.
static bool to_number(PychoralRef seen, const PychoralType *to, void *result)
{
    PychoralPlain plain = pychoral_plain_of(seen.type, seen.value);
    if (to->kind == PYCHORAL_INT)
        return to_int(plain, result);
    if (to->kind == PYCHORAL_FLOAT)
        return to_float(plain, result);
    if (to->kind == PYCHORAL_COMPLEX && plain.type->kind != PYCHORAL_COMPLEX) {
        *(PychoralComplex *)result = (PychoralComplex){0, 0};
        return to_float(plain, &((PychoralComplex *)result)->real);
    }
    if (plain.type->kind != to->kind)
        return false;
    pychoral_assign(to, result, plain.value);
    return true;
}

// ---- what has parts ----

static bool to_tuple(PychoralRef seen, const PychoralType *to, void *result, Converter *convert)
{
    if (!pychoral_is_tuple(seen.type))
        return false;
    PychoralItems items = pychoral_items(seen);
    if (items.count != to->count)
        return false;
    memset(result, 0, to->size);
    for (uint32_t i = 0; i < to->count && pychoral_raised == NULL; i++) {
        PychoralInt room;
        PychoralRef item = pychoral_item_ref(&items, i, &room);
        convert(item.type, item.value, to->fields[i].type,
                (char *)result + to->fields[i].offset);
    }
    if (pychoral_raised != NULL) {
        pychoral_release(to, result);
        memset(result, 0, to->size);
    }
    return true;
}

static void append_converted(PychoralList *list, PychoralRef from, void *room, Converter *convert)
{
    const PychoralType *element = list->object.type->element;
    memset(room, 0, element->size);
    convert(from.type, from.value, element, room);
    if (pychoral_raised == NULL && !pychoral_list_append(list, room))
        pychoral_no_memory();
}

static bool to_sequence(PychoralRef seen, const PychoralType *to, PychoralList **result,
                        Converter *convert)
{
    if (!pychoral_is_tuple(seen.type))
        return false;
    PychoralItems items = pychoral_items(seen);
    PychoralList *list = pychoral_list_new(to, items.count);
    void *item = pychoral_allocate(to->element->size);
    if (list == NULL)
        pychoral_no_memory();
    for (size_t i = 0; i < items.count && pychoral_raised == NULL; i++) {
        PychoralInt room;
        append_converted(list, pychoral_item_ref(&items, i, &room), item, convert);
    }
    free(item);
    if (pychoral_raised != NULL) {
        pychoral_release(to, &list);
        list = NULL;
    }
    *result = list;
    return true;
}

static bool to_frozenset(PychoralRef seen, const PychoralType *to, PychoralTable **result)
{
    if (seen.type->kind != PYCHORAL_FROZENSET)
        return false;
    const PychoralTable *from = pychoral_pointer_at(seen.value);
    PychoralTable *table = pychoral_table_like(to, from);
    void *item = pychoral_allocate(to->element->size), *key;
    if (table == NULL)
        pychoral_no_memory();
    for (uint32_t position = 0;
         pychoral_raised == NULL && pychoral_table_next(from, &position, &key, NULL);) {
        memset(item, 0, to->element->size);
        pychoral_convert(from->object.type->element, key, to->element, item);
        if (pychoral_raised == NULL && pychoral_table_put(table, item, NULL) != PYCHORAL_PUT_NEW)
            pychoral_release(to->element, item);
    }
    free(item);
    if (pychoral_raised != NULL) {
        pychoral_release(to, &table);
        table = NULL;
    } else {
        (void)pychoral_table_align(table, from);
    }
    *result = table;
    return true;
}

// ---- functions and iterators ----

static const PychoralField INNER_FIELD[] = {{.type = &pychoral_type_object}};
static const PychoralType INNER = {
    .kind = PYCHORAL_TUPLE, .size = sizeof(PychoralAny), .count = 1, .fields = INNER_FIELD,
    .name = "function"};

// Calls the function that is held, whose types are others than those of `self`.
static void call_inner(PychoralFunction *self, void *const *arguments, void *result)
{
    const PychoralType *type = self->object.type;
    const PychoralAny *inner = (const PychoralAny *)self->cells;
    PychoralRef *given = pychoral_allocate((type->count + 1) * sizeof *given);
    for (uint32_t i = 0; i < type->count; i++)
        given[i] = (PychoralRef){type->fields[i].type, arguments[i]};
    pychoral_call_with(inner->pointer, type->count, given,
                       type->element == NULL ? &pychoral_type_none : type->element, result);
    free(given);
}

static bool to_function(PychoralRef seen, const PychoralType *to, PychoralFunction **result)
{
    if (seen.type->kind != PYCHORAL_FUNCTION)
        return false;
    const PychoralFunction *function = pychoral_pointer_at(seen.value);
    *result = pychoral_function_new(to, &INNER, function->name, call_inner);
    *(PychoralAny *)(*result)->cells = pychoral_any(seen.type, seen.value);
    return true;
}

static bool to_iterator(PychoralRef seen, const PychoralType *to, PychoralIterator **result)
{
    if (seen.type->kind != PYCHORAL_ITERATOR)
        return false;
    *result = pychoral_iter(to->element, seen);
    return true;
}

// ---- all ----

static bool convert_seen(PychoralRef seen, const PychoralType *to, void *result)
{
    switch (to->kind) {
    case PYCHORAL_TUPLE: return to_tuple(seen, to, result, pychoral_convert);
    case PYCHORAL_SEQUENCE: return to_sequence(seen, to, result, pychoral_convert);
    case PYCHORAL_FROZENSET: return to_frozenset(seen, to, result);
    case PYCHORAL_FUNCTION: return to_function(seen, to, result);
    case PYCHORAL_ITERATOR: return to_iterator(seen, to, result);
    case PYCHORAL_INT:
    case PYCHORAL_FLOAT:
    case PYCHORAL_COMPLEX:
    case PYCHORAL_STR: return to_number(seen, to, result);
    default: return false;
    }
}

static void into_box(PychoralRef seen, const PychoralType *to, PychoralBox **result)
{
    void *value = pychoral_allocate_zeroed(1, to->element->size);
    pychoral_convert(seen.type, seen.value, to->element, value);
    *result = pychoral_raised != NULL ? NULL : pychoral_box_new(to, value);
    if (*result == NULL && pychoral_raised == NULL)
        pychoral_no_memory();
    free(value);
}

static bool is_as_it_is(PychoralRef seen, const PychoralType *to)
{
    if (seen.type->kind == PYCHORAL_DATACLASS && to->kind == PYCHORAL_DATACLASS)
        return pychoral_derives(seen.type, to);
    return pychoral_same_type(seen.type, to);
}

void pychoral_convert(const PychoralType *from, const void *value, const PychoralType *to,
                      void *result)
{
    if (from == to || (from->kind != PYCHORAL_DATACLASS && pychoral_same_type(from, to))) {
        pychoral_assign(to, result, value);
        return;
    }
    if (to->kind == PYCHORAL_OBJECT) {
        *(PychoralAny *)result = pychoral_any(from, value);
        return;
    }
    PychoralRef seen = pychoral_look(from, value);
    if (to->kind == PYCHORAL_UNION) {
        into_union(seen, to, result, pychoral_convert);
    } else if (to->kind == PYCHORAL_LITERAL) {
        pychoral_convert(seen.type, seen.value, to->element, result);
    } else if (to->kind == PYCHORAL_BOX) {
        into_box(seen, to, result);
    } else if (is_as_it_is(seen, to)) {
        pychoral_assign(to, result, seen.value);
    } else if (!convert_seen(seen, to, result)) {
        memset(result, 0, to->size);
        misfit(seen, to);
    }
}

// ---- containers that nobody else has ----

static void put_own(PychoralTable *table, PychoralRef key, PychoralRef value)
{
    const PychoralType *type = table->object.type, *key_row = pychoral_key_row(type);
    bool pairs = type->kind == PYCHORAL_DICT;
    void *new_key = pychoral_allocate_zeroed(1, key_row->size);
    void *item = pairs ? pychoral_allocate_zeroed(1, type->element->size) : NULL;
    pychoral_convert_own(key.type, key.value, key_row, new_key);
    if (pairs && pychoral_raised == NULL)
        pychoral_convert_own(value.type, value.value, type->element, item);
    PychoralPut put = pychoral_raised == NULL ? pychoral_table_put(table, new_key, item)
                                              : PYCHORAL_PUT_UNHASHABLE;
    if (put != PYCHORAL_PUT_NEW)
        pychoral_release(key_row, new_key);
    if (pairs && put != PYCHORAL_PUT_NEW && put != PYCHORAL_PUT_REPLACED)
        pychoral_release(type->element, item);
    free(new_key);
    free(item);
}

static void remake_table(const PychoralTable *from, const PychoralType *to, PychoralTable **result)
{
    const PychoralType *type = from->object.type;
    void *key, *value = NULL;
    *result = pychoral_table_like(to, from);
    if (*result == NULL)
        pychoral_no_memory();
    for (uint32_t at = 0; pychoral_raised == NULL && pychoral_table_next(from, &at, &key, &value);)
        put_own(*result, (PychoralRef){pychoral_key_row(type), key},
                (PychoralRef){type->element, value});
    if (pychoral_raised == NULL)
        (void)pychoral_table_align(*result, from);
    pychoral_assign_factory(*result, from);
}

static void remake_list(PychoralRef seen, const PychoralType *to, PychoralList **result)
{
    PychoralItems items = pychoral_items(seen);
    void *item = pychoral_allocate(to->element->size);
    *result = pychoral_list_new(to, items.count);
    if (*result == NULL)
        pychoral_no_memory();
    for (size_t i = 0; i < items.count && pychoral_raised == NULL; i++) {
        PychoralInt room;
        PychoralRef from = pychoral_item_ref(&items, i, &room);
        append_converted(*result, from, item, pychoral_convert_own);
    }
    free(item);
}

static bool is_class(const PychoralType *a, const PychoralType *b)
{
    return a->number == b->number && a->count == b->count && strcmp(a->name, b->name) == 0;
}

// The dataclass `of` where `to` is expected: a generic class has a row for other type arguments.
static const PychoralType *class_among(const PychoralType *of, const PychoralType *to)
{
    enum { OTHER = PYCHORAL_PLAIN | PYCHORAL_STAYS | PYCHORAL_DERIVED | PYCHORAL_NAMED_TUPLE };
    if ((of->flags & OTHER) != 0 || of->more > 0)
        return NULL;
    if (is_class(of, to))
        return to;
    for (uint32_t i = 0; i < to->derived_count; i++)
        if (is_class(of, to->derived[i]))
            return to->derived[i];
    return NULL;
}

static bool remake_object(PychoralRef seen, const PychoralType *to, void **result)
{
    const char *from = pychoral_pointer_at(seen.value);
    const PychoralType *as = class_among(seen.type, to);
    if (from == NULL || as == NULL || ((const PychoralObject *)from)->head.refs != 1)
        return false;
    char *made = pychoral_object_new(as);
    if (made == NULL)
        pychoral_no_memory();
    for (uint32_t i = 0; i < as->count && pychoral_raised == NULL; i++)
        pychoral_convert_own(seen.type->fields[i].type, from + seen.type->fields[i].offset,
                             as->fields[i].type, made + as->fields[i].offset);
    *result = made;
    if (pychoral_raised != NULL) {
        pychoral_release(as, result);
        *result = NULL;
    }
    return true;
}

void pychoral_convert_own(const PychoralType *from, const void *value, const PychoralType *to,
                          void *result)
{
    PychoralRef seen = pychoral_look(from, value);
    bool kept = seen.type->kind == PYCHORAL_LIST || seen.type->kind == PYCHORAL_DICT
                || seen.type->kind == PYCHORAL_SET;
    bool alone = kept && to->kind == seen.type->kind && !pychoral_same_type(seen.type, to)
                 && ((const PychoralObject *)pychoral_pointer_at(seen.value))->head.refs == 1;
    if (to->kind == PYCHORAL_UNION && !pychoral_same_type(from, to)) {
        into_union(seen, to, result, pychoral_convert_own);
        return;
    }
    if (to->kind == PYCHORAL_TUPLE && seen.type->kind == PYCHORAL_TUPLE
        && !pychoral_same_type(seen.type, to)
        && to_tuple(seen, to, result, pychoral_convert_own))
        return;
    if (to->kind == PYCHORAL_SEQUENCE && !pychoral_same_type(seen.type, to)
        && to_sequence(seen, to, result, pychoral_convert_own))
        return;
    if (to->kind == PYCHORAL_DATACLASS && seen.type->kind == PYCHORAL_DATACLASS
        && !pychoral_derives(seen.type, to) && remake_object(seen, to, result))
        return;
    if (!alone) {
        pychoral_convert(from, value, to, result);
        return;
    }
    if (to->kind == PYCHORAL_LIST)
        remake_list(seen, to, result);
    else
        remake_table(pychoral_pointer_at(seen.value), to, result);
    if (pychoral_raised != NULL) {
        pychoral_release(to, result);
        memset(result, 0, to->size);
    }
}

void pychoral_not_narrowed(PychoralRef value, const PychoralType *to)
{
    misfit(pychoral_look(value.type, value.value), to);
}
