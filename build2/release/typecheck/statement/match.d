build2/release/typecheck/statement/match.o: typecheck/statement/match.c \
 typecheck/expression/narrow.h typecheck/python/python.h \
 typecheck/internal.h compiler/base/diag.h compiler/base/arena.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/loader.h \
 compiler/base/table.h compiler/base/vec.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/intern.h \
 typecheck/typecheck.h typecheck/expression/operands.h
typecheck/expression/narrow.h:
typecheck/python/python.h:
typecheck/internal.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/loader.h:
compiler/base/table.h:
compiler/base/vec.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/intern.h:
typecheck/typecheck.h:
typecheck/expression/operands.h:
