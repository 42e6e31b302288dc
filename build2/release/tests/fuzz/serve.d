build2/release/tests/fuzz/serve.o: tests/fuzz/serve.c \
 compiler/command/command.h compiler/command/session.h \
 compiler/base/arena.h compiler/base/diag.h compiler/base/source.h \
 compiler/base/diag.def compiler/base/intern.h compiler/base/sha256.h \
 compiler/base/vec.h compiler/command/options.h compiler/base/buf.h \
 compiler/base/diag_out.h compiler/command/command.def \
 compiler/command/option.def compiler/pass/pass.h compiler/base/loader.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/pass/pass.def \
 compiler/command/exit.def compiler/command/crash.h \
 compiler/command/file.h compiler/command/program.h \
 compiler/command/output.h compiler/emit/c_project.h \
 compiler/emit/endpoint.h compiler/emit/beside.h \
 compiler/emit/site_table.h compiler/emit/type_table.h \
 compiler/emit/cost.h
compiler/command/command.h:
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
compiler/command/crash.h:
compiler/command/file.h:
compiler/command/program.h:
compiler/command/output.h:
compiler/emit/c_project.h:
compiler/emit/endpoint.h:
compiler/emit/beside.h:
compiler/emit/site_table.h:
compiler/emit/type_table.h:
compiler/emit/cost.h:
