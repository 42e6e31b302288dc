// stub.c - where what is known of other modules comes from: the stubs built in, then `NAME.pyi`
// beside the program or on the search path.

#include "typecheck/python/python.h"

typedef struct Stub { const char *module; const unsigned char *bytes; size_t len; } Stub;

#include "stubs.inc"

static const Unit *parsed(Py *py, const char *name, Text text) {
    Program *p = py->p;
    if (p->parse == NULL) return NULL;
    Diags *unseen = diags_new(py->arena);       // a stub's own faults are not the program's
    return p->parse(py->arena, py->names, source_new(py->arena, name, text), unseen);
}

static const Unit *user_stub(Py *py, Sym module) {
    static const char *const SUFFIXES[] = {".pyi", "/__init__.pyi", NULL};
    char *stem = arena_strndup(py->arena, module, strlen(module));
    for (char *c = stem; *c != '\0'; c++)
        if (*c == '.') *c = '/';
    LoadedFile file;
    const char *beside = py->p->source != NULL ? py->p->source->name : NULL;
    if (!loader_find(py->p->loader, beside, true, stem, SUFFIXES, &file)) return NULL;
    return parsed(py, file.path, file.bytes);
}

const Unit *pyt_stub(Py *py, Sym module) {
    for (size_t i = 0; i < sizeof STUBS / sizeof *STUBS; i++)
        if (sym_is(module, STUBS[i].module))
            return parsed(py, module, (Text){(const char *)STUBS[i].bytes, STUBS[i].len});
    return user_stub(py, module);
}
