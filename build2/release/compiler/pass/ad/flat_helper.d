build2/release/compiler/pass/ad/flat_helper.o: \
 compiler/pass/ad/flat_helper.c compiler/front/front.h \
 compiler/base/arena.h compiler/base/diag.h compiler/base/source.h \
 compiler/base/diag.def compiler/base/edit.h compiler/base/vec.h \
 compiler/base/intern.h compiler/front/token.h compiler/ir/ir_base.h \
 compiler/base/buf.h build2/gen/ir_gen.h compiler/pass/ad/flat_internal.h \
 compiler/pass/ad/flat.h compiler/pass/ad/ad.h compiler/base/table.h \
 compiler/pass/ad/partial.h compiler/pass/pass.h compiler/base/loader.h \
 compiler/pass/pass.def compiler/pass/ad/list.def
compiler/front/front.h:
compiler/base/arena.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/edit.h:
compiler/base/vec.h:
compiler/base/intern.h:
compiler/front/token.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
build2/gen/ir_gen.h:
compiler/pass/ad/flat_internal.h:
compiler/pass/ad/flat.h:
compiler/pass/ad/ad.h:
compiler/base/table.h:
compiler/pass/ad/partial.h:
compiler/pass/pass.h:
compiler/base/loader.h:
compiler/pass/pass.def:
compiler/pass/ad/list.def:
