build2/release/compiler/front/build_string.o: \
 compiler/front/build_string.c compiler/front/build.h \
 compiler/base/diag.h compiler/base/arena.h compiler/base/source.h \
 compiler/base/diag.def compiler/front/token.h compiler/base/intern.h \
 compiler/ir/ir_base.h compiler/base/buf.h compiler/base/vec.h \
 build2/gen/ir_gen.h build2/gen/parser.h
compiler/front/build.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/front/token.h:
compiler/base/intern.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/vec.h:
build2/gen/ir_gen.h:
build2/gen/parser.h:
