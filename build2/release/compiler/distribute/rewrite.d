build2/release/compiler/distribute/rewrite.o: \
 compiler/distribute/rewrite.c compiler/distribute/rewrite.h \
 compiler/base/edit.h compiler/base/diag.h compiler/base/arena.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/vec.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/buf.h \
 compiler/base/intern.h compiler/base/table.h \
 compiler/distribute/bodies.h
compiler/distribute/rewrite.h:
compiler/base/edit.h:
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
compiler/distribute/bodies.h:
