// ir_engine.h - the services of the IR over tables that describe its forms.
//
// asdlgen writes the tables (ir_gen.c) and a typed front for each family (ir_gen.h); nobody else
// calls what is declared here. All functions follow spines in loops, see compiler/README.md.

#ifndef PYCHORAL_IR_ENGINE_H
#define PYCHORAL_IR_ENGINE_H

#include "compiler/ir/ir_base.h"
#include "ir_gen.h"

typedef enum FieldType {
    FIELD_NODE, FIELD_ENUM, FIELD_IDENTIFIER, FIELD_INT, FIELD_BOOL, FIELD_CONSTANT, FIELD_SPAN,
} FieldType;

typedef enum FieldCount { COUNT_ONE, COUNT_OPTIONAL, COUNT_MANY, COUNT_SPARSE } FieldCount;

typedef struct IrFamily IrFamily;

// One attribute or field of a form.
typedef struct IrField {
    const char *name;
    size_t      offset;
    FieldType   type;
    FieldCount  count;
    bool        spine, quiet;   // `^`, `~`
    const IrFamily *family;     // of NODE and ENUM
} IrField;

typedef struct IrForm {
    const char    *name;
    const IrField *fields;      // attributes first
    int            field_count;
    int            spine;       // which field, or -1
    IrTags         tags;
    uint32_t       nodes;       // the fields that hold nodes and are walked, as bits
    uint64_t       reach;       // the families that a walk of them can meet, as bits by id
    size_t         size;        // of a node: no more of the struct is there
} IrForm;

struct IrFamily {
    int           id;
    const char   *name;
    const IrForm *forms;
    int           form_count;
    size_t        size;         // of the struct: room for any form
    bool          product;      // one form, no kind
    size_t        kind_offset;
    uint64_t      reach;        // the families that a walk from here can meet, as bits by id
};

// A list of nodes (pointers), of names (Sym) or of enumerated values.
typedef struct IrList { const void *at; size_t len; } IrList;

// ---- access, shared by the files of the engine ----

const IrForm *ir_form_of(const IrFamily *family, const void *node);
const void   *ir_pointer(const void *node, const IrField *f);   // NODE, IDENTIFIER, CONSTANT
IrList        ir_list(const void *node, const IrField *f);
const void   *ir_list_pointer(IrList list, size_t i);
unsigned      ir_enum(const void *node, const IrField *f);
Span          ir_span(const void *node, const IrField *f);

// The nodes from one down its spine; short chains need no memory.
typedef struct IrChain {
    const void  *few[16];
    const void **at;
    size_t       len;
    Arena       *own;
} IrChain;

void *ir_copy_node(Arena *a, const IrFamily *family, const void *node);

void ir_chain_open(IrChain *c, const IrFamily *family, const void *node);
void ir_chain_close(IrChain *c);

// Generated: by its number, FAMILY_STMT and so on.
const IrFamily *ir_family(int id);

// ---- services ----

const void *ir_spine_child(const IrFamily *family, const void *node);
const void *ir_with_spine_child(const IrFamily *family, Arena *a, const void *node,
                                const void *child);
void        ir_walk_node(const IrWalker *w, const IrFamily *family, const void *node);
const void *ir_map_node(IrMapper *m, const IrFamily *family, const void *node);
IrList      ir_map_list(IrMapper *m, const IrFamily *family, IrList list);
bool        ir_equal_node(const IrFamily *family, const void *a, const void *b);
bool        ir_equal_list(const IrFamily *family, IrList a, IrList b);
uint64_t    ir_hash_node(const IrFamily *family, const void *node);
bool        ir_same_node(const IrFamily *family, const void *a, const void *b);
uint64_t    ir_same_hash_node(const IrFamily *family, const void *node);
void        ir_print_node(Buf *b, const IrFamily *family, const void *node);
const void *ir_read_node(Arena *a, Names *names, const IrFamily *family, Text text,
                         const char **error);
bool        ir_verify_node(const IrFamily *family, const void *node, IrTags allowed,
                           const char **form, Span *at);
IrTags      ir_tags_of_node(const IrFamily *family, const void *node);

// Generated: calls the callback of the family, if there is one.
bool        ir_walker_enter(const IrWalker *w, int family, const void *node);
uint64_t    ir_walker_families(const IrWalker *w);      // those with a callback, as bits by id
uint64_t    ir_mapper_families(const IrMapper *m);
const void *ir_mapper_leave(IrMapper *m, const IrFamily *family, const void *node);

#endif
