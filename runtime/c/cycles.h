// cycles.h - objects that refer to each other in a circle are freed, too.
//
// A count never comes to 0 in a circle. So objects that can be part of one, those of rows with
// PYCHORAL_CYCLIC, are in a list, each one's place in its head's `flags`. The compiler tells which:
// classes from which a way leads back, and variables that functions share, if they hold functions.
// Whenever the list has doubled, references between its objects are subtracted from their counts,
// on the side: who has none left, and is not reached from one who has, is garbage. Lists, tables,
// boxes and functions on the way are looked through; an object of another class ends it.
//
// Not found are circles of lists and tables alone, and those through the stack of a generator that
// has not ended.

#ifndef PYCHORAL_CYCLES_H
#define PYCHORAL_CYCLES_H

#include "value.h"

// An object joins the list; its fields have values when the next is made. False: no memory.
bool pychoral_cycles_add(PychoralObject *object);

// It has no references left, and leaves.
void pychoral_cycles_remove(PychoralObject *object);

// Frees garbage if it is time for that. May run the code that a generator has for its end.
void pychoral_cycles_look(void);

// The thread's program has ended: the list goes, if nothing is left in it.
void pychoral_cycles_end(void);

#endif
