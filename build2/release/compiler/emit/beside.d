build2/release/compiler/emit/beside.o: compiler/emit/beside.c \
 compiler/emit/beside.h compiler/emit/site_table.h compiler/base/buf.h \
 compiler/base/arena.h compiler/base/source.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/intern.h compiler/base/vec.h \
 compiler/base/qualified.h compiler/ir/free_names.h
compiler/emit/beside.h:
compiler/emit/site_table.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/source.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/vec.h:
compiler/base/qualified.h:
compiler/ir/free_names.h:
