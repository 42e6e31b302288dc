build2/release/compiler/emit/c_project.o: compiler/emit/c_project.c \
 compiler/emit/c_project.h compiler/base/diag.h compiler/base/arena.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/loader.h \
 compiler/emit/endpoint.h compiler/base/buf.h compiler/base/sha256.h \
 compiler/emit/beside.h compiler/emit/site_table.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/intern.h compiler/base/vec.h \
 compiler/emit/type_table.h compiler/base/version.h \
 compiler/emit/module_text.h
compiler/emit/c_project.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/loader.h:
compiler/emit/endpoint.h:
compiler/base/buf.h:
compiler/base/sha256.h:
compiler/emit/beside.h:
compiler/emit/site_table.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/vec.h:
compiler/emit/type_table.h:
compiler/base/version.h:
compiler/emit/module_text.h:
