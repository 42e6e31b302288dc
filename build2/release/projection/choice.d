build2/release/projection/choice.o: projection/choice.c \
 projection/projection_internal.h compiler/base/diag.h \
 compiler/base/arena.h compiler/base/source.h compiler/base/diag.def \
 compiler/base/vec.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/buf.h compiler/base/intern.h compiler/base/table.h
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
