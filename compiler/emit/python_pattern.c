// python_pattern.c - patterns of `case`.

#include "compiler/emit/python_internal.h"

static void put_list(Py *p, PatternList patterns, size_t *count)
{
    for (size_t i = 0; i < patterns.len; i++) {
        if ((*count)++ > 0) {
            py_puts(p, ", ");
            py_mark(p, MARK_BREAK);
        }
        py_pattern(p, patterns.at[i]);
    }
}

static void open_bracket(Py *p, const char *bracket)
{
    py_puts(p, bracket);
    py_mark(p, MARK_OPEN);
}

static void close_bracket(Py *p, const char *bracket)
{
    py_mark(p, MARK_CLOSE);
    py_puts(p, bracket);
}

static void put_mapping(Py *p, const Pattern *m)
{
    size_t count = m->match_mapping.keys.len;
    open_bracket(p, "{");
    for (size_t i = 0; i < count; i++) {
        if (i > 0) {
            py_puts(p, ", ");
            py_mark(p, MARK_BREAK);
        }
        py_expr(p, m->match_mapping.keys.at[i], PREC_TEST);
        py_puts(p, ": ");
        py_pattern(p, m->match_mapping.patterns.at[i]);
    }
    if (m->match_mapping.rest != NULL) {
        py_puts(p, count > 0 ? ", **" : "**");
        py_puts(p, m->match_mapping.rest);
    }
    close_bracket(p, "}");
}

static void put_class(Py *p, const Pattern *c)
{
    size_t count = 0;
    py_expr(p, c->match_class.cls, PREC_ATOM);
    open_bracket(p, "(");
    put_list(p, c->match_class.patterns, &count);
    for (size_t i = 0; i < c->match_class.kwd_attrs.len; i++) {
        if (count++ > 0) {
            py_puts(p, ", ");
            py_mark(p, MARK_BREAK);
        }
        py_puts(p, c->match_class.kwd_attrs.at[i]);
        py_puts(p, "=");
        py_pattern(p, c->match_class.kwd_patterns.at[i]);
    }
    close_bracket(p, ")");
}

// An alternative, or what `as` names, is in parentheses if it has `as` (or `|`) itself.
static void put_closed(Py *p, const Pattern *pattern, bool or_too)
{
    bool is_as = pattern->kind == PATTERN_MATCH_AS && pattern->match_as.pattern != NULL;
    bool parens = is_as || (or_too && pattern->kind == PATTERN_MATCH_OR);
    if (parens)
        open_bracket(p, "(");
    py_pattern(p, pattern);
    if (parens)
        close_bracket(p, ")");
}

static void put_as(Py *p, const Pattern *a)
{
    if (a->match_as.pattern != NULL) {
        put_closed(p, a->match_as.pattern, false);
        py_puts(p, " as ");
    }
    py_puts(p, a->match_as.name != NULL ? a->match_as.name : "_");
}

static void put_or(Py *p, const Pattern *o)
{
    for (size_t i = 0; i < o->match_or.patterns.len; i++) {
        if (i > 0)
            py_puts(p, " | ");
        put_closed(p, o->match_or.patterns.at[i], true);
    }
}

void py_pattern(Py *p, const Pattern *pattern)
{
    size_t count = 0;
    switch (pattern->kind) {
    case PATTERN_MATCH_VALUE:
        py_expr(p, pattern->match_value.value, PREC_ARITH);
        break;
    case PATTERN_MATCH_SINGLETON:
        py_constant(p, pattern->match_singleton.value, NULL);
        break;
    case PATTERN_MATCH_SEQUENCE:
        open_bracket(p, "[");
        put_list(p, pattern->match_sequence.patterns, &count);
        close_bracket(p, "]");
        break;
    case PATTERN_MATCH_MAPPING:
        put_mapping(p, pattern);
        break;
    case PATTERN_MATCH_CLASS:
        put_class(p, pattern);
        break;
    case PATTERN_MATCH_STAR:
        py_puts(p, "*");
        py_puts(p, pattern->match_star.name != NULL ? pattern->match_star.name : "_");
        break;
    case PATTERN_MATCH_AS:
        put_as(p, pattern);
        break;
    case PATTERN_MATCH_OR:
        put_or(p, pattern);
        break;
    case PATTERN_COUNT:
        break;
    }
}
