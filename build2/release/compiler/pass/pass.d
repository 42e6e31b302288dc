build2/release/compiler/pass/pass.o: compiler/pass/pass.c \
 compiler/pass/pass.h compiler/base/diag.h compiler/base/arena.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/intern.h \
 compiler/base/loader.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/buf.h compiler/base/vec.h compiler/pass/pass.def \
 compiler/front/front.h compiler/base/edit.h compiler/front/token.h \
 compiler/pass/ad/array_program.h compiler/emit/kernel/kernel.h \
 compiler/emit/module_text.h compiler/pass/ad/core.h \
 compiler/pass/ad/diff.h compiler/pass/ad/expand.h \
 compiler/pass/ad/flat.h compiler/pass/ad/ad.h compiler/base/table.h \
 compiler/pass/ad/partial.h compiler/pass/ad/mode.h \
 compiler/pass/ad/mode.def compiler/pass/ad/settled.h \
 compiler/pass/ad/slice.h compiler/pass/desugar.h compiler/pass/entry.h \
 compiler/pass/link.h compiler/base/sha256.h compiler/pass/private.h \
 compiler/pass/widen.h projection/projection.h compiler/ir/loads.h \
 typecheck/typecheck.h
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
compiler/front/front.h:
compiler/base/edit.h:
compiler/front/token.h:
compiler/pass/ad/array_program.h:
compiler/emit/kernel/kernel.h:
compiler/emit/module_text.h:
compiler/pass/ad/core.h:
compiler/pass/ad/diff.h:
compiler/pass/ad/expand.h:
compiler/pass/ad/flat.h:
compiler/pass/ad/ad.h:
compiler/base/table.h:
compiler/pass/ad/partial.h:
compiler/pass/ad/mode.h:
compiler/pass/ad/mode.def:
compiler/pass/ad/settled.h:
compiler/pass/ad/slice.h:
compiler/pass/desugar.h:
compiler/pass/entry.h:
compiler/pass/link.h:
compiler/base/sha256.h:
compiler/pass/private.h:
compiler/pass/widen.h:
projection/projection.h:
compiler/ir/loads.h:
typecheck/typecheck.h:
