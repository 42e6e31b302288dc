// search.c - the search path: the importing file's own folder, then every `-I`.

#include "compiler/command/search.h"

#include <string.h>

#include "compiler/command/file.h"

static bool find_in(Session *s, const char *folder, const char *stem,
                    const char *const *suffixes, LoadedFile *file)
{
    const char *base = strcmp(folder, ".") == 0 ? stem : path_join(s->arena, folder, stem), *why;
    for (; *suffixes; suffixes++) {
        file->path = names_format(s->names, "%s%s", base, *suffixes);
        if (!folder_exists(file->path) && file_exists(file->path)
            && file_read(s->arena, file->path, &file->bytes, &why))
            return true;
    }
    return false;
}

static bool find(void *cx, const char *beside, bool path, const char *stem,
                 const char *const *suffixes, LoadedFile *file)
{
    Session *s = cx;
    if (beside && find_in(s, path_folder(s->arena, beside), stem, suffixes, file))
        return true;
    for (size_t i = 0; path && i < s->options.folders.len; i++)
        if (find_in(s, s->options.folders.at[i], stem, suffixes, file))
            return true;
    return false;
}

Loader search_loader(Session *s) { return (Loader){s, find}; }
