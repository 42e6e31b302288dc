// members.h - methods of builtin types whose type is known only when the program runs.

#ifndef PYCHORAL_MEMBERS_H
#define PYCHORAL_MEMBERS_H

#include "object.h"

// value.name(*arguments) of a value of a builtin type, as `row`. What is put into it is converted
// to what it holds. Raises AttributeError, TypeError, and what the method raises.
void pychoral_call_member(PychoralRef value, const char *name, size_t count,
                          const PychoralRef *arguments, const PychoralType *row, void *result);

#endif
