// search.c - the search path: the importing file's own folder, then every `-I`. The stubs of the
// standard library are those of typeshed, as mypy brings them.

#include "compiler/command/search.h"

#include <string.h>

#include "compiler/base/vec.h"
#include "compiler/command/file.h"

// What was found: one file has one path, however it is reached.
typedef struct Search { Session *session; Vec(const char *) found; } Search;

static const char *known_path(Search *search, const char *path)
{
    Session *s = search->session;
    for (size_t i = 0; i < s->options.operands.len; i++)
        if (file_is_same(s->options.operands.at[i], path))
            return s->options.operands.at[i];
    for (size_t i = 0; i < search->found.len; i++)
        if (file_is_same(search->found.at[i], path))
            return search->found.at[i];
    vec_push(s->arena, &search->found, path);
    return path;
}

static bool find_in(Search *search, const char *folder, const char *stem,
                    const char *const *suffixes, LoadedFile *file)
{
    Session *s = search->session;
    const char *base = strcmp(folder, ".") == 0 ? stem : path_join(s->arena, folder, stem), *why;
    for (; *suffixes; suffixes++) {
        file->path = names_format(s->names, "%s%s", base, *suffixes);
        if (!folder_exists(file->path) && file_exists(file->path)
            && file_read(s->arena, file->path, &file->bytes, &why)) {
            file->path = known_path(search, file->path);
            return true;
        }
    }
    return false;
}

static bool find(void *cx, const char *beside, bool path, const char *stem,
                 const char *const *suffixes, LoadedFile *file)
{
    Search *search = cx;
    Session *s = search->session;
    if (beside && find_in(search, path_folder(s->arena, beside), stem, suffixes, file))
        return true;
    for (size_t i = 0; path && i < s->options.folders.len; i++)
        if (find_in(search, s->options.folders.at[i], stem, suffixes, file))
            return true;
    return false;
}

const char *search_typeshed(const Session *s)
{
    static const char *const FOLDERS[] = {"/usr/lib/python3/dist-packages/mypy/typeshed",
                                          "/usr/local/lib/python3/dist-packages/mypy/typeshed"};
    const char *given = s->options.value[OPTION_TYPESHED];
    if (given)
        return strcmp(given, "none") == 0 ? NULL : given;
    for (size_t i = 0; i < sizeof FOLDERS / sizeof *FOLDERS; i++)
        if (folder_exists(FOLDERS[i]))
            return FOLDERS[i];
    return NULL;
}

static bool typeshed_there(Session *s)
{
    const char *given = s->options.value[OPTION_TYPESHED];
    if (given == NULL || strcmp(given, "none") == 0
        || folder_exists(path_join(s->arena, given, "stdlib")))
        return true;
    Diag *d = session_report(s, DIAG_FILE_MISSING, "cannot read `%s`: the folder `stdlib` is "
                             "missing", given);
    diag_help(d, "use the folder that contains `stdlib` with the stubs, or `--typeshed=none`");
    return false;
}

Status search_folders_there(Session *s)
{
    for (size_t i = 0; i < s->options.folders.len; i++) {
        if (folder_exists(s->options.folders.at[i]))
            continue;
        session_report(s, DIAG_USAGE, "no such folder: `--include=%s`", s->options.folders.at[i]);
        return STATUS_USAGE;
    }
    return typeshed_there(s) ? STATUS_DONE : STATUS_FILE;
}

static bool find_standard(void *cx, const char *stem, const char *const *suffixes,
                          LoadedFile *file)
{
    Search *search = cx;
    const char *folder = search_typeshed(search->session);
    return folder && find_in(search, path_join(search->session->arena, folder, "stdlib"), stem,
                             suffixes, file);
}

static const char *const *list(void *cx, const char *beside, const char *stem, size_t *count)
{
    Search *search = cx;
    Arena *a = search->session->arena;
    NameList names = folder_list(a, path_join(a, path_folder(a, beside), stem));
    *count = names.len;
    return names.at;
}

Loader search_loader(Session *s)
{
    Search *search = ARENA_NEW(s->arena, Search);
    search->session = s;
    return (Loader){search, find, find_standard, list};
}
