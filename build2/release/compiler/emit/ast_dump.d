build2/release/compiler/emit/ast_dump.o: compiler/emit/ast_dump.c \
 compiler/emit/ast_dump.h compiler/base/buf.h compiler/base/arena.h \
 compiler/base/source.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/intern.h compiler/base/vec.h compiler/emit/ast_walk.h \
 compiler/ir/ir_engine.h compiler/emit/pytext.h
compiler/emit/ast_dump.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/source.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/vec.h:
compiler/emit/ast_walk.h:
compiler/ir/ir_engine.h:
compiler/emit/pytext.h:
