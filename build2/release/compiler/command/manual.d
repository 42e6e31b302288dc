build2/release/compiler/command/manual.o: compiler/command/manual.c \
 compiler/command/manual.h compiler/base/buf.h compiler/base/arena.h \
 compiler/base/version.h compiler/command/options.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/diag_out.h \
 compiler/base/vec.h compiler/command/command.def \
 compiler/command/option.def compiler/command/exit.def
compiler/command/manual.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/version.h:
compiler/command/options.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/diag_out.h:
compiler/base/vec.h:
compiler/command/command.def:
compiler/command/option.def:
compiler/command/exit.def:
