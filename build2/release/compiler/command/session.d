build2/release/compiler/command/session.o: compiler/command/session.c \
 compiler/command/session.h compiler/base/arena.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/intern.h \
 compiler/base/sha256.h compiler/base/vec.h compiler/command/options.h \
 compiler/base/buf.h compiler/base/diag_out.h \
 compiler/command/command.def compiler/command/option.def \
 compiler/pass/pass.h compiler/base/loader.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/pass/pass.def compiler/command/exit.def \
 compiler/base/qualified.h compiler/base/suggest.h \
 compiler/base/version.h compiler/command/file.h \
 compiler/command/search.h compiler/emit/module_text.h \
 compiler/emit/python.h compiler/front/front.h compiler/base/edit.h \
 compiler/front/token.h compiler/pass/ad/array_program.h \
 compiler/emit/kernel/kernel.h compiler/pass/entry.h compiler/pass/link.h
compiler/command/session.h:
compiler/base/arena.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/intern.h:
compiler/base/sha256.h:
compiler/base/vec.h:
compiler/command/options.h:
compiler/base/buf.h:
compiler/base/diag_out.h:
compiler/command/command.def:
compiler/command/option.def:
compiler/pass/pass.h:
compiler/base/loader.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/pass/pass.def:
compiler/command/exit.def:
compiler/base/qualified.h:
compiler/base/suggest.h:
compiler/base/version.h:
compiler/command/file.h:
compiler/command/search.h:
compiler/emit/module_text.h:
compiler/emit/python.h:
compiler/front/front.h:
compiler/base/edit.h:
compiler/front/token.h:
compiler/pass/ad/array_program.h:
compiler/emit/kernel/kernel.h:
compiler/pass/entry.h:
compiler/pass/link.h:
