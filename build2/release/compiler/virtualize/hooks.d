build2/release/compiler/virtualize/hooks.o: compiler/virtualize/hooks.c \
 compiler/virtualize/virtualize.h compiler/base/diag.h \
 compiler/base/arena.h compiler/base/source.h compiler/base/diag.def \
 compiler/base/edit.h compiler/base/vec.h compiler/base/intern.h \
 compiler/virtualize/hook.def
compiler/virtualize/virtualize.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/edit.h:
compiler/base/vec.h:
compiler/base/intern.h:
compiler/virtualize/hook.def:
