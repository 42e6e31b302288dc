build2/release/typecheck/state/call.o: typecheck/state/call.c \
 typecheck/state/state.h compiler/ir/loads.h compiler/base/intern.h \
 compiler/base/arena.h typecheck/python/python.h typecheck/internal.h \
 compiler/base/diag.h compiler/base/source.h compiler/base/diag.def \
 compiler/base/loader.h compiler/base/table.h compiler/base/vec.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/buf.h \
 typecheck/typecheck.h
typecheck/state/state.h:
compiler/ir/loads.h:
compiler/base/intern.h:
compiler/base/arena.h:
typecheck/python/python.h:
typecheck/internal.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/loader.h:
compiler/base/table.h:
compiler/base/vec.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
typecheck/typecheck.h:
