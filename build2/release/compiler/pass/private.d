build2/release/compiler/pass/private.o: compiler/pass/private.c \
 compiler/pass/private.h compiler/base/source.h compiler/base/arena.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/buf.h \
 compiler/base/intern.h compiler/base/vec.h
compiler/pass/private.h:
compiler/base/source.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/vec.h:
