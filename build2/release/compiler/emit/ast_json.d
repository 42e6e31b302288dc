build2/release/compiler/emit/ast_json.o: compiler/emit/ast_json.c \
 compiler/emit/ast_json.h compiler/base/buf.h compiler/base/arena.h \
 compiler/base/source.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/intern.h compiler/base/vec.h compiler/base/json.h \
 compiler/emit/ast_walk.h compiler/ir/ir_engine.h compiler/emit/pytext.h
compiler/emit/ast_json.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/source.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/vec.h:
compiler/base/json.h:
compiler/emit/ast_walk.h:
compiler/ir/ir_engine.h:
compiler/emit/pytext.h:
