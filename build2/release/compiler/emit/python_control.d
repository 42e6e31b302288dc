build2/release/compiler/emit/python_control.o: \
 compiler/emit/python_control.c compiler/emit/python_control.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/arena.h \
 compiler/base/buf.h compiler/base/intern.h compiler/base/source.h \
 compiler/base/vec.h compiler/base/table.h compiler/ir/control.h
compiler/emit/python_control.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/base/table.h:
compiler/ir/control.h:
