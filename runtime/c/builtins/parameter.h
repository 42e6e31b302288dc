// parameter.h - values for `main` from the command line (as python/pychoral/options.py).

#ifndef PYCHORAL_PARAMETER_H
#define PYCHORAL_PARAMETER_H

#include "../pychoral.h"
#include "object.h"

// The messages for a text that is not a literal, and for one that is not an object of a class.
#define PYCHORAL_NO_LITERAL "expected a Python literal, such as 1, 'a' or [1, 2]"
#define PYCHORAL_NO_FIELDS "expected a dict with the fields of %s"

// What a program names whose parameters have rows.
extern const PychoralReading pychoral_reading;

// The value of the type `row` that the text of an option stands for. False: it stands for none, and
// `*reason`, owned, says why.
bool pychoral_parameter_read(const PychoralType *row, const char *text, void *result,
                             PychoralStr **reason);

// A word of the command line as Python reads it: bytes that are no UTF-8 become surrogates. Owned.
PychoralStr *pychoral_parameter_word(const char *text);

// As messages show the text of an option: its repr, at most 80 characters. Owned.
PychoralStr *pychoral_parameter_shown(const char *text);

// The repr of the default that a program makes; NULL: it cannot be had.
PychoralStr *pychoral_parameter_repr_of_default(const PychoralParameter *parameter);

// What Python's literal `text` says, as an `object`: lists, tuples, sets and dicts hold objects.
// With `names`, `ROCK` and `Move.ROCK` may stand in it; their row is `pychoral_name_row`, of texts.
// Raises ValueError where it is none.
PychoralAny pychoral_literal(const char *text, size_t size, bool names);
extern const PychoralType pychoral_name_row;

// A literal as a value of the type `row`: names become members of enums, dicts dataclasses. Raises
// ValueError where it does not fit.
void pychoral_literal_to_value(PychoralRef literal, const PychoralType *row, void *result);

// When a member of a union is tried, the same in each twin: None, int, others, float, bytes, str.
enum { PYCHORAL_TURNS = 6 };
int pychoral_shape_turn(const PychoralType *row);

#endif
