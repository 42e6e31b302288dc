build2/release/typecheck/declaration/located_inside.o: \
 typecheck/declaration/located_inside.c compiler/base/buf.h \
 compiler/base/arena.h typecheck/internal.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/loader.h \
 compiler/base/table.h compiler/base/vec.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/intern.h typecheck/typecheck.h
compiler/base/buf.h:
compiler/base/arena.h:
typecheck/internal.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/loader.h:
compiler/base/table.h:
compiler/base/vec.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
typecheck/typecheck.h:
