build2/release/compiler/command/program.o: compiler/command/program.c \
 compiler/command/program.h compiler/command/output.h \
 compiler/command/session.h compiler/base/arena.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/intern.h \
 compiler/base/sha256.h compiler/base/vec.h compiler/command/options.h \
 compiler/base/buf.h compiler/base/diag_out.h \
 compiler/command/command.def compiler/command/option.def \
 compiler/pass/pass.h compiler/base/loader.h build2/gen/ir_gen.h \
 compiler/ir/ir_base.h compiler/pass/pass.def compiler/command/exit.def \
 compiler/emit/c_project.h compiler/emit/endpoint.h \
 compiler/emit/beside.h compiler/emit/site_table.h \
 compiler/emit/type_table.h compiler/base/suggest.h \
 compiler/command/file.h compiler/emit/module_text.h \
 compiler/ir/free_names.h compiler/pass/link.h
compiler/command/program.h:
compiler/command/output.h:
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
compiler/emit/c_project.h:
compiler/emit/endpoint.h:
compiler/emit/beside.h:
compiler/emit/site_table.h:
compiler/emit/type_table.h:
compiler/base/suggest.h:
compiler/command/file.h:
compiler/emit/module_text.h:
compiler/ir/free_names.h:
compiler/pass/link.h:
