build2/release/compiler/command/grad_c.o: compiler/command/grad_c.c \
 compiler/base/table.h compiler/base/arena.h compiler/command/command.h \
 compiler/command/session.h compiler/base/diag.h compiler/base/source.h \
 compiler/base/diag.def compiler/base/intern.h compiler/base/sha256.h \
 compiler/base/vec.h compiler/command/options.h compiler/base/buf.h \
 compiler/base/diag_out.h compiler/command/command.def \
 compiler/command/option.def compiler/pass/pass.h compiler/base/loader.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/pass/pass.def \
 compiler/command/exit.def compiler/command/file.h \
 compiler/emit/kernel/kernel.h compiler/emit/module_text.h \
 compiler/pass/ad/array_program.h compiler/ir/free_names.h \
 compiler/pass/ad/diff.h compiler/pass/ad/partial.h
compiler/base/table.h:
compiler/base/arena.h:
compiler/command/command.h:
compiler/command/session.h:
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
compiler/command/file.h:
compiler/emit/kernel/kernel.h:
compiler/emit/module_text.h:
compiler/pass/ad/array_program.h:
compiler/ir/free_names.h:
compiler/pass/ad/diff.h:
compiler/pass/ad/partial.h:
