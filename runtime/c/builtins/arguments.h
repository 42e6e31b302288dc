// arguments.h - `f(*items, **named)`: which argument is which parameter's, known only when they are
// there.

#ifndef PYCHORAL_ARGUMENTS_H
#define PYCHORAL_ARGUMENTS_H

#include "object.h"
#include "table.h"

typedef enum PychoralParamKind {
    PYCHORAL_PARAM_POSITIONAL,  // before a `/`
    PYCHORAL_PARAM_EITHER,
    PYCHORAL_PARAM_REST,     // *rest
    PYCHORAL_PARAM_KEYWORD,  // behind a `*`
    PYCHORAL_PARAM_NAMED     // **named
} PychoralParamKind;

// What a call gives as it is written.
typedef enum PychoralGiven { PYCHORAL_OPEN, PYCHORAL_BY_PLACE, PYCHORAL_BY_NAME } PychoralGiven;

// A parameter, in a call.
typedef struct PychoralParam {
    const char *name;
    PychoralParamKind kind;
    bool required;
    PychoralGiven given;
} PychoralParam;

// Adds what `**mapping`, or one keyword, gives to `named`, a dict[str, object]. Raise TypeError, as
// of the function that is called `shown` (with its module): no mapping, no texts, twice the same.
void pychoral_named_update(PychoralTable *named, PychoralRef mapping, const char *shown);
void pychoral_named_put(PychoralTable *named, PychoralStr *name, PychoralRef value,
                        const char *shown);

// Puts into `slots` where the value of each parameter stands: an item of `items`, a list[object] of
// further arguments by position, or a value of `named`; both may be NULL. NULL: there is none
// there. Raises TypeError where the arguments are not what the function `name` of `module` takes.
void pychoral_bind(const char *module, const char *name, size_t count, const PychoralParam *params,
                   const PychoralList *items, const PychoralTable *named,
                   const PychoralAny **slots);

// What `**named` gets, a dict of `row`: the arguments that have no parameter of their own. Raises.
PychoralTable *pychoral_named_rest(const PychoralTable *named, size_t count,
                                   const PychoralParam *params, const PychoralType *row);

#endif
