build2/release/compiler/base/intern.o: compiler/base/intern.c \
 compiler/base/intern.h compiler/base/arena.h
compiler/base/intern.h:
compiler/base/arena.h:
