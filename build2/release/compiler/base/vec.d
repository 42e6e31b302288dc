build2/release/compiler/base/vec.o: compiler/base/vec.c \
 compiler/base/vec.h compiler/base/arena.h
compiler/base/vec.h:
compiler/base/arena.h:
