// entry.h - `--entry C.method`: a program that starts with a method of a class of several roles.
//
// The method becomes a function in front of which nothing in the compiler is special:
//
//     @roles(A, B)
//     def C_method(*, <parameters of __init__>, <parameters of method>) -> <its result>:
//         self = C[A, B](<those of __init__>)
//         return self.method(<its own>)
//
// so that checking, projection, the central program and the diagrams know functions only.

#ifndef PYCHORAL_PASS_ENTRY_H
#define PYCHORAL_PASS_ENTRY_H

#include "compiler/pass/pass.h"

// Takes the C and the method out of `cx->entry`, if it is written so. Before any pass.
void entry_read(PassCx *cx);

// Adds the function to a linked unit and makes it `cx->entry`; the unit itself when the entry is a
// function, or when the method cannot start a program, which is reported.
const Unit *entry_add(PassCx *cx, const Unit *unit);

#endif
