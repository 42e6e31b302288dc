build2/release/gen/ir_gen.o: build2/gen/ir_gen.c build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/arena.h compiler/base/buf.h \
 compiler/base/intern.h compiler/base/source.h compiler/base/vec.h \
 compiler/ir/ir_engine.h build2/gen/ir_gen.h
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/ir/ir_engine.h:
build2/gen/ir_gen.h:
