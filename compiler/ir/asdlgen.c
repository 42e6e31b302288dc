// asdlgen.c - host tool: reads an IR description in Zephyr ASDL and writes C.
//
//     asdlgen -h ir.asdl > ir_gen.h      types, constructors, declarations of the services
//     asdlgen -c ir.asdl > ir_gen.c      constructors, and tables that describe every form
//
// The notation is that of Wang, Appel, Korn and Serra, "The Zephyr Abstract Syntax Description
// Language" (1997), with the extensions explained at the head of ir.asdl. The services (walk,
// map, equality, ...) are not spelled out form by form: ir_engine.c interprets the tables. What is
// written here for each family is a typed front to them.

#include "compiler/ir/asdl_read.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- names in C -------------------------------------------------------------------------------

typedef struct CName { char at[MAX_NAME * 2]; } CName;

// match_case -> MatchCase
static CName type_name(const char *family)
{
    CName n = {""};
    size_t len = 0;
    bool upper = true;
    for (; *family != '\0'; family++) {
        if (*family != '_')
            n.at[len++] = (char)(upper ? toupper((unsigned char)*family) : *family);
        upper = *family == '_';
    }
    return n;
}

// JoinedStr -> joined_str
static CName snake_name(const char *form)
{
    CName n = {""};
    size_t len = 0;
    for (const char *c = form; *c != '\0'; c++) {
        if (isupper((unsigned char)*c) && c != form)
            n.at[len++] = '_';
        n.at[len++] = (char)tolower((unsigned char)*c);
    }
    return n;
}

static CName upper_name(const char *name)
{
    CName n = {""};
    for (size_t i = 0; name[i] != '\0'; i++)
        n.at[i] = (char)toupper((unsigned char)name[i]);
    return n;
}

// A name as a member or parameter: keywords of C get an underscore.
static CName member_name(const char *name)
{
    static const char *const keywords[] = {
        "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
        "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
        "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch",
        "typedef", "union", "unsigned", "void", "volatile", "while",
    };
    CName n;
    const char *suffix = "";
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (strcmp(keywords[i], name) == 0)
            suffix = "_";
    snprintf(n.at, sizeof n.at, "%s%s", name, suffix);
    return n;
}

#define TYPE(family)   type_name((family)->name).at
#define UPPER(name)    upper_name(name).at
#define SNAKE(form)    snake_name((form)->name).at
#define MEMBER(name)   member_name(name).at

static void print_field_type(const Grammar *g, const Field *f)
{
    const Builtin *builtin = asdl_builtin(f->type);
    if (builtin != NULL) {
        printf("%s%s", f->count >= MANY ? builtin->list : builtin->one,
               f->count >= MANY ? " " : "");
        return;
    }
    const Family *family = asdl_family(g, f->type);
    if (f->count >= MANY)
        printf("%sList ", TYPE(family));
    else
        printf(family->enumeration ? "%s " : "const %s *", TYPE(family));
}

static void print_member(const Grammar *g, const Field *f)
{
    print_field_type(g, f);
    printf("%s;", MEMBER(f->name));
}

// ---- the header -------------------------------------------------------------------------------

static void print_enum(const Family *family)
{
    printf("typedef enum %s%s {\n", TYPE(family), family->enumeration ? "" : "Kind");
    for (int i = 0; i < family->form_count; i++)
        printf("    %s_%s,\n", UPPER(family->name), UPPER(SNAKE(&family->forms[i])));
    printf("    %s_COUNT\n} %s%s;\n", UPPER(family->name), TYPE(family),
           family->enumeration ? "" : "Kind");
}

static void print_typedefs(const Grammar *g)
{
    for (int i = 0; i < g->family_count; i++) {
        const Family *family = &g->families[i];
        const char *element = family->enumeration ? "" : "*const ";
        if (family->enumeration)
            print_enum(family);
        else
            printf("typedef struct %s %s;\n", TYPE(family), TYPE(family));
        printf("typedef struct %sList { const %s %s*at; size_t len; } %sList;\n\n", TYPE(family),
               TYPE(family), element, TYPE(family));
    }
}

static void print_form_members(const Grammar *g, const Form *form)
{
    if (form->fields.len == 0)
        return;
    printf("        struct { ");
    for (int k = 0; k < form->fields.len; k++) {
        print_member(g, &form->fields.at[k]);
        printf(" ");
    }
    printf("} %s;\n", MEMBER(SNAKE(form)));
}

static bool has_fields(const Family *family)
{
    for (int j = 0; j < family->form_count; j++)
        if (family->forms[j].fields.len > 0)
            return true;
    return false;
}

static void print_struct(const Grammar *g, const Family *family)
{
    if (!family->product)
        print_enum(family);
    printf("struct %s {\n", TYPE(family));
    if (!family->product)
        printf("    %sKind kind;\n", TYPE(family));
    for (int k = 0; k < family->attributes.len; k++) {
        printf("    ");
        print_member(g, &family->attributes.at[k]);
        printf("\n");
    }
    if (family->product) {
        for (int k = 0; k < family->forms[0].fields.len; k++) {
            printf("    ");
            print_member(g, &family->forms[0].fields.at[k]);
            printf("\n");
        }
    } else if (has_fields(family)) {
        printf("    union {\n");
        for (int j = 0; j < family->form_count; j++)
            print_form_members(g, &family->forms[j]);
        printf("    };\n");
    }
    printf("};\n\n");
}

// What makes one node: `Stmt *` is returned as const, its fields are the parameters.
static void print_constructor_head(const Grammar *g, const Family *family, const Form *form)
{
    printf("const %s *%s_%s(Arena *arena", TYPE(family), family->name,
           family->product ? "new" : SNAKE(form));
    for (int k = 0; k < family->attributes.len; k++) {
        const Field *f = &family->attributes.at[k];
        if (!f->quiet) {
            printf(", ");
            print_field_type(g, f);
            printf("%s", MEMBER(f->name));
        }
    }
    for (int k = 0; k < form->fields.len; k++) {
        printf(", ");
        print_field_type(g, &form->fields.at[k]);
        printf("%s", MEMBER(form->fields.at[k].name));
    }
    printf(")");
}

static const Field *find_attribute(const Family *family, bool quiet)
{
    for (int k = 0; k < family->attributes.len; k++)
        if (family->attributes.at[k].quiet == quiet)
            return &family->attributes.at[k];
    return NULL;
}

// The copy that changes the attributes that are (not) quiet.
static bool print_copier_head(const Grammar *g, const Family *family, bool quiet)
{
    const Field *first = find_attribute(family, quiet);
    if (first == NULL)
        return false;
    printf("const %s *%s_with_%s(Arena *arena, const %s *node", TYPE(family), family->name,
           first->name, TYPE(family));
    for (int k = 0; k < family->attributes.len; k++) {
        const Field *f = &family->attributes.at[k];
        if (f->quiet == quiet) {
            printf(", ");
            print_field_type(g, f);
            printf("%s", MEMBER(f->name));
        }
    }
    printf(")");
    return true;
}

static bool has_spine(const Family *family)
{
    for (int j = 0; j < family->form_count; j++)
        for (int k = 0; k < family->forms[j].fields.len; k++)
            if (family->forms[j].fields.at[k].spine)
                return true;
    return false;
}

static void print_declarations(const Grammar *g, const Family *family)
{
    for (int j = 0; j < family->form_count; j++) {
        print_constructor_head(g, family, &family->forms[j]);
        printf(";\n");
    }
    for (int quiet = 0; quiet < 2; quiet++)
        if (print_copier_head(g, family, quiet != 0))
            printf(";\n");
    if (!family->product)
        printf("const char *%s_kind_name(%sKind kind);\n", family->name, TYPE(family));
    if (has_spine(family)) {
        const char *t = TYPE(family);
        printf("const %s *%s_spine_child(const %s *node);\n", t, family->name, t);
        printf("const %s *%s_with_spine_child(Arena *arena, const %s *node, const %s *child);\n",
               t, family->name, t, t);
        printf("const %s **%s_spine(Arena *arena, const %s *node, size_t *n);\n", t,
               family->name, t);
    }
    printf("\n");
}

// `%n` stands for the family's name and `%t` for its type.
static void print_template(const Family *family, const char *text)
{
    for (; *text != '\0'; text++) {
        if (text[0] == '%' && text[1] == 'n')
            fputs(family->name, stdout);
        else if (text[0] == '%' && text[1] == 't')
            fputs(TYPE(family), stdout);
        else {
            putchar(*text);
            continue;
        }
        text++;
    }
}

static void print_for_nodes(const Grammar *g, const char *text)
{
    for (int i = 0; i < g->family_count; i++)
        if (!g->families[i].enumeration)
            print_template(&g->families[i], text);
}

// EXPR_CASES_TAG: the `case` labels of the forms with a tag, for switches of rooms that never meet
// them. What follows it is a colon.
static void print_cases(const Grammar *g, const Family *family)
{
    for (int i = 0; !family->product && i < g->tag_count; i++) {
        const char *between = " ";
        printf("#define %s_CASES_%s", UPPER(family->name), UPPER(g->tags[i]));
        for (int j = 0; j < family->form_count; j++)
            if (family->forms[j].tags >> i & 1) {
                printf("%scase %s_%s", between, UPPER(family->name),
                       UPPER(SNAKE(&family->forms[j])));
                between = ": \\\n    ";
            }
        printf("\n");
    }
}

static void print_services(const Grammar *g)
{
    printf("// Pre-order traversal: a callback may be NULL, and gives false to leave the children"
           " out.\n"
           "typedef struct IrWalker {\n    void *cx;\n");
    print_for_nodes(g, "    bool (*%n)(void *cx, const %t *node);\n");
    printf("} IrWalker;\n\n"
           "// Bottom-up rewriting: a callback gets a node whose children are mapped already and\n"
           "// gives its replacement (not NULL). What does not change is shared.\n"
           "typedef struct IrMapper IrMapper;\n"
           "struct IrMapper {\n    Arena *arena;\n    void *cx;\n");
    print_for_nodes(g, "    const %t *(*%n)(IrMapper *m, const %t *node);\n");
    printf("};\n");
    print_for_nodes(g,
        "\nvoid ir_walk_%n(const IrWalker *w, const %t *node);\n"
        "void ir_walk_%ns(const IrWalker *w, %tList list);\n"
        "const %t *ir_map_%n(IrMapper *m, const %t *node);\n"
        "%tList ir_map_%ns(IrMapper *m, %tList list);\n"
        "bool ir_equal_%n(const %t *a, const %t *b);\n"
        "bool ir_equal_%ns(%tList a, %tList b);\n"
        "uint64_t ir_hash_%n(const %t *node);\n"
        "bool ir_same_%n(const %t *a, const %t *b);     // equal, with the very same children\n"
        "uint64_t ir_same_hash_%n(const %t *node);\n"
        "void ir_print_%n(Buf *b, const %t *node);\n"
        "const %t *ir_read_%n(Arena *arena, Names *names, Text text, const char **error);\n"
        "bool ir_verify_%n(const %t *node, IrTags allowed, const char **form, Span *at);\n"
        "IrTags ir_tags_of_%n(const %t *node);\n");
}

// A number for each family, enumerations among them.
static void print_family_numbers(const Grammar *g)
{
    printf("enum {\n");
    for (int i = 0; i < g->family_count; i++)
        printf("    FAMILY_%s,\n", UPPER(g->families[i].name));
    printf("    FAMILY_COUNT\n};\n\n");
}

static void print_header(const Grammar *g)
{
    printf("// ir_gen.h - the IR's types and services. Written by asdlgen from ir.asdl.\n\n"
           "#ifndef PYCHORAL_IR_GEN_H\n#define PYCHORAL_IR_GEN_H\n\n"
           "#include \"compiler/ir/ir_base.h\"\n\n");
    if (g->tag_count > 0) {
        printf("enum {\n");
        for (int i = 0; i < g->tag_count; i++)
            printf("    IR_%s = 1 << %d,\n", UPPER(g->tags[i]), i);
        printf("};\n\n");
    }
    print_typedefs(g);
    for (int i = 0; i < g->family_count; i++)
        if (!g->families[i].enumeration)
            print_struct(g, &g->families[i]);
    for (int i = 0; i < g->family_count; i++) {
        const Family *family = &g->families[i];
        if (family->enumeration)
            printf("const char *%s_name(%s value);\n\n", family->name, TYPE(family));
        else {
            print_declarations(g, family);
            print_cases(g, family);
        }
    }
    print_family_numbers(g);
    print_services(g);
    printf("\n#endif\n");
}

// ---- the source -------------------------------------------------------------------------------

static void print_path(const Family *family, const Form *form, bool attribute)
{
    if (!attribute && !family->product)
        printf("%s.", MEMBER(SNAKE(form)));
}

// A node takes only the room that its form needs.
static void print_size(const Family *family, const Form *form)
{
    const Form *some = form;            // without fields: the room in front of those of any other
    for (int i = 0; !family->product && some->fields.len == 0 && i < family->form_count; i++)
        some = &family->forms[i];
    if (family->product || family->enumeration || some->fields.len == 0)
        printf("sizeof(%s)", TYPE(family));
    else if (form->fields.len == 0)
        printf("offsetof(%s, %s)", TYPE(family), MEMBER(SNAKE(some)));
    else
        printf("offsetof(%s, %s) + sizeof ((%s *)0)->%s", TYPE(family), MEMBER(SNAKE(form)),
               TYPE(family), MEMBER(SNAKE(form)));
}

static void print_constructor(const Grammar *g, const Family *family, const Form *form)
{
    print_constructor_head(g, family, form);
    printf("\n{\n    %s *node = arena_node(arena, ", TYPE(family));
    print_size(family, form);
    printf(");\n");
    if (!family->product)
        printf("    node->kind = %s_%s;\n", UPPER(family->name), UPPER(SNAKE(form)));
    for (int k = 0; k < family->attributes.len; k++) {
        const char *name = family->attributes.at[k].name;
        if (!family->attributes.at[k].quiet)
            printf("    node->%s = %s;\n", MEMBER(name), MEMBER(name));
    }
    for (int k = 0; k < form->fields.len; k++) {
        const char *name = form->fields.at[k].name;
        printf("    node->");
        print_path(family, form, false);
        printf("%s = %s;\n", MEMBER(name), MEMBER(name));
    }
    printf("    return node;\n}\n\n");
}

static void print_copier(const Grammar *g, const Family *family, bool quiet)
{
    if (!print_copier_head(g, family, quiet))
        return;
    printf("\n{\n    %s *copy = ir_copy_node(arena, &ir_families[FAMILY_%s], node);\n",
           TYPE(family), UPPER(family->name));
    for (int k = 0; k < family->attributes.len; k++) {
        const Field *f = &family->attributes.at[k];
        if (f->quiet == quiet)
            printf("    copy->%s = %s;\n", MEMBER(f->name), MEMBER(f->name));
    }
    printf("    return copy;\n}\n\n");
}

static void print_row(const Grammar *g, const Family *family, const Form *form, const Field *f,
                      bool attribute)
{
    static const char *const counts[] = {"ONE", "OPTIONAL", "MANY", "SPARSE"};
    const Builtin *builtin = asdl_builtin(f->type);
    const Family *target = asdl_family(g, f->type);
    printf("    {\"%s\", offsetof(%s, ", f->name, TYPE(family));
    print_path(family, form, attribute);
    printf("%s), FIELD_%s, COUNT_%s, %s, %s, ", MEMBER(f->name),
           builtin != NULL ? builtin->constant : target->enumeration ? "ENUM" : "NODE",
           counts[f->count], f->spine ? "true" : "false", f->quiet ? "true" : "false");
    if (target != NULL)
        printf("&ir_families[FAMILY_%s]},\n", UPPER(target->name));
    else
        printf("NULL},\n");
}

static void print_rows(const Grammar *g, const Family *family)
{
    for (int j = 0; j < family->form_count; j++) {
        const Form *form = &family->forms[j];
        if (family->attributes.len + form->fields.len == 0)
            continue;
        printf("static const IrField fields_%s_%s[] = {\n", family->name, SNAKE(form));
        for (int k = 0; k < family->attributes.len; k++)
            print_row(g, family, form, &family->attributes.at[k], true);
        for (int k = 0; k < form->fields.len; k++)
            print_row(g, family, form, &form->fields.at[k], false);
        printf("};\n\n");
    }
}

static int spine_row(const Family *family, const Form *form)
{
    for (int k = 0; k < form->fields.len; k++)
        if (form->fields.at[k].spine)
            return family->attributes.len + k;
    return -1;
}

// Which families a walk can meet from family `i` on, itself included: bits by number. What walks
// skip (quiet fields) leads nowhere.
static unsigned long long reach_of(const Grammar *g, int i, unsigned long long seen)
{
    const Family *family = &g->families[i];
    if (family->enumeration || seen >> i & 1)
        return seen;
    seen |= 1ull << i;
    for (int j = 0; j < family->form_count; j++)
        for (int k = 0; k < family->forms[j].fields.len; k++) {
            const Field *f = &family->forms[j].fields.at[k];
            const Family *target = asdl_family(g, f->type);
            if (target != NULL && !f->quiet)
                seen = reach_of(g, (int)(target - g->families), seen);
        }
    return seen;
}

// The rows of a form that hold nodes and are walked, as bits, and what a walk of them can meet.
static unsigned node_rows(const Grammar *g, const Family *family, const Form *form,
                          unsigned long long *reach)
{
    unsigned rows = 0;
    *reach = 0;
    for (int k = 0; k < form->fields.len; k++) {
        const Field *f = &form->fields.at[k];
        const Family *target = asdl_family(g, f->type);
        if (target == NULL || target->enumeration || f->quiet)
            continue;
        rows |= 1u << (family->attributes.len + k);
        *reach |= reach_of(g, (int)(target - g->families), 0);
    }
    return rows;
}

static void print_form_table(const Grammar *g, const Family *family)
{
    printf("static const IrForm forms_%s[] = {\n", family->name);
    for (int j = 0; j < family->form_count; j++) {
        const Form *form = &family->forms[j];
        int rows = family->attributes.len + form->fields.len;
        printf("    {\"%s\", ", family->product ? TYPE(family) : form->name);
        if (rows > 0)
            printf("fields_%s_%s, ", family->name, SNAKE(form));
        else
            printf("NULL, ");
        unsigned long long reach;
        unsigned nodes = node_rows(g, family, form, &reach);
        printf("%d, %d, %uu, %#xu, %#llxull, ", rows, spine_row(family, form), form->tags, nodes,
               reach);
        print_size(family, form);
        printf("},\n");
    }
    printf("};\n\n");
}

static void print_family_table(const Grammar *g)
{
    printf("static const IrFamily ir_families[FAMILY_COUNT] = {\n");
    for (int i = 0; i < g->family_count; i++) {
        const Family *family = &g->families[i];
        printf("    {FAMILY_%s, \"%s\", forms_%s, %d, sizeof(%s), %s, ", UPPER(family->name),
               family->name, family->name, family->form_count, TYPE(family),
               family->product ? "true" : "false");
        if (family->product || family->enumeration)
            printf("0, ");
        else
            printf("offsetof(%s, kind), ", TYPE(family));
        printf("%#llxull},\n", reach_of(g, i, 0));
    }
    printf("};\n\nconst IrFamily *ir_family(int id)\n{\n"
           "    return &ir_families[id];\n}\n\n");
}

static void print_tables(const Grammar *g)
{
    printf("static const IrFamily ir_families[FAMILY_COUNT];\n\n");
    for (int i = 0; i < g->family_count; i++) {
        print_rows(g, &g->families[i]);
        print_form_table(g, &g->families[i]);
    }
    print_family_table(g);
}

static void print_spine_functions(const Family *family)
{
    CName upper = upper_name(family->name);
    print_template(family, "const %t *%n_spine_child(const %t *node)\n{\n");
    printf("    return ir_spine_child(&ir_families[FAMILY_%s], node);\n}\n\n", upper.at);
    print_template(family, "const %t *%n_with_spine_child(Arena *arena, const %t *node,"
                           " const %t *child)\n{\n");
    printf("    return ir_with_spine_child(&ir_families[FAMILY_%s], arena, node, child);\n}\n\n",
           upper.at);
    print_template(family, "const %t **%n_spine(Arena *arena, const %t *node, size_t *n)\n{\n"
                           "    const %t **spine;\n    *n = 0;\n"
                           "    for (const %t *x = node; x != NULL; x = %n_spine_child(x))\n"
                           "        ++*n;\n"
                           "    spine = ARENA_ARRAY(arena, const %t *, *n);\n"
                           "    for (size_t i = 0; i < *n; i++, node = %n_spine_child(node))\n"
                           "        spine[i] = node;\n"
                           "    return spine;\n}\n\n");
}

static void print_fronts(const Family *family)
{
    printf("#define F (&ir_families[FAMILY_%s])\n", UPPER(family->name));
    print_template(family,
        "void ir_walk_%n(const IrWalker *w, const %t *node) { ir_walk_node(w, F, node); }\n"
        "void ir_walk_%ns(const IrWalker *w, %tList list)\n"
        "{\n    for (size_t i = 0; i < list.len; i++)\n"
        "        ir_walk_node(w, F, list.at[i]);\n}\n"
        "const %t *ir_map_%n(IrMapper *m, const %t *node) { return ir_map_node(m, F, node); }\n"
        "%tList ir_map_%ns(IrMapper *m, %tList list)\n"
        "{\n    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});\n"
        "    return (%tList){mapped.at, mapped.len};\n}\n"
        "bool ir_equal_%n(const %t *a, const %t *b) { return ir_equal_node(F, a, b); }\n"
        "bool ir_equal_%ns(%tList a, %tList b)\n"
        "{\n    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});\n}\n"
        "uint64_t ir_hash_%n(const %t *node) { return ir_hash_node(F, node); }\n"
        "bool ir_same_%n(const %t *a, const %t *b) { return ir_same_node(F, a, b); }\n"
        "uint64_t ir_same_hash_%n(const %t *node) { return ir_same_hash_node(F, node); }\n"
        "void ir_print_%n(Buf *b, const %t *node) { ir_print_node(b, F, node); }\n"
        "const %t *ir_read_%n(Arena *arena, Names *names, Text text, const char **error)\n"
        "{\n    return ir_read_node(arena, names, F, text, error);\n}\n"
        "bool ir_verify_%n(const %t *node, IrTags allowed, const char **form, Span *at)\n"
        "{\n    return ir_verify_node(F, node, allowed, form, at);\n}\n"
        "IrTags ir_tags_of_%n(const %t *node) { return ir_tags_of_node(F, node); }\n"
        "#undef F\n\n");
}

// The two places where a table row becomes a call of a typed callback.
static void print_wanted(const Grammar *g, const char *name, const char *type)
{
    printf("uint64_t ir_%s_families(const %s *w)\n{\n    uint64_t all = 0;\n", name, type);
    for (int i = 0; i < g->family_count; i++)
        if (!g->families[i].enumeration)
            printf("    all |= (uint64_t)(w->%s != NULL) << FAMILY_%s;\n", g->families[i].name,
                   UPPER(g->families[i].name));
    printf("    return all;\n}\n\n");
}

static void print_dispatch(const Grammar *g)
{
    printf("bool ir_walker_enter(const IrWalker *w, int family, const void *node)\n"
           "{\n    switch (family) {\n");
    for (int i = 0; i < g->family_count; i++)
        if (!g->families[i].enumeration) {
            printf("    case FAMILY_%s:\n", UPPER(g->families[i].name));
            print_template(&g->families[i],
                           "        return w->%n == NULL || w->%n(w->cx, node);\n");
        }
    printf("    }\n    return true;\n}\n\n"
           "const void *ir_mapper_leave(IrMapper *m, const IrFamily *family, const void *node)\n"
           "{\n    switch (family->id) {\n");
    for (int i = 0; i < g->family_count; i++)
        if (!g->families[i].enumeration) {
            printf("    case FAMILY_%s:\n", UPPER(g->families[i].name));
            print_template(&g->families[i],
                           "        return m->%n == NULL ? node : m->%n(m, node);\n");
        }
    printf("    }\n    return node;\n}\n\n");
    print_wanted(g, "walker", "IrWalker");
    print_wanted(g, "mapper", "IrMapper");
}

static void print_source(const Grammar *g)
{
    printf("// ir_gen.c - the IR's constructors and tables. Written by asdlgen from ir.asdl.\n\n"
           "#include \"ir_gen.h\"\n\n#include <stddef.h>\n\n"
           "#include \"compiler/ir/ir_engine.h\"\n\n");
    print_tables(g);
    for (int i = 0; i < g->family_count; i++) {
        const Family *family = &g->families[i];
        if (!family->product) {
            printf("const char *%s_%s(%s%s value)\n{\n    return forms_%s[value].name;\n}\n\n",
                   family->name, family->enumeration ? "name" : "kind_name", TYPE(family),
                   family->enumeration ? "" : "Kind", family->name);
        }
        if (family->enumeration)
            continue;
        for (int j = 0; j < family->form_count; j++)
            print_constructor(g, family, &family->forms[j]);
        print_copier(g, family, false);
        print_copier(g, family, true);
        if (has_spine(family))
            print_spine_functions(family);
        print_fronts(family);
    }
    print_dispatch(g);
}

static char *read_file(const char *file)
{
    enum { LIMIT = 1 << 20 };
    char *text = calloc(1, LIMIT + 1);
    FILE *in = fopen(file, "rb");
    if (text == NULL || in == NULL || fread(text, 1, LIMIT, in) == LIMIT || ferror(in)) {
        fprintf(stderr, "asdlgen: cannot read %s\n", file);
        exit(1);
    }
    fclose(in);
    return text;
}

int main(int argc, char **argv)
{
    bool header = argc == 3 && strcmp(argv[1], "-h") == 0;
    if (argc != 3 || (!header && strcmp(argv[1], "-c") != 0)) {
        fprintf(stderr, "usage: asdlgen -h|-c FILE\n");
        return 2;
    }
    char *text = read_file(argv[2]);
    Grammar *g = asdl_read(argv[2], text);
    if (header)
        print_header(g);
    else
        print_source(g);
    free(g);
    free(text);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
