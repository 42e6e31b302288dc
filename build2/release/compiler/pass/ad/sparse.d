build2/release/compiler/pass/ad/sparse.o: compiler/pass/ad/sparse.c \
 compiler/pass/ad/bulk.h compiler/pass/ad/term.h compiler/pass/ad/size.h \
 compiler/base/intern.h compiler/base/arena.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/source.h \
 compiler/base/vec.h compiler/pass/ad/jacobian.h compiler/pass/ad/delta.h \
 compiler/pass/ad/elementwise.h compiler/pass/ad/partial.h \
 compiler/pass/ad/nest_internal.h compiler/base/table.h \
 compiler/pass/ad/nest.h compiler/pass/ad/term_internal.h \
 compiler/pass/ad/simplify.h compiler/pass/ad/sparse.h
compiler/pass/ad/bulk.h:
compiler/pass/ad/term.h:
compiler/pass/ad/size.h:
compiler/base/intern.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/pass/ad/jacobian.h:
compiler/pass/ad/delta.h:
compiler/pass/ad/elementwise.h:
compiler/pass/ad/partial.h:
compiler/pass/ad/nest_internal.h:
compiler/base/table.h:
compiler/pass/ad/nest.h:
compiler/pass/ad/term_internal.h:
compiler/pass/ad/simplify.h:
compiler/pass/ad/sparse.h:
