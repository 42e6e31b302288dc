// virtualize.h - Python with overridable semantics: constructs become calls of hooks (hook.def),
// as edits of the text. What cannot be virtualized keeps its bytes and is listed.

#ifndef PYCHORAL_VIRTUALIZE_H
#define PYCHORAL_VIRTUALIZE_H

#include "compiler/base/diag.h"
#include "compiler/base/edit.h"
#include "compiler/base/intern.h"
#include "compiler/base/source.h"

typedef enum HookId {
#define HOOK(id, name, group, parameters, arity, forms, status, construct) HOOK_##id,
#include "compiler/virtualize/hook.def"
#undef HOOK
    HOOK_COUNT
} HookId;

typedef enum HookForm { FORM_PLAIN, FORM_GEN, FORM_ASYNC, FORM_COUNT } HookForm;

// Which hooks, and which of their forms, the overload has.
typedef struct HookSet { bool on[HOOK_COUNT][FORM_COUNT]; } HookSet;

typedef enum HookAnswer { HOOK_TAKEN, HOOK_UNKNOWN, HOOK_LATER } HookAnswer;

// Adds what a word of `--hooks` names, with all its forms: `all` (every group but var), a group, a
// hook. A group leaves out hooks that are not emitted yet.
HookAnswer hooks_add(HookSet *set, Text word);

// Adds the hook or the form of a hook of this name, if there is one and it is emitted.
bool hooks_add_defined(HookSet *set, const char *name);
bool hooks_empty(const HookSet *set);
bool hooks_boxed(const HookSet *set);           // has any of group var

// Every word of `--hooks`, to find the nearest.
const char *const *hooks_words(size_t *count);

typedef struct VirtualizeOptions {
    HookSet     hooks;
    bool        boxed;
    uint32_t    line;           // only the functions that start there; 0: all
    const char *module;         // binds the hooks and helpers: py_defaults; NULL: no such line
    const char *overload;       // the module with the hooks; NULL: `module` has them
} VirtualizeOptions;

// A name that the emitted text needs (hook.def, "names in emitted text").
typedef struct BoundName { const char *bound, *kind, *name; } BoundName;

// A construct that keeps its bytes although its hook is there.
typedef struct PlainSite {
    Span at;
    HookId hook;
    const char *why;
    bool lacks_form;            // the overload does not define the form of the hook that it needs
} PlainSite;

typedef struct Virtualized {
    Edited edited;              // `text.at` is NULL after an error in the input was reported
    const char *prefix;
    const BoundName *names; size_t name_count;
    const PlainSite *plain; size_t plain_count;
    size_t changed[HOOK_COUNT]; // how many sites became a call of the hook
    bool already;               // the file is what an earlier run wrote: nothing is changed
} Virtualized;

Virtualized virtualize(Arena *a, Names *names, const Source *source,
                       const VirtualizeOptions *options, Diags *diags);

Text        hook_construct(HookId id);  // for people, with back-ticks, nothing of the arguments
const char *hook_name(HookId id);

#endif
