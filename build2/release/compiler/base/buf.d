build2/release/compiler/base/buf.o: compiler/base/buf.c \
 compiler/base/buf.h compiler/base/arena.h
compiler/base/buf.h:
compiler/base/arena.h:
