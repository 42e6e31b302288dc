build2/release/compiler/pass/ad/simplify.o: compiler/pass/ad/simplify.c \
 compiler/pass/ad/loop.h compiler/pass/ad/term.h compiler/pass/ad/size.h \
 compiler/base/intern.h compiler/base/arena.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/source.h \
 compiler/base/vec.h compiler/pass/ad/simplify_internal.h \
 compiler/pass/ad/simplify.h
compiler/pass/ad/loop.h:
compiler/pass/ad/term.h:
compiler/pass/ad/size.h:
compiler/base/intern.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/pass/ad/simplify_internal.h:
compiler/pass/ad/simplify.h:
