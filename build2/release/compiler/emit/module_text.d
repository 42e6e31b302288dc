build2/release/compiler/emit/module_text.o: compiler/emit/module_text.c \
 compiler/emit/module_text.h compiler/base/buf.h compiler/base/arena.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h compiler/emit/python.h \
 compiler/base/version.h
compiler/emit/module_text.h:
compiler/base/buf.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/emit/python.h:
compiler/base/version.h:
