build2/release/compiler/pass/ad/slice.o: compiler/pass/ad/slice.c \
 compiler/pass/ad/slice.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/arena.h compiler/base/buf.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h compiler/base/table.h \
 compiler/ir/free_names.h
compiler/pass/ad/slice.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/base/table.h:
compiler/ir/free_names.h:
