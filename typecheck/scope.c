// scope.c - variables of one function body. Python has one scope a function; a variable keeps the
// roles of its first assignment for life.

#include "typecheck/python/python.h"

Scope *scope_new(Program *p, Scope *outer, Function *fn, SymList roles) {
    Scope *sc = ARENA_NEW(p->arena, Scope);
    PyEnv *around = outer != NULL ? outer->env : p->py->file->env;
    *sc = (Scope){.p = p, .outer = outer, .fn = fn, .vars = table_new(p->arena), .roles = roles,
                  .env = pyt_env_new(p->py, around, PYENV_INNER)};
    sc->env->checked = true;
    return sc;
}

bool scope_unsure(Scope *sc, SymList deciders) {
    bool before = sc->unsure;
    sc->unsure |= deciders.len > 0 && !roles_equal(deciders, sc->roles);
    return before;
}

Var *scope_find(Scope *sc, Sym name) {
    for (; sc != NULL; sc = sc->outer) {
        Var *v = table_get(sc->vars, name);
        if (v != NULL) return v;
    }
    return NULL;
}

// Who calls a choreography has to know which one: its name stands for nothing else.
bool scope_hides(Scope *sc, Sym name, Span at) {
    Var *old = table_get(sc->vars, name);
    if (old == NULL || old->function == NULL || old->at.start == at.start) return false;
    Diag *d = report_at(sc, source_first_line(sc->p->source, at), DIAG_CLASS_HEADER,
                        "`%s` is a choreography here and cannot be reassigned", name);
    diag_label(d, source_first_line(sc->p->source, old->at), "the choreography");
    diag_help(d, "use another name");
    if (sc->fn != NULL) sc->fn->failed = true;
    return true;
}

Var *scope_bind(Scope *sc, Sym name, LocType type, Span at) {
    scope_hides(sc, name, at);
    if (roles_has(sc->roles, name))
        diag_report(sc->p->diags, at, DIAG_ROLE_CLASH,
                    "`%s` is a role in scope here; a variable needs another name", name);
    Var *v = ARENA_NEW(sc->p->arena, Var);
    *v = (Var){.name = name, .type = type, .at = at,
               .sym = pyt_bind(sc->env, name, PYSYM_VARIABLE, at)};
    v->sym->state = PY_KNOWN;
    v->sym->type = type.ty != NULL ? type.ty : sc->p->py->any;
    table_set(sc->vars, name, v);
    return v;
}

static bool joins(const LocType *t, Program *p, Sym from, Sym to, const Ty *payload) {
    if (t->ty == NULL || t->ty->kind != TY_INST) return false;
    Decl *d = program_find(p, t->ty->inst.name);
    if (d == NULL || d->channel == NULL) return false;
    SymList ends = t->ty->inst.actuals;
    const ChannelClass *c = d->channel;
    bool forth = c->com_forth && ends.at[0] == from && ends.at[1] == to;
    bool back = c->com_back && ends.at[1] == from && ends.at[0] == to;
    size_t which = c->types == 2 && back ? 1 : 0;
    return (forth || back) && (which >= t->ty->inst.args.len ||
                               type_fits(p, payload, t->ty->inst.args.at[which]));
}

const char *scope_channel(Scope *sc, Sym from, Sym to, const Ty *payload) {
    Program *p = sc->p;
    for (size_t i = 0; sc->fn != NULL && i < sc->fn->params.len; i++)
        if (joins(&sc->fn->params.at[i].type, p, from, to, payload))
            return sc->fn->params.at[i].name;
    Decl *owner = sc->fn != NULL ? sc->fn->owner : NULL;
    for (size_t i = 0; owner != NULL && i < owner->field_order.len; i++) {
        Field *f = table_get(owner->fields, owner->field_order.at[i]);
        if (joins(&f->type, p, from, to, payload))
            return names_format(p->names, "self.%s", f->name);
    }
    return sc->outer != NULL ? scope_channel(sc->outer, from, to, payload) : NULL;
}
