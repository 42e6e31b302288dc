build2/release/compiler/pass/ad/size.o: compiler/pass/ad/size.c \
 compiler/pass/ad/size.h compiler/base/intern.h compiler/base/arena.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/buf.h \
 compiler/base/source.h compiler/base/vec.h
compiler/pass/ad/size.h:
compiler/base/intern.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/source.h:
compiler/base/vec.h:
