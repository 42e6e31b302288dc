build2/release/compiler/pass/ad/flat.o: compiler/pass/ad/flat.c \
 compiler/base/qualified.h compiler/base/suggest.h compiler/emit/python.h \
 compiler/base/buf.h compiler/base/arena.h compiler/base/source.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/intern.h \
 compiler/base/vec.h compiler/pass/ad/flat_closure.h \
 compiler/pass/ad/flat_internal.h compiler/pass/ad/flat.h \
 compiler/pass/ad/ad.h compiler/base/diag.h compiler/base/diag.def \
 compiler/base/table.h compiler/pass/ad/partial.h compiler/pass/pass.h \
 compiler/base/loader.h compiler/pass/pass.def
compiler/base/qualified.h:
compiler/base/suggest.h:
compiler/emit/python.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/source.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
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
