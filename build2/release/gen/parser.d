build2/release/gen/parser.o: build2/gen/parser.c build2/gen/parser.h \
 compiler/base/source.h compiler/base/arena.h compiler/front/build.h \
 compiler/base/diag.h compiler/base/diag.def compiler/front/token.h \
 compiler/base/intern.h compiler/ir/ir_base.h compiler/base/buf.h \
 compiler/base/vec.h build2/gen/ir_gen.h compiler/front/syntax_error.h
build2/gen/parser.h:
compiler/base/source.h:
compiler/base/arena.h:
compiler/front/build.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/front/token.h:
compiler/base/intern.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/vec.h:
build2/gen/ir_gen.h:
compiler/front/syntax_error.h:
