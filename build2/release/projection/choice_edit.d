build2/release/projection/choice_edit.o: projection/choice_edit.c \
 compiler/base/qualified.h compiler/base/vec.h compiler/base/arena.h \
 projection/projection_internal.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/diag.def build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/intern.h \
 compiler/base/table.h
compiler/base/qualified.h:
compiler/base/vec.h:
compiler/base/arena.h:
projection/projection_internal.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/table.h:
