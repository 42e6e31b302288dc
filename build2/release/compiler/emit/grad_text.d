build2/release/compiler/emit/grad_text.o: compiler/emit/grad_text.c \
 compiler/emit/grad_text.h compiler/emit/module_text.h \
 compiler/base/buf.h compiler/base/arena.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/intern.h compiler/base/source.h \
 compiler/base/vec.h compiler/base/table.h compiler/emit/python_control.h \
 compiler/ir/free_names.h
compiler/emit/grad_text.h:
compiler/emit/module_text.h:
compiler/base/buf.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/base/table.h:
compiler/emit/python_control.h:
compiler/ir/free_names.h:
