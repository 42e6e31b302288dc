build2/release/compiler/emit/pytext.o: compiler/emit/pytext.c \
 compiler/emit/pytext.h compiler/ir/ir_base.h compiler/base/arena.h \
 compiler/base/buf.h compiler/base/intern.h compiler/base/source.h \
 compiler/base/vec.h
compiler/emit/pytext.h:
compiler/ir/ir_base.h:
compiler/base/arena.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
