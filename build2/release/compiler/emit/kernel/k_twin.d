build2/release/compiler/emit/kernel/k_twin.o: \
 compiler/emit/kernel/k_twin.c compiler/emit/grad_text.h \
 compiler/emit/module_text.h compiler/base/buf.h compiler/base/arena.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h \
 compiler/emit/kernel/k_internal.h compiler/base/table.h \
 compiler/emit/kernel/kernel.h compiler/base/diag.h \
 compiler/base/diag.def build2/gen/kernel_twin.inc
compiler/emit/grad_text.h:
compiler/emit/module_text.h:
compiler/base/buf.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/emit/kernel/k_internal.h:
compiler/base/table.h:
compiler/emit/kernel/kernel.h:
compiler/base/diag.h:
compiler/base/diag.def:
build2/gen/kernel_twin.inc:
