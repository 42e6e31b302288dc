build2/release/compiler/command/completion.o: \
 compiler/command/completion.c compiler/base/diag.h compiler/base/arena.h \
 compiler/base/source.h compiler/base/diag.def compiler/command/manual.h \
 compiler/base/buf.h compiler/command/options.h compiler/base/diag_out.h \
 compiler/base/vec.h compiler/command/command.def \
 compiler/command/option.def
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/command/manual.h:
compiler/base/buf.h:
compiler/command/options.h:
compiler/base/diag_out.h:
compiler/base/vec.h:
compiler/command/command.def:
compiler/command/option.def:
