build2/release/compiler/pass/ad/flat_closure.o: \
 compiler/pass/ad/flat_closure.c compiler/ir/free_names.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/arena.h \
 compiler/base/buf.h compiler/base/intern.h compiler/base/source.h \
 compiler/base/vec.h compiler/pass/ad/flat_closure.h \
 compiler/pass/ad/flat_internal.h compiler/pass/ad/flat.h \
 compiler/pass/ad/ad.h compiler/base/diag.h compiler/base/diag.def \
 compiler/base/table.h compiler/pass/ad/partial.h compiler/pass/pass.h \
 compiler/base/loader.h compiler/pass/pass.def
compiler/ir/free_names.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/pass/ad/flat_closure.h:
compiler/pass/ad/flat_internal.h:
compiler/pass/ad/flat.h:
compiler/pass/ad/ad.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/base/table.h:
compiler/pass/ad/partial.h:
compiler/pass/pass.h:
compiler/base/loader.h:
compiler/pass/pass.def:
