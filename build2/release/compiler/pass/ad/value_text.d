build2/release/compiler/pass/ad/value_text.o: \
 compiler/pass/ad/value_text.c compiler/ir/free_names.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/arena.h \
 compiler/base/buf.h compiler/base/intern.h compiler/base/source.h \
 compiler/base/vec.h compiler/pass/ad/ad.h compiler/base/diag.h \
 compiler/base/diag.def compiler/base/table.h compiler/pass/ad/partial.h \
 compiler/pass/ad/diff.h compiler/pass/pass.h compiler/base/loader.h \
 compiler/pass/pass.def
compiler/ir/free_names.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/pass/ad/ad.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/base/table.h:
compiler/pass/ad/partial.h:
compiler/pass/ad/diff.h:
compiler/pass/pass.h:
compiler/base/loader.h:
compiler/pass/pass.def:
