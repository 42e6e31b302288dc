build2/release/compiler/ir/scopes.o: compiler/ir/scopes.c \
 compiler/ir/scopes.h compiler/base/diag.h compiler/base/arena.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/table.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/buf.h \
 compiler/base/intern.h compiler/base/vec.h
compiler/ir/scopes.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/table.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/vec.h:
