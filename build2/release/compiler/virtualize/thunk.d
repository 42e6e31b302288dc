build2/release/compiler/virtualize/thunk.o: compiler/virtualize/thunk.c \
 compiler/ir/free_names.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/arena.h compiler/base/buf.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h \
 compiler/virtualize/internal.h compiler/front/front.h \
 compiler/base/diag.h compiler/base/diag.def compiler/base/edit.h \
 compiler/front/token.h compiler/ir/scopes.h compiler/base/table.h \
 compiler/virtualize/virtualize.h compiler/virtualize/hook.def \
 build2/gen/parser.h
compiler/ir/free_names.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/virtualize/internal.h:
compiler/front/front.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/base/edit.h:
compiler/front/token.h:
compiler/ir/scopes.h:
compiler/base/table.h:
compiler/virtualize/virtualize.h:
compiler/virtualize/hook.def:
build2/gen/parser.h:
