build2/release/projection/normalise.o: projection/normalise.c \
 compiler/ir/free_names.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/arena.h compiler/base/buf.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h compiler/ir/ty.h \
 projection/projection_internal.h compiler/base/diag.h \
 compiler/base/diag.def compiler/base/table.h
compiler/ir/free_names.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/ir/ty.h:
projection/projection_internal.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/base/table.h:
