build2/release/compiler/base/table.o: compiler/base/table.c \
 compiler/base/table.h compiler/base/arena.h
compiler/base/table.h:
compiler/base/arena.h:
