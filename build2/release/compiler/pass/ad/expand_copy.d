build2/release/compiler/pass/ad/expand_copy.o: \
 compiler/pass/ad/expand_copy.c compiler/base/buf.h compiler/base/arena.h \
 compiler/emit/python.h compiler/base/source.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/intern.h compiler/base/vec.h \
 compiler/front/front.h compiler/base/diag.h compiler/base/diag.def \
 compiler/base/edit.h compiler/front/token.h \
 compiler/pass/ad/expand_internal.h compiler/pass/ad/ad.h \
 compiler/base/table.h compiler/pass/ad/partial.h
compiler/base/buf.h:
compiler/base/arena.h:
compiler/emit/python.h:
compiler/base/source.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/vec.h:
compiler/front/front.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/base/edit.h:
compiler/front/token.h:
compiler/pass/ad/expand_internal.h:
compiler/pass/ad/ad.h:
compiler/base/table.h:
compiler/pass/ad/partial.h:
