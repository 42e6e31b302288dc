build2/release/compiler/pass/link_names.o: compiler/pass/link_names.c \
 compiler/base/qualified.h compiler/base/suggest.h \
 compiler/ir/free_names.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/arena.h compiler/base/buf.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h compiler/pass/link_internal.h \
 compiler/base/table.h compiler/pass/link.h compiler/base/sha256.h \
 compiler/pass/pass.h compiler/base/diag.h compiler/base/diag.def \
 compiler/base/loader.h compiler/pass/pass.def
compiler/base/qualified.h:
compiler/base/suggest.h:
compiler/ir/free_names.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/pass/link_internal.h:
compiler/base/table.h:
compiler/pass/link.h:
compiler/base/sha256.h:
compiler/pass/pass.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/base/loader.h:
compiler/pass/pass.def:
