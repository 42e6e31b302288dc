build2/release/compiler/emit/erase.o: compiler/emit/erase.c \
 compiler/emit/erase.h compiler/base/buf.h compiler/base/arena.h \
 compiler/base/source.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/intern.h compiler/base/vec.h compiler/emit/endpoint.h \
 compiler/base/sha256.h compiler/emit/beside.h compiler/emit/site_table.h \
 compiler/emit/type_table.h compiler/emit/erase_internal.h \
 compiler/base/table.h compiler/emit/python.h compiler/ir/free_names.h
compiler/emit/erase.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/source.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/vec.h:
compiler/emit/endpoint.h:
compiler/base/sha256.h:
compiler/emit/beside.h:
compiler/emit/site_table.h:
compiler/emit/type_table.h:
compiler/emit/erase_internal.h:
compiler/base/table.h:
compiler/emit/python.h:
compiler/ir/free_names.h:
