// loader.h - how the library gets at the files of other modules: it asks who called it.
//
// The library opens no file. A command gives a Loader that looks beside the importing source and
// along the search path (`-I`); a test gives one that has texts in memory. NULL: nothing is found.

#ifndef PYCHORAL_LOADER_H
#define PYCHORAL_LOADER_H

#include <stdbool.h>

#include "compiler/base/source.h"

typedef struct LoadedFile {
    const char *path;           // as shown in messages; the same for the same file
    Text        bytes;          // not decoded yet
} LoadedFile;

typedef struct Loader {
    void *cx;
    // The first file STEM + SUFFIX, by folder and then by suffix: in the folder of the file
    // `beside` (NULL: not there), then in those of the search path if `path`. `stem` has `/`
    // between its parts ("pkg/lib", "../lib"); `suffixes` ends with NULL.
    bool (*find)(void *cx, const char *beside, bool path, const char *stem,
                 const char *const *suffixes, LoadedFile *file);
    // The same among the stubs of Python's standard library that came with another tool.
    bool (*find_standard)(void *cx, const char *stem, const char *const *suffixes,
                          LoadedFile *file);
    // What lies in the folder `stem` beside that file, for suggestions; NULL: it cannot be known.
    const char *const *(*list)(void *cx, const char *beside, const char *stem, size_t *count);
} Loader;

static inline bool loader_find(const Loader *l, const char *beside, bool path, const char *stem,
                               const char *const *suffixes, LoadedFile *file)
{
    return l != NULL && l->find(l->cx, beside, path, stem, suffixes, file);
}

static inline bool loader_find_standard(const Loader *l, const char *stem,
                                        const char *const *suffixes, LoadedFile *file)
{
    return l != NULL && l->find_standard != NULL && l->find_standard(l->cx, stem, suffixes, file);
}

static inline const char *const *loader_list(const Loader *l, const char *beside, const char *stem,
                                             size_t *count)
{
    *count = 0;
    return l != NULL && l->list != NULL ? l->list(l->cx, beside, stem, count) : NULL;
}

#endif
