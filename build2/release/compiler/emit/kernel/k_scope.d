build2/release/compiler/emit/kernel/k_scope.o: \
 compiler/emit/kernel/k_scope.c compiler/emit/kernel/k_internal.h \
 compiler/base/buf.h compiler/base/arena.h compiler/base/table.h \
 compiler/base/vec.h compiler/emit/kernel/kernel.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/intern.h \
 compiler/emit/module_text.h build2/gen/ir_gen.h compiler/ir/ir_base.h
compiler/emit/kernel/k_internal.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/table.h:
compiler/base/vec.h:
compiler/emit/kernel/kernel.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/intern.h:
compiler/emit/module_text.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
