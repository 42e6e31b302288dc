build2/release/compiler/front/decode.o: compiler/front/decode.c \
 compiler/front/front.h compiler/base/arena.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/edit.h \
 compiler/base/vec.h compiler/base/intern.h compiler/front/token.h \
 compiler/ir/ir_base.h compiler/base/buf.h build2/gen/ir_gen.h \
 compiler/front/unicode.h compiler/front/encodings.def
compiler/front/front.h:
compiler/base/arena.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/edit.h:
compiler/base/vec.h:
compiler/base/intern.h:
compiler/front/token.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
build2/gen/ir_gen.h:
compiler/front/unicode.h:
compiler/front/encodings.def:
