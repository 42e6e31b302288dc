build2/release/compiler/base/source.o: compiler/base/source.c \
 compiler/base/source.h compiler/base/arena.h compiler/base/vec.h
compiler/base/source.h:
compiler/base/arena.h:
compiler/base/vec.h:
