build2/release/typecheck/expression/types.o: typecheck/expression/types.c \
 compiler/ir/ty.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/arena.h compiler/base/buf.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h \
 typecheck/expression/operands.h typecheck/internal.h \
 compiler/base/diag.h compiler/base/diag.def compiler/base/loader.h \
 compiler/base/table.h typecheck/typecheck.h typecheck/python/python.h \
 typecheck/expression/builtin.def
compiler/ir/ty.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
typecheck/expression/operands.h:
typecheck/internal.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/base/loader.h:
compiler/base/table.h:
typecheck/typecheck.h:
typecheck/python/python.h:
typecheck/expression/builtin.def:
