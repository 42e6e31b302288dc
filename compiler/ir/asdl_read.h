// asdl_read.h - what asdlgen knows of an IR description, and how it is read.

#ifndef PYCHORAL_IR_ASDL_READ_H
#define PYCHORAL_IR_ASDL_READ_H

#include <stdbool.h>

enum { MAX_NAME = 48, MAX_FIELDS = 16, MAX_FORMS = 96, MAX_FAMILIES = 64, MAX_TAGS = 32 };

typedef enum FieldCount { ONE, OPTIONAL, MANY, SPARSE } FieldCount;

typedef struct Field {
    char type[MAX_NAME], name[MAX_NAME];
    FieldCount count;
    bool spine, quiet;
    int line;
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

// A type that is no family: its name, the C type of one, the list, and the FIELD_ constant.
typedef struct Builtin { const char *asdl, *one, *list, *constant; } Builtin;

const Builtin *asdl_builtin(const char *name);                  // NULL: it is none
const Family  *asdl_family(const Grammar *g, const char *name); // NULL: there is none
Grammar       *asdl_read(const char *file, const char *text);   // ends the process after an error

#endif
