// asdlgen.c - host tool: reads an IR description in Zephyr ASDL and writes C.
//
//     asdlgen -h ir.asdl > ir_gen.h      types, constructors, declarations of the services
//     asdlgen -c ir.asdl > ir_gen.c      constructors, and tables that describe every form
//
// The notation is that of Wang, Appel, Korn and Serra, "The Zephyr Abstract Syntax Description
// Language" (1997), with the extensions explained at the head of ir.asdl. The services (walk,
// map, equality, ...) are not spelled out form by form: ir_engine.c interprets the tables. What is
// written here for each family is a typed front to them.

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the description --------------------------------------------------------------------------

enum { MAX_NAME = 48, MAX_FIELDS = 16, MAX_FORMS = 96, MAX_FAMILIES = 64, MAX_TAGS = 32 };

typedef enum FieldCount { ONE, OPTIONAL, MANY, SPARSE } FieldCount;

typedef struct Field {
    char type[MAX_NAME], name[MAX_NAME];
    FieldCount count;
    bool spine, quiet;
} Field;

typedef struct Fields { Field at[MAX_FIELDS]; int len; } Fields;

typedef struct Form {
    char name[MAX_NAME];        // "" in a product
    Fields fields;
    unsigned tags;
} Form;

typedef struct Family {
    char name[MAX_NAME];
    Form forms[MAX_FORMS];
    int  form_count;
    Fields attributes;
    bool product;               // a single form without a name
    bool enumeration;           // no form has fields
} Family;

typedef struct Grammar {
    Family families[MAX_FAMILIES];
    int  family_count;
    char tags[MAX_TAGS][MAX_NAME];
    int  tag_count;
} Grammar;

typedef struct Reader {
    const char *file, *at;
    int line;
    char token[MAX_NAME];       // "" at the end of the text
} Reader;

static _Noreturn void fail(const Reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%d: ", r->file, r->line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

// ---- reading ----------------------------------------------------------------------------------

static void skip_blank(Reader *r)
{
    for (; *r->at != '\0'; r->at++) {
        if (r->at[0] == '-' && r->at[1] == '-')
            r->at += strcspn(r->at, "\n");
        if (*r->at == '\n')
            r->line++;
        else if (!isspace((unsigned char)*r->at))
            return;
    }
}

static void advance(Reader *r)
{
    skip_blank(r);
    size_t len = 0;
    while (isalnum((unsigned char)r->at[len]) || r->at[len] == '_')
        len++;
    if (len == 0 && *r->at != '\0')
        len = r->at[0] == '?' && r->at[1] == '*' ? 2 : 1;
    if (len >= MAX_NAME)
        fail(r, "the name is too long");
    memcpy(r->token, r->at, len);
    r->token[len] = '\0';
    r->at += len;
}

static bool accept(Reader *r, const char *token)
{
    if (strcmp(r->token, token) != 0)
        return false;
    advance(r);
    return true;
}

static void expect(Reader *r, const char *token)
{
    if (!accept(r, token))
        fail(r, "expected '%s', found '%s'", token, r->token);
}

static void take_name(Reader *r, char *into)
{
    if (!isalpha((unsigned char)r->token[0]))
        fail(r, "expected a name, found '%s'", r->token);
    memcpy(into, r->token, MAX_NAME);
    advance(r);
}

static FieldCount take_count(Reader *r)
{
    if (accept(r, "?*"))
        return SPARSE;
    if (accept(r, "*"))
        return MANY;
    return accept(r, "?") ? OPTIONAL : ONE;
}

static void take_fields(Reader *r, Fields *fields)
{
    expect(r, "(");
    do {
        if (fields->len == MAX_FIELDS)
            fail(r, "too many fields");
        Field *f = &fields->at[fields->len++];
        take_name(r, f->type);
        f->count = take_count(r);
        take_name(r, f->name);
        f->spine = accept(r, "^");
        f->quiet = accept(r, "~");
    } while (accept(r, ","));
    expect(r, ")");
}

static unsigned take_tags(Reader *r, Grammar *g)
{
    unsigned tags = 0;
    while (accept(r, "@")) {
        int i = 0;
        while (i < g->tag_count && strcmp(g->tags[i], r->token) != 0)
            i++;
        if (i == MAX_TAGS)
            fail(r, "too many tags");
        if (i == g->tag_count)
            memcpy(g->tags[g->tag_count++], r->token, MAX_NAME);
        advance(r);
        tags |= 1u << i;
    }
    return tags;
}

static void take_family(Reader *r, Grammar *g)
{
    if (g->family_count == MAX_FAMILIES)
        fail(r, "too many families");
    Family *family = &g->families[g->family_count++];
    take_name(r, family->name);
    expect(r, "=");
    family->product = strcmp(r->token, "(") == 0;
    family->enumeration = !family->product;
    do {
        if (family->form_count == MAX_FORMS)
            fail(r, "too many forms");
        Form *form = &family->forms[family->form_count++];
        if (!family->product)
            take_name(r, form->name);
        if (strcmp(r->token, "(") == 0)
            take_fields(r, &form->fields);
        family->enumeration = family->enumeration && form->fields.len == 0;
        form->tags = take_tags(r, g);
    } while (accept(r, "|"));
    if (accept(r, "attributes"))
        take_fields(r, &family->attributes);
    family->enumeration = family->enumeration && family->attributes.len == 0;
}

static const Family *find_family(const Grammar *g, const char *name)
{
    for (int i = 0; i < g->family_count; i++)
        if (strcmp(g->families[i].name, name) == 0)
            return &g->families[i];
    return NULL;
}

// The types that are no family, with the C type of one, the name of the list, and FIELD_ constant.
typedef struct Builtin { const char *asdl, *one, *list, *constant; } Builtin;

static const Builtin builtins[] = {
    {"identifier", "Sym ",           "SymList", "IDENTIFIER"},
    {"int",        "int ",           NULL,      "INT"},
    {"bool",       "bool ",          NULL,      "BOOL"},
    {"constant",   "const Const *",  NULL,      "CONSTANT"},
    {"span",       "Span ",          NULL,      "SPAN"},
};

static const Builtin *find_builtin(const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++)
        if (strcmp(builtins[i].asdl, name) == 0)
            return &builtins[i];
    return NULL;
}

static void check_field(const Reader *r, const Grammar *g, const Family *owner, const Field *f)
{
    const Builtin *builtin = find_builtin(f->type);
    const Family *family = find_family(g, f->type);
    if (builtin == NULL && family == NULL)
        fail(r, "%s.%s: unknown type '%s'", owner->name, f->name, f->type);
    if (builtin != NULL && f->count >= MANY && builtin->list == NULL)
        fail(r, "%s.%s: no lists of '%s'", owner->name, f->name, f->type);
    if (family != NULL && family->enumeration && f->count != ONE && f->count != MANY)
        fail(r, "%s.%s: '%s' cannot be absent", owner->name, f->name, f->type);
    if (f->count == SPARSE && family == NULL)
        fail(r, "%s.%s: only nodes can be absent in a list", owner->name, f->name);
    if (f->spine && family != owner)
        fail(r, "%s.%s: a spine stays in its family", owner->name, f->name);
}

static void check_grammar(const Reader *r, const Grammar *g)
{
    for (int i = 0; i < g->family_count; i++) {
        const Family *family = &g->families[i];
        if (find_family(g, family->name) != family)
            fail(r, "'%s' is defined twice", family->name);
        for (int k = 0; k < family->attributes.len; k++)
            check_field(r, g, family, &family->attributes.at[k]);
        for (int j = 0; j < family->form_count; j++) {
            int spines = 0;
            for (int k = 0; k < family->forms[j].fields.len; k++) {
                check_field(r, g, family, &family->forms[j].fields.at[k]);
                spines += family->forms[j].fields.at[k].spine;
            }
            if (spines > 1)
                fail(r, "%s: more than one spine", family->forms[j].name);
        }
    }
}

static Grammar *read_grammar(const char *file, const char *text)
{
    Grammar *g = calloc(1, sizeof *g);
    Reader r = {file, text, 1, ""};
    char module[MAX_NAME];
    if (g == NULL)
        fail(&r, "out of memory");
    advance(&r);
    expect(&r, "module");
    take_name(&r, module);
    expect(&r, "{");
    while (!accept(&r, "}"))
        take_family(&r, g);
    check_grammar(&r, g);
    return g;
}

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
    const Builtin *builtin = find_builtin(f->type);
    if (builtin != NULL) {
        printf("%s%s", f->count >= MANY ? builtin->list : builtin->one,
               f->count >= MANY ? " " : "");
        return;
    }
    const Family *family = find_family(g, f->type);
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
        "void ir_print_%n(Buf *b, const %t *node);\n"
        "const %t *ir_read_%n(Arena *arena, Names *names, Text text, const char **error);\n"
        "bool ir_verify_%n(const %t *node, IrTags allowed, const char **form, Span *at);\n"
        "IrTags ir_tags_of_%n(const %t *node);\n");
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
        else
            print_declarations(g, family);
    }
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
    printf("\n{\n    %s *node = arena_alloc(arena, ", TYPE(family));
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
    const Builtin *builtin = find_builtin(f->type);
    const Family *target = find_family(g, f->type);
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
            const Family *target = find_family(g, f->type);
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
        const Family *target = find_family(g, f->type);
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
    printf("};\n\nconst IrFamily *ir_unit_family(void)\n{\n"
           "    return &ir_families[FAMILY_UNIT];\n}\n\n");
}

static void print_tables(const Grammar *g)
{
    printf("enum {\n");
    for (int i = 0; i < g->family_count; i++)
        printf("    FAMILY_%s,\n", UPPER(g->families[i].name));
    printf("    FAMILY_COUNT\n};\n\nstatic const IrFamily ir_families[FAMILY_COUNT];\n\n");
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
    printf("bool ir_walker_enter(const IrWalker *w, const IrFamily *family, const void *node)\n"
           "{\n    switch (family->id) {\n");
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
    Grammar *g = read_grammar(argv[2], text);
    if (header)
        print_header(g);
    else
        print_source(g);
    free(g);
    free(text);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
