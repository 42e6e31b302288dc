build2/release/compiler/pass/redundant.o: compiler/pass/redundant.c \
 compiler/pass/redundant.h compiler/pass/pass.h compiler/base/diag.h \
 compiler/base/arena.h compiler/base/source.h compiler/base/diag.def \
 compiler/base/intern.h compiler/base/loader.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/vec.h \
 compiler/pass/pass.def compiler/base/table.h projection/projection.h \
 compiler/ir/loads.h
compiler/pass/redundant.h:
compiler/pass/pass.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/intern.h:
compiler/base/loader.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/vec.h:
compiler/pass/pass.def:
compiler/base/table.h:
projection/projection.h:
compiler/ir/loads.h:
