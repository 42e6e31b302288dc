build2/release/compiler/base/diag_print.o: compiler/base/diag_print.c \
 compiler/base/diag_print.h compiler/base/buf.h compiler/base/arena.h \
 compiler/base/diag.h compiler/base/source.h compiler/base/diag.def \
 compiler/base/diag_out.h compiler/base/screen_line.h compiler/base/vec.h
compiler/base/diag_print.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/diag_out.h:
compiler/base/screen_line.h:
compiler/base/vec.h:
