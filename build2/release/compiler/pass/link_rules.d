build2/release/compiler/pass/link_rules.o: compiler/pass/link_rules.c \
 compiler/pass/link_internal.h compiler/base/table.h \
 compiler/base/arena.h compiler/base/vec.h compiler/pass/link.h \
 compiler/base/sha256.h compiler/pass/pass.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/intern.h \
 compiler/base/loader.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/buf.h compiler/pass/pass.def
compiler/pass/link_internal.h:
compiler/base/table.h:
compiler/base/arena.h:
compiler/base/vec.h:
compiler/pass/link.h:
compiler/base/sha256.h:
compiler/pass/pass.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/intern.h:
compiler/base/loader.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/pass/pass.def:
