build2/release/compiler/emit/cost_print.o: compiler/emit/cost_print.c \
 compiler/base/json.h compiler/base/buf.h compiler/base/arena.h \
 compiler/base/source.h compiler/emit/cost.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/intern.h compiler/base/vec.h
compiler/base/json.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/emit/cost.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/vec.h:
