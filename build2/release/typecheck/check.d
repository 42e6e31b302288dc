build2/release/typecheck/check.o: typecheck/check.c compiler/ir/scopes.h \
 compiler/base/diag.h compiler/base/arena.h compiler/base/source.h \
 compiler/base/diag.def compiler/base/table.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/intern.h \
 compiler/base/vec.h typecheck/internal.h compiler/base/loader.h \
 typecheck/typecheck.h typecheck/python/python.h
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
typecheck/internal.h:
compiler/base/loader.h:
typecheck/typecheck.h:
typecheck/python/python.h:
