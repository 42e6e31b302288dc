// stub.c - where what is known of other modules comes from: the stubs built in, then `NAME.pyi`
// beside the program or on the search path, then the stubs of the standard library that came with
// another tool (typeshed).
//
// Most programs need little of the stubs built in. Where their text defines each name is known when
// the compiler is built (stubs/stubgen.c), and is read when somebody asks for the name.

#include <string.h>

#include "typecheck/python/python.h"

typedef struct StubPart { const char *name; size_t start, len; } StubPart;

typedef struct Stub {
    const char          *module;
    const unsigned char *bytes;
    const StubPart      *parts;
    size_t               count;
} Stub;

#include "stubs.inc"

// What a name of a module stands for: a text that is not read yet, in this module or in another.
typedef struct Unread { PyModule *module; Text text; } Unread;

static const Unit *parsed(Py *py, const char *name, Text text) {
    Program *p = py->p;
    Diags *unseen = diags_new(py->arena);       // a stub's own faults are not the program's
    return p->parse(py->arena, py->names, source_new(py->arena, name, text), unseen);
}

// ---- files ----

static const char *const SUFFIXES[] = {".pyi", "/__init__.pyi", NULL};

static const char *stem_of(Py *py, Sym module) {
    char *stem = arena_strndup(py->arena, module, strlen(module));
    for (char *c = stem; *c != '\0'; c++)
        if (*c == '.') *c = '/';
    return stem;
}

static const Unit *found_file(Py *py, const LoadedFile *file, bool *package) {
    size_t n = strlen(file->path), tail = strlen(SUFFIXES[1]);
    *package = n > tail && strcmp(file->path + n - tail, SUFFIXES[1]) == 0;
    return parsed(py, file->path, file->bytes);
}

static const Unit *standard_file(Py *py, Sym module, bool *package) {
    LoadedFile file;
    if (!loader_find_standard(py->p->loader, stem_of(py, module), SUFFIXES, &file)) return NULL;
    return found_file(py, &file, package);
}

const Unit *pyt_stub_file(Py *py, Sym module, bool *package) {
    LoadedFile file;
    if (py->p->parse == NULL) return NULL;
    const char *beside = py->p->source != NULL ? py->p->source->name : NULL;
    return loader_find(py->p->loader, beside, true, stem_of(py, module), SUFFIXES, &file)
        ? found_file(py, &file, package) : standard_file(py, module, package);
}

// ---- stubs built in ----

// `from MODULE import *`, all names of which are then this module's too.
static void unread_star(PyModule *m, Text text) {
    Py *py = m->env->py;
    const StmtList body = parsed(py, m->name, text)->module.body;
    PyModule *other = pyt_module(py, body.at[0]->import_from.module);
    for (size_t i = 0; i < other->env->order.len; i++) {
        Sym name = other->env->order.at[i];
        if (table_get(m->env->unread, name) == NULL)
            table_set(m->env->unread, name, table_get(other->env->unread, name));
    }
}

bool pyt_stub_open(PyModule *m) {
    Py *py = m->env->py;
    const Stub *stub = NULL;
    for (size_t i = 0; i < sizeof STUBS / sizeof *STUBS && py->p->parse != NULL; i++)
        if (sym_is(m->name, STUBS[i].module)) stub = &STUBS[i];
    if (stub == NULL) return false;
    m->env->unread = table_new(py->arena);
    Unread *all = ARENA_ARRAY(py->arena, Unread, stub->count);
    for (size_t i = 0; i < stub->count; i++) {
        const StubPart *part = &stub->parts[i];
        all[i] = (Unread){m, {(const char *)stub->bytes + part->start, part->len}};
        if (*part->name == '*') {
            unread_star(m, all[i].text);
            continue;
        }
        Sym name = names_get(py->names, part->name);
        table_set(m->env->unread, name, &all[i]);
        vec_push(py->arena, &m->env->order, name);
    }
    return true;
}

PySym *pyt_left_out(PyModule *m, Sym name) {
    Py *py = m->env->py;
    if (m->env->unread == NULL || m == py->builtins) return NULL;
    if (m->rest == NULL) {
        bool package = false;
        const Unit *unit = standard_file(py, m->name, &package);
        m->rest = pyt_module_rest(m, unit != NULL ? unit->module.body : (StmtList){0});
        m->rest->package = package;
    }
    PySym *s = table_get(m->rest->env->symbols, name);
    return s != NULL && s->kind == PYSYM_CLASS ? s : NULL;
}

PySym *pyt_symbol(PyEnv *env, Sym name) {
    PySym *s = table_get(env->symbols, name);
    const Unread *unread = s == NULL && env->unread != NULL ? table_get(env->unread, name) : NULL;
    if (unread == NULL) return s;
    if (unread->module->env == env) {
        pyt_collect(env, parsed(env->py, env->module->name, unread->text)->module.body);
        return table_get(env->symbols, name);
    }
    s = pyt_symbol(unread->module->env, name);
    table_set(env->symbols, name, s);
    return s;
}
