build2/release/compiler/distribute/tool.o: compiler/distribute/tool.c \
 compiler/distribute/tool.h compiler/base/table.h compiler/base/arena.h \
 compiler/distribute/distribute.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/edit.h \
 compiler/base/vec.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/buf.h compiler/base/intern.h compiler/distribute/rewrite.h \
 compiler/distribute/bodies.h
compiler/distribute/tool.h:
compiler/base/table.h:
compiler/base/arena.h:
compiler/distribute/distribute.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/edit.h:
compiler/base/vec.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/distribute/rewrite.h:
compiler/distribute/bodies.h:
