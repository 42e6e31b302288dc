build2/release/compiler/base/diag.o: compiler/base/diag.c \
 compiler/base/diag.h compiler/base/arena.h compiler/base/source.h \
 compiler/base/diag.def compiler/base/qualified.h compiler/base/vec.h
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/qualified.h:
compiler/base/vec.h:
