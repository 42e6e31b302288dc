build2/release/compiler/command/program_c.o: compiler/command/program_c.c \
 compiler/command/file.h compiler/base/arena.h compiler/base/source.h \
 compiler/front/front.h compiler/base/diag.h compiler/base/diag.def \
 compiler/base/edit.h compiler/base/vec.h compiler/base/intern.h \
 compiler/front/token.h compiler/ir/ir_base.h compiler/base/buf.h \
 build2/gen/ir_gen.h compiler/command/process.h \
 compiler/command/program.h compiler/command/output.h \
 compiler/command/session.h compiler/base/sha256.h \
 compiler/command/options.h compiler/base/diag_out.h \
 compiler/command/command.def compiler/command/option.def \
 compiler/pass/pass.h compiler/base/loader.h compiler/pass/pass.def \
 compiler/command/exit.def compiler/emit/c_project.h \
 compiler/emit/endpoint.h compiler/emit/beside.h \
 compiler/emit/site_table.h compiler/emit/type_table.h \
 compiler/pass/link.h compiler/pass/widen.h
compiler/command/file.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/front/front.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/base/edit.h:
compiler/base/vec.h:
compiler/base/intern.h:
compiler/front/token.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
build2/gen/ir_gen.h:
compiler/command/process.h:
compiler/command/program.h:
compiler/command/output.h:
compiler/command/session.h:
compiler/base/sha256.h:
compiler/command/options.h:
compiler/base/diag_out.h:
compiler/command/command.def:
compiler/command/option.def:
compiler/pass/pass.h:
compiler/base/loader.h:
compiler/pass/pass.def:
compiler/command/exit.def:
compiler/emit/c_project.h:
compiler/emit/endpoint.h:
compiler/emit/beside.h:
compiler/emit/site_table.h:
compiler/emit/type_table.h:
compiler/pass/link.h:
compiler/pass/widen.h:
