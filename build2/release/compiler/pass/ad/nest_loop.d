build2/release/compiler/pass/ad/nest_loop.o: compiler/pass/ad/nest_loop.c \
 compiler/pass/ad/nest_internal.h compiler/base/table.h \
 compiler/base/arena.h compiler/pass/ad/nest.h compiler/pass/ad/term.h \
 compiler/pass/ad/size.h compiler/base/intern.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/source.h \
 compiler/base/vec.h compiler/pass/ad/term_internal.h
compiler/pass/ad/nest_internal.h:
compiler/base/table.h:
compiler/base/arena.h:
compiler/pass/ad/nest.h:
compiler/pass/ad/term.h:
compiler/pass/ad/size.h:
compiler/base/intern.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/pass/ad/term_internal.h:
