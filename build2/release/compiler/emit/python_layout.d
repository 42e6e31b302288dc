build2/release/compiler/emit/python_layout.o: \
 compiler/emit/python_layout.c compiler/emit/python_internal.h \
 compiler/emit/python.h compiler/base/buf.h compiler/base/arena.h \
 compiler/base/source.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/intern.h compiler/base/vec.h compiler/emit/site_table.h
compiler/emit/python_internal.h:
compiler/emit/python.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/source.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/vec.h:
compiler/emit/site_table.h:
