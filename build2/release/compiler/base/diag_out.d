build2/release/compiler/base/diag_out.o: compiler/base/diag_out.c \
 compiler/base/diag_out.h compiler/base/buf.h compiler/base/arena.h \
 compiler/base/diag.h compiler/base/source.h compiler/base/diag.def \
 compiler/base/diag_out_internal.h compiler/base/vec.h \
 compiler/base/diag_print.h
compiler/base/diag_out.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/diag_out_internal.h:
compiler/base/vec.h:
compiler/base/diag_print.h:
