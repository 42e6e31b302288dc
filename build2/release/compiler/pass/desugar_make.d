build2/release/compiler/pass/desugar_make.o: compiler/pass/desugar_make.c \
 compiler/pass/desugar_internal.h compiler/base/table.h \
 compiler/base/arena.h compiler/base/vec.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/intern.h \
 compiler/base/source.h
compiler/pass/desugar_internal.h:
compiler/base/table.h:
compiler/base/arena.h:
compiler/base/vec.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
