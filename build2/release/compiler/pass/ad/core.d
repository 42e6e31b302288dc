build2/release/compiler/pass/ad/core.o: compiler/pass/ad/core.c \
 compiler/pass/ad/core_internal.h compiler/base/table.h \
 compiler/base/arena.h compiler/pass/ad/core.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/intern.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/buf.h \
 compiler/base/vec.h compiler/ir/free_names.h
compiler/pass/ad/core_internal.h:
compiler/base/table.h:
compiler/base/arena.h:
compiler/pass/ad/core.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/intern.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/vec.h:
compiler/ir/free_names.h:
