build2/release/compiler/emit/python.o: compiler/emit/python.c \
 compiler/emit/python_control.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/arena.h compiler/base/buf.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h \
 compiler/emit/python_internal.h compiler/emit/python.h \
 compiler/emit/site_table.h compiler/emit/pytext.h compiler/ir/ty.h
compiler/emit/python_control.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/emit/python_internal.h:
compiler/emit/python.h:
compiler/emit/site_table.h:
compiler/emit/pytext.h:
compiler/ir/ty.h:
