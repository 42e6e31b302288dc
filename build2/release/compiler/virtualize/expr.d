build2/release/compiler/virtualize/expr.o: compiler/virtualize/expr.c \
 compiler/virtualize/internal.h compiler/front/front.h \
 compiler/base/arena.h compiler/base/diag.h compiler/base/source.h \
 compiler/base/diag.def compiler/base/edit.h compiler/base/vec.h \
 compiler/base/intern.h compiler/front/token.h compiler/ir/ir_base.h \
 compiler/base/buf.h build2/gen/ir_gen.h compiler/ir/scopes.h \
 compiler/base/table.h compiler/virtualize/virtualize.h \
 compiler/virtualize/hook.def build2/gen/parser.h
compiler/virtualize/internal.h:
compiler/front/front.h:
compiler/base/arena.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/edit.h:
compiler/base/vec.h:
compiler/base/intern.h:
compiler/front/token.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
build2/gen/ir_gen.h:
compiler/ir/scopes.h:
compiler/base/table.h:
compiler/virtualize/virtualize.h:
compiler/virtualize/hook.def:
build2/gen/parser.h:
