build2/release/compiler/emit/type_table.o: compiler/emit/type_table.c \
 compiler/emit/type_table.h compiler/base/buf.h compiler/base/arena.h \
 compiler/base/source.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/intern.h compiler/base/vec.h compiler/base/qualified.h \
 compiler/base/table.h
compiler/emit/type_table.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/source.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/vec.h:
compiler/base/qualified.h:
compiler/base/table.h:
