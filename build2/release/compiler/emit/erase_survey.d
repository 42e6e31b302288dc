build2/release/compiler/emit/erase_survey.o: compiler/emit/erase_survey.c \
 compiler/emit/erase_internal.h compiler/base/vec.h compiler/base/arena.h \
 compiler/emit/erase.h compiler/base/buf.h compiler/base/source.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/intern.h \
 compiler/base/table.h
compiler/emit/erase_internal.h:
compiler/base/vec.h:
compiler/base/arena.h:
compiler/emit/erase.h:
compiler/base/buf.h:
compiler/base/source.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/table.h:
