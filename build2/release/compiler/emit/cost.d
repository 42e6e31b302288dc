build2/release/compiler/emit/cost.o: compiler/emit/cost.c \
 compiler/emit/cost.h compiler/base/buf.h compiler/base/arena.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h compiler/base/qualified.h \
 compiler/base/table.h
compiler/emit/cost.h:
compiler/base/buf.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/base/qualified.h:
compiler/base/table.h:
