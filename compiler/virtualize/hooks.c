// hooks.c - sets of hooks, by the words of the command line and by names that an overload defines.

#include <string.h>

#include "compiler/virtualize/virtualize.h"

typedef enum HookGroup {
    GROUP_CONTROL, GROUP_BOOL, GROUP_CALL, GROUP_CMP, GROUP_OP, GROUP_ATTR, GROUP_ITEM, GROUP_WITH,
    GROUP_EXC, GROUP_MATCH, GROUP_GEN, GROUP_COMP, GROUP_DEF, GROUP_DATA, GROUP_FLOW, GROUP_VAR,
    GROUP_REST, GROUP_LIGHT, GROUP_COUNT
} HookGroup;

static const char *const group_names[GROUP_COUNT] = {
    "control", "bool", "call", "cmp", "op", "attr", "item", "with", "exc", "match", "gen", "comp",
    "def", "data", "flow", "var", "rest", "light",
};

typedef struct HookRow {
    const char *name;
    HookGroup   group;
    bool        forms, ready;
    const char *construct;
} HookRow;

enum { ONE = false, FORMS = true, LATER = false, READY = true };

static const HookRow rows[HOOK_COUNT] = {
#define HOOK(id, name, group, parameters, arity, forms, status, construct) \
    {name, GROUP_##group, forms, status, construct},
#include "compiler/virtualize/hook.def"
#undef HOOK
};

const char *hook_name(HookId id) { return rows[id].name; }

Text hook_construct(HookId id)
{
    const char *construct = rows[id].construct, *arguments = strstr(construct, ": ");
    return (Text){construct, arguments != NULL ? (size_t)(arguments - construct)
                                               : strlen(construct)};
}

static void turn_on(HookSet *set, HookId id)
{
    for (int form = FORM_PLAIN; form < (rows[id].forms ? FORM_COUNT : FORM_GEN); form++)
        set->on[id][form] = true;
}

static bool is_word(Text word, const char *name)
{
    return strlen(name) == word.len && memcmp(name, word.at, word.len) == 0;
}

// `truth` is for tests whose own hook is absent: with all others there, it has none. The hook of
// group rest moves lines.
static bool in_all(HookGroup group)
{
    return group != GROUP_VAR && group != GROUP_REST && group != GROUP_LIGHT;
}

HookAnswer hooks_add(HookSet *set, Text word)
{
    HookAnswer answer = HOOK_UNKNOWN;
    for (int id = 0; id < HOOK_COUNT; id++) {
        const HookRow *row = &rows[id];
        bool named = is_word(word, row->name);
        if (!named && !is_word(word, group_names[row->group])
            && !(is_word(word, "all") && in_all(row->group)))
            continue;
        if (row->ready)
            turn_on(set, (HookId)id);
        if (answer != HOOK_TAKEN)
            answer = row->ready ? HOOK_TAKEN : HOOK_LATER;
    }
    return answer;
}

bool hooks_add_defined(HookSet *set, const char *name)
{
    static const char *const endings[FORM_COUNT] = {"", "_gen", "_async"};
    for (int id = 0; id < HOOK_COUNT; id++) {
        size_t len = strlen(rows[id].name);
        if (!rows[id].ready || strncmp(name, rows[id].name, len) != 0)
            continue;
        for (int form = FORM_PLAIN; form < (rows[id].forms ? FORM_COUNT : FORM_GEN); form++)
            if (strcmp(name + len, endings[form]) == 0) {
                set->on[id][form] = true;
                return true;
            }
    }
    return false;
}

bool hooks_empty(const HookSet *set)
{
    for (int id = 0; id < HOOK_COUNT; id++)
        if (set->on[id][FORM_PLAIN])
            return false;
    return true;
}

bool hooks_boxed(const HookSet *set)
{
    for (int id = 0; id < HOOK_COUNT; id++)
        if (rows[id].group == GROUP_VAR && set->on[id][FORM_PLAIN])
            return true;
    return false;
}

const char *const *hooks_words(size_t *count)
{
    static const char *const words[] = {
        "all", "control", "bool", "call", "cmp", "op", "attr", "item", "with", "exc", "match",
        "gen", "comp", "def", "data", "flow", "var", "rest", "light",
#define HOOK(id, name, group, parameters, arity, forms, status, construct) name,
#include "compiler/virtualize/hook.def"
#undef HOOK
    };
    *count = sizeof words / sizeof *words;
    return words;
}
