// functools.c - results that are kept; contracts in functools.h.

#include "functools.h"

bool pychoral_cache_find(PychoralTable **cache, const PychoralType *row, const void *key,
                         void *result)
{
    PychoralRef arguments = {row->key, key};
    if (*cache == NULL)
        *cache = pychoral_table_empty(row);
    if (!pychoral_table_contains(*cache, arguments))
        return false;
    pychoral_dict_item(*cache, key, result);
    pychoral_dict_delete(*cache, arguments);
    pychoral_dict_put(*cache, key, result);
    return true;
}

void pychoral_cache_put(PychoralTable *cache, int64_t most, const void *key, const void *result)
{
    uint32_t position = 0;
    void *first, *value;
    if (most == 0)
        return;
    if (most > 0 && cache->count >= most && pychoral_table_next(cache, &position, &first, &value))
        pychoral_table_remove_at(cache, first);
    pychoral_dict_put(cache, key, result);
}
