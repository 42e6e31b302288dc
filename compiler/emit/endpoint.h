// endpoint.h - the text of an endpoint program: heading, imports, the projected code, and how it
// starts.

#ifndef PYCHORAL_EMIT_ENDPOINT_H
#define PYCHORAL_EMIT_ENDPOINT_H

#include "compiler/base/buf.h"
#include "compiler/base/sha256.h"
#include "compiler/emit/imported_modules.h"
#include "compiler/emit/type_table.h"
#include "ir_gen.h"

// What the endpoints of one choreography have in common.
typedef struct EndpointCx {
    Arena      *arena;
    Names      *names;
    const char *source_name;    // without folders
    const char *source_hash;    // SHA-256 of the source, in hexadecimal
    char        protocol[SHA256_HEX_SIZE];
    Sym         module;         // the module that is printed, as other modules name it
    SymList     modules;        // the generated modules beside the programs
    SymList     order;          // the same, as they load
    const char *parts;          // what tells versions of these modules apart
    SymList     roles;          // of the entry
    const Stmt *entry;          // the checked Choreo of the entry; NULL for a library
    bool        numbered;       // messages have numbers
    const Source *lines;        // where the code comes from, as a table at its end; NULL: no table
    size_t      part;           // of that: the module that is printed
    SiteTable   sites;          // of all modules of which the source is here
    ImportedModules beside;     // what is known of `modules`, in that order
    TypeEntries types;          // the classes that may travel
} EndpointCx;

// The Choreo of the function where the program starts; NULL: it is a library.
const Stmt *endpoint_entry(const Unit *checked, Sym name);

// Fills in the roles of the entry, and the protocol hash, which is the same for all roles and
// changes with anything that the choreography means. Of a module that is imported it takes the hash
// and the sites: nothing but that is known of one whose interface is here. All else is there.
void endpoint_prepare(EndpointCx *cx, const Source *source, const Unit *checked, Sym entry);

// The roles of a located annotation but `role`.
SymList endpoint_others(Arena *a, const Expr *annotation, Sym role);

// The parameters of a function that a caller can give by position or name, in order.
ArgList endpoint_parameters(Arena *a, const Stmt *def);

// The default of the i-th of them, or NULL.
const Expr *endpoint_default(const Stmt *def, size_t i);

// The located types of a result that is a tuple of located values; none if it is no such tuple.
ExprList endpoint_result_parts(const Expr *returns);

// Whether a located annotation gives a role something; NULL and None give nobody anything.
bool endpoint_is_at(const Expr *annotation, Sym role);

// Whether a located annotation is that of a channel.
bool endpoint_is_channel(const Expr *annotation);

// Prints one endpoint as a Python module: the same text for the same source, whenever and wherever.
void emit_endpoint(Buf *b, const EndpointCx *cx, const Endpoint *endpoint);

// Prints a module that the programs import: `module` is its name, source and hash are its own.
void emit_module(Buf *b, const EndpointCx *cx, const Endpoint *module);

// Prints the interface of a module, for those who compile against it; `sites` are the module's.
void emit_interface(Buf *b, const EndpointCx *cx, const Unit *interface, SiteRows sites);

// Writes the module name of each endpoint: its role in lower case, with a `_` after a name that
// Python or the runtime uses, or that an earlier endpoint or an import has already.
void endpoint_modules(const EndpointCx *cx, EndpointList endpoints, Sym *modules);

#endif
