build2/release/compiler/emit/c/c_wire.o: compiler/emit/c/c_wire.c \
 compiler/emit/c/c_internal.h compiler/base/buf.h compiler/base/arena.h \
 compiler/base/diag.h compiler/base/source.h compiler/base/diag.def \
 compiler/base/table.h compiler/base/vec.h compiler/base/loader.h \
 compiler/emit/c_project.h compiler/emit/endpoint.h \
 compiler/base/sha256.h compiler/emit/beside.h compiler/emit/site_table.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/intern.h \
 compiler/emit/type_table.h
compiler/emit/c/c_internal.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/table.h:
compiler/base/vec.h:
compiler/base/loader.h:
compiler/emit/c_project.h:
compiler/emit/endpoint.h:
compiler/base/sha256.h:
compiler/emit/beside.h:
compiler/emit/site_table.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/emit/type_table.h:
