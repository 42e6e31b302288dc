// dict.h - Python's dict: a table with values. Keys that come as `const void *` are in the key's
// row; those that come as PychoralRef are of any type.

#ifndef PYCHORAL_DICT_H
#define PYCHORAL_DICT_H

#include "format.h"
#include "object.h"
#include "table.h"

static inline int64_t pychoral_table_len(const PychoralTable *table) { return table->count; }

// An empty table of `row`, of kind DICT, SET or FROZENSET.
PychoralTable *pychoral_table_empty(const PychoralType *row);

// dict(iterable), of pairs or of another dict. Raises.
PychoralTable *pychoral_dict_from(PychoralRef iterable, const PychoralType *row);

// dict.fromkeys(iterable, value)
PychoralTable *pychoral_dict_fromkeys(PychoralRef iterable, PychoralRef value,
                                      const PychoralType *row);

// collections.defaultdict(factory); NULL stands for None. Its name is how it is shown.
PychoralTable *pychoral_defaultdict_new(PychoralFunction *factory, const PychoralType *row);

// The row of dict, of defaultdict or of Counter.
const PychoralType *pychoral_dict_class(const PychoralTable *dict);

// d[key]: where it stands, borrowed until the dict is changed; or owned, at `result`. What is
// missing in a defaultdict is made, and put there. Raise KeyError (then NULL, zero bits).
const void *pychoral_dict_look(const PychoralTable *dict, const void *key);
const void *pychoral_dict_find(const PychoralTable *dict, PychoralRef key);
void pychoral_dict_item(const PychoralTable *dict, const void *key, void *result);

// d[key] = value: other references to both. Raises TypeError: unhashable type.
void pychoral_dict_put(PychoralTable *dict, const void *key, const void *value);

// del d[key]. Raises KeyError.
void pychoral_dict_delete(PychoralTable *dict, PychoralRef key);

// key in d, key in s. Raise TypeError: unhashable type.
bool pychoral_table_contains(const PychoralTable *table, PychoralRef key);

PychoralTable *pychoral_table_copy(const PychoralTable *table);

// d.get(key, missing): as `row`.
void pychoral_dict_get(const PychoralTable *dict, PychoralRef key, PychoralRef missing,
                       const PychoralType *row, void *result);

// d.pop(key, missing); without `missing`, PYCHORAL_NO_REF. Raises KeyError.
void pychoral_dict_pop(PychoralTable *dict, PychoralRef key, PychoralRef missing,
                       const PychoralType *row, void *result);

// d.popitem(), a tuple of `row`. Raises KeyError.
void pychoral_dict_popitem(PychoralTable *dict, const PychoralType *row, void *result);

void pychoral_dict_setdefault(PychoralTable *dict, PychoralRef key, PychoralRef missing,
                              const PychoralType *row, void *result);

// d.update(other), d |= other: a dict or pairs. Raises.
void pychoral_dict_update(PychoralTable *dict, PychoralRef other);

// d.update(other, name=value); other PYCHORAL_NO_REF: none. Raises.
void pychoral_dict_update_named(PychoralTable *dict, PychoralRef other, size_t count,
                                const PychoralNamed *named);

// a | b. Raises.
PychoralTable *pychoral_dict_or(PychoralRef a, PychoralRef b, const PychoralType *row);

void pychoral_dict_clear(PychoralTable *dict);

// Views of keys, values and pairs; `row` is of kind ITERATOR. One can be iterated over by itself,
// once; `pychoral_view_iter` gives another iterator each time.
PychoralIterator *pychoral_dict_keys(const PychoralTable *dict, const PychoralType *row);
PychoralIterator *pychoral_dict_values(const PychoralTable *dict, const PychoralType *row);
PychoralIterator *pychoral_dict_items(const PychoralTable *dict, const PychoralType *row);

// NULL: `view` is another iterator.
PychoralIterator *pychoral_view_iter(const PychoralIterator *view, const PychoralType *row);
// The dict that it is a view of, and "dict_keys" or the like; NULL: it is another iterator.
const PychoralTable *pychoral_view_of(const PychoralIterator *iterator, const char **name);

#endif
