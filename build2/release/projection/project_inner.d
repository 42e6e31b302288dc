build2/release/projection/project_inner.o: projection/project_inner.c \
 projection/project_expr.h projection/projection_internal.h \
 compiler/base/diag.h compiler/base/arena.h compiler/base/source.h \
 compiler/base/diag.def compiler/base/vec.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/intern.h \
 compiler/base/table.h
projection/project_expr.h:
projection/projection_internal.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/vec.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/table.h:
