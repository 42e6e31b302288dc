build2/release/compiler/emit/kernel/k_prim.o: \
 compiler/emit/kernel/k_prim.c compiler/emit/kernel/k_internal.h \
 compiler/base/buf.h compiler/base/arena.h compiler/base/table.h \
 compiler/base/vec.h compiler/emit/kernel/kernel.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/intern.h \
 compiler/emit/module_text.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/emit/pytext.h compiler/emit/c_prim/all.def \
 compiler/emit/c_prim/text.def compiler/emit/c_prim/numbers.def \
 compiler/emit/c_prim/containers.def compiler/emit/c_prim/process.def
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
compiler/emit/pytext.h:
compiler/emit/c_prim/all.def:
compiler/emit/c_prim/text.def:
compiler/emit/c_prim/numbers.def:
compiler/emit/c_prim/containers.def:
compiler/emit/c_prim/process.def:
