build2/release/compiler/base/diff.o: compiler/base/diff.c \
 compiler/base/diff.h compiler/base/buf.h compiler/base/arena.h \
 compiler/base/source.h compiler/base/vec.h
compiler/base/diff.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/vec.h:
