build2/release/compiler/pass/desugar.o: compiler/pass/desugar.c \
 compiler/pass/desugar.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/arena.h compiler/base/buf.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h \
 compiler/pass/desugar_internal.h compiler/base/table.h
compiler/pass/desugar.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/pass/desugar_internal.h:
compiler/base/table.h:
