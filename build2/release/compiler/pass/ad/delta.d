build2/release/compiler/pass/ad/delta.o: compiler/pass/ad/delta.c \
 compiler/pass/ad/delta.h compiler/pass/ad/elementwise.h \
 compiler/pass/ad/partial.h compiler/base/intern.h compiler/base/arena.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/buf.h \
 compiler/base/source.h compiler/base/vec.h compiler/pass/ad/term.h \
 compiler/pass/ad/size.h compiler/base/table.h compiler/emit/python.h
compiler/pass/ad/delta.h:
compiler/pass/ad/elementwise.h:
compiler/pass/ad/partial.h:
compiler/base/intern.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/pass/ad/term.h:
compiler/pass/ad/size.h:
compiler/base/table.h:
compiler/emit/python.h:
