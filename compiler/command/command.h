// command.h - the commands. Each does its work for the options of a session and answers the exit
// code.

#ifndef PYCHORAL_COMMAND_COMMAND_H
#define PYCHORAL_COMMAND_COMMAND_H

#include "compiler/command/session.h"

Status cmd_build(Session *s);
Status build_programs(Session *s, const Compilation *c);    // writes one for each role
Status build_central(Session *s, const Compilation *c);     // build --erase
Status cmd_check(Session *s);
Status cost_show(Session *s, const Compilation *c);     // check --cost
Status cmd_collectives(Session *s); // check --collectives
Status cmd_amend(Session *s);       // check --amend
Status cmd_run(Session *s);
Status cmd_run_help(Session *s);    // run FILE --help: what the program itself takes
Status cmd_view(Session *s);
Status cmd_grad(Session *s);
Status grad_compare(Session *s, const GradRequest *r);      // grad_compare.c
Status grad_write_c(Session *s, const Compilation *c, const GradRequest *r);    // grad_c.c
Status grad_write_array_c(Session *s, const Compilation *c, const GradRequest *r);
Status cmd_distribute(Session *s);
Status cmd_parse(Session *s);
Status cmd_virtualize(Session *s);
Status cmd_explain(Session *s);
Status cmd_doctor(Session *s);
Status cmd_completions(Session *s);
Status cmd_manual(Session *s);
Status cmd_keygen(Session *s);
Status cmd_help(Session *s);
Status cmd_passes(Session *s);      // --passes

#endif
