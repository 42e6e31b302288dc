build2/release/compiler/ir/ir_read.o: compiler/ir/ir_read.c \
 compiler/ir/ir_engine.h compiler/ir/ir_base.h compiler/base/arena.h \
 compiler/base/buf.h compiler/base/intern.h compiler/base/source.h \
 compiler/base/vec.h build2/gen/ir_gen.h
compiler/ir/ir_engine.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
build2/gen/ir_gen.h:
