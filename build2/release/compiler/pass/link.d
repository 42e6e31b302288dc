build2/release/compiler/pass/link.o: compiler/pass/link.c \
 compiler/pass/link.h compiler/base/sha256.h compiler/pass/pass.h \
 compiler/base/diag.h compiler/base/arena.h compiler/base/source.h \
 compiler/base/diag.def compiler/base/intern.h compiler/base/loader.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/buf.h \
 compiler/base/vec.h compiler/pass/pass.def compiler/emit/module_text.h \
 compiler/front/front.h compiler/base/edit.h compiler/front/token.h \
 compiler/pass/link_internal.h compiler/base/table.h \
 compiler/pass/private.h compiler/emit/taken_modules.def
compiler/pass/link.h:
compiler/base/sha256.h:
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
compiler/emit/module_text.h:
compiler/front/front.h:
compiler/base/edit.h:
compiler/front/token.h:
compiler/pass/link_internal.h:
compiler/base/table.h:
compiler/pass/private.h:
compiler/emit/taken_modules.def:
