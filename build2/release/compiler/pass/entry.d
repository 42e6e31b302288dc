build2/release/compiler/pass/entry.o: compiler/pass/entry.c \
 compiler/pass/entry.h compiler/pass/pass.h compiler/base/diag.h \
 compiler/base/arena.h compiler/base/source.h compiler/base/diag.def \
 compiler/base/intern.h compiler/base/loader.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/vec.h \
 compiler/pass/pass.def compiler/base/qualified.h compiler/base/suggest.h \
 compiler/base/table.h compiler/ir/free_names.h
compiler/pass/entry.h:
compiler/pass/pass.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/intern.h:
compiler/base/loader.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/vec.h:
compiler/pass/pass.def:
compiler/base/qualified.h:
compiler/base/suggest.h:
compiler/base/table.h:
compiler/ir/free_names.h:
