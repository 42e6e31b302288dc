build2/release/compiler/emit/view_mermaid.o: compiler/emit/view_mermaid.c \
 compiler/emit/view.h compiler/base/buf.h compiler/base/arena.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/intern.h \
 compiler/base/source.h compiler/base/vec.h
compiler/emit/view.h:
compiler/base/buf.h:
compiler/base/arena.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
