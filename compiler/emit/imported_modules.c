// imported_modules.c - see imported_modules.h.

#include "compiler/emit/imported_modules.h"

#include <string.h>

#include "compiler/base/qualified.h"
#include "compiler/base/vec.h"
#include "compiler/ir/free_names.h"

SymList imported_uses(Arena *a, Names *names, SymList mentioned)
{
    Vec(Sym) uses = {0};
    for (size_t i = 0; i < mentioned.len; i++) {
        const char *name = mentioned.at[i], *mark = strstr(name, QUALIFIER);
        Sym module = mark ? names_intern(names, name, (size_t)(mark - name)) : NULL;
        if (module != NULL && !sym_in((SymList){uses.at, uses.len}, module))
            vec_push(a, &uses, module);
    }
    return (SymList){uses.at, uses.len};
}

SymList imported_mentioned(Arena *a, Names *names, const Endpoint *endpoint)
{
    Vec(Sym) all = {0};
    SymList mentioned = names_free(a, names, endpoint->body);
    for (size_t i = 0; i < mentioned.len; i++)
        vec_push(a, &all, mentioned.at[i]);
    for (size_t i = 0; i < endpoint->types.len; i++)
        vec_push(a, &all, endpoint->types.at[i]);
    for (size_t i = 0; i < endpoint->loads.len; i++)
        vec_push(a, &all, names_format(names, "%s" QUALIFIER, endpoint->loads.at[i]));
    return (SymList){all.at, all.len};
}

bool *imported_reached(Arena *a, Names *names, ImportedModules modules, SymList mentioned)
{
    bool *reached = ARENA_ARRAY(a, bool, modules.len + 1);
    Vec(SymList) pending = {0};
    vec_push(a, &pending, imported_uses(a, names, mentioned));
    while (pending.len > 0) {
        SymList uses = pending.at[--pending.len];
        for (size_t i = 0; i < modules.len; i++) {
            if (reached[i] || !sym_in(uses, modules.at[i].name))
                continue;
            reached[i] = true;
            vec_push(a, &pending, modules.at[i].uses);
        }
    }
    return reached;
}
