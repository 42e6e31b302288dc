build2/release/compiler/ir/ir_base.o: compiler/ir/ir_base.c \
 compiler/ir/ir_base.h compiler/base/arena.h compiler/base/buf.h \
 compiler/base/intern.h compiler/base/source.h compiler/base/vec.h
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
