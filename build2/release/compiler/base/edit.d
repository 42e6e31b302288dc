build2/release/compiler/base/edit.o: compiler/base/edit.c \
 compiler/base/edit.h compiler/base/diag.h compiler/base/arena.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/vec.h \
 compiler/base/buf.h
compiler/base/edit.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/vec.h:
compiler/base/buf.h:
