build2/release/compiler/emit/view_svg.o: compiler/emit/view_svg.c \
 compiler/base/vec.h compiler/base/arena.h compiler/emit/view.h \
 compiler/base/buf.h build2/gen/ir_gen.h compiler/ir/ir_base.h \
 compiler/base/intern.h compiler/base/source.h
compiler/base/vec.h:
compiler/base/arena.h:
compiler/emit/view.h:
compiler/base/buf.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/source.h:
