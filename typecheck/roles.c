// roles.c - sets of roles, kept as short lists without repetition.

#include "typecheck/internal.h"

bool roles_has(SymList set, Sym r) { return sym_in(set, r); }

bool roles_subset(SymList a, SymList b) {
    for (size_t i = 0; i < a.len; i++)
        if (!roles_has(b, a.at[i])) return false;
    return true;
}

bool roles_equal(SymList a, SymList b) { return a.len == b.len && roles_subset(a, b); }

SymList roles_meet(Arena *a, SymList x, SymList y) {
    if (roles_subset(x, y)) return x;
    Vec(Sym) out = {0};
    for (size_t i = 0; i < x.len; i++)
        if (roles_has(y, x.at[i])) vec_push(a, &out, x.at[i]);
    return (SymList){out.at, out.len};
}

SymList roles_join(Arena *a, SymList x, SymList y) {
    if (roles_subset(y, x)) return x;
    Vec(Sym) out = {0};
    for (size_t i = 0; i < x.len; i++) vec_push(a, &out, x.at[i]);
    for (size_t i = 0; i < y.len; i++)
        if (!roles_has(x, y.at[i])) vec_push(a, &out, y.at[i]);
    return (SymList){out.at, out.len};
}

SymList roles_sorted(Arena *a, SymList all, SymList set) {
    return set.len < 2 ? set : roles_meet(a, all, set);
}

SymList roles_one(Arena *a, Sym r) {
    Sym *at = ARENA_NEW(a, Sym);
    *at = r;
    return (SymList){at, 1};
}

Sym roles_map(SymList from, SymList to, Sym r) {
    for (size_t i = 0; i < from.len && i < to.len; i++)
        if (from.at[i] == r) return to.at[i];
    return r;
}

SymList roles_map_all(Arena *a, SymList from, SymList to, SymList set) {
    Sym *at = ARENA_ARRAY(a, Sym, set.len + 1);
    for (size_t i = 0; i < set.len; i++) at[i] = roles_map(from, to, set.at[i]);
    return (SymList){at, set.len};
}

const char *roles_choice(Arena *a, SymList roles) {
    Buf b = buf_new(a);
    for (size_t i = 0; i < roles.len; i++)
        buf_printf(&b, "%s%s", i == 0 ? "" : i + 1 == roles.len ? " or " : ", ", roles.at[i]);
    return buf_text(&b);
}

const char *roles_text(Arena *a, SymList set) {
    Buf b = buf_new(a);
    for (size_t i = 0; i < set.len; i++) {
        if (i > 0) buf_puts(&b, i + 1 == set.len ? " and " : ", ");
        buf_puts(&b, set.at[i]);
    }
    return set.len == 0 ? "no role" : buf_text(&b);
}

const char *roles_list(Arena *a, SymList set) {
    Buf b = buf_new(a);
    for (size_t i = 0; i < set.len; i++) buf_printf(&b, "%s%s", i > 0 ? ", " : "", set.at[i]);
    return buf_text(&b);
}
