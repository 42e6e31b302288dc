build2/release/compiler/emit/view.o: compiler/emit/view.c \
 compiler/emit/view.h compiler/base/buf.h compiler/base/arena.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h compiler/base/qualified.h \
 compiler/emit/python.h compiler/base/table.h
compiler/emit/view.h:
compiler/base/buf.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/base/qualified.h:
compiler/emit/python.h:
compiler/base/table.h:
