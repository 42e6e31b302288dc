build2/release/typecheck/statement/stmt.o: typecheck/statement/stmt.c \
 compiler/ir/free_names.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/arena.h compiler/base/buf.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h typecheck/expression/narrow.h \
 typecheck/python/python.h typecheck/internal.h compiler/base/diag.h \
 compiler/base/diag.def compiler/base/loader.h compiler/base/table.h \
 typecheck/typecheck.h
compiler/ir/free_names.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
typecheck/expression/narrow.h:
typecheck/python/python.h:
typecheck/internal.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/base/loader.h:
compiler/base/table.h:
typecheck/typecheck.h:
