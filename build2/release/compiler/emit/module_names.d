build2/release/compiler/emit/module_names.o: compiler/emit/module_names.c \
 compiler/emit/module_text.h compiler/base/buf.h compiler/base/arena.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h compiler/base/qualified.h \
 compiler/base/table.h
compiler/emit/module_text.h:
compiler/base/buf.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/base/qualified.h:
compiler/base/table.h:
