build2/release/compiler/virtualize/virtualize.o: \
 compiler/virtualize/virtualize.c compiler/virtualize/virtualize.h \
 compiler/base/diag.h compiler/base/arena.h compiler/base/source.h \
 compiler/base/diag.def compiler/base/edit.h compiler/base/vec.h \
 compiler/base/intern.h compiler/virtualize/hook.def \
 compiler/virtualize/internal.h compiler/front/front.h \
 compiler/front/token.h compiler/ir/ir_base.h compiler/base/buf.h \
 build2/gen/ir_gen.h compiler/ir/scopes.h compiler/base/table.h \
 build2/gen/parser.h
compiler/virtualize/virtualize.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/edit.h:
compiler/base/vec.h:
compiler/base/intern.h:
compiler/virtualize/hook.def:
compiler/virtualize/internal.h:
compiler/front/front.h:
compiler/front/token.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
build2/gen/ir_gen.h:
compiler/ir/scopes.h:
compiler/base/table.h:
build2/gen/parser.h:
