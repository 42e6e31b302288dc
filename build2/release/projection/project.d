build2/release/projection/project.o: projection/project.c \
 projection/projection.h compiler/base/diag.h compiler/base/arena.h \
 compiler/base/source.h compiler/base/diag.def compiler/ir/loads.h \
 compiler/base/intern.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/buf.h compiler/base/vec.h projection/projection_internal.h \
 compiler/base/table.h
projection/projection.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/ir/loads.h:
compiler/base/intern.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/vec.h:
projection/projection_internal.h:
compiler/base/table.h:
