build2/release/compiler/command/file.o: compiler/command/file.c \
 compiler/command/file.h compiler/base/arena.h compiler/base/source.h \
 compiler/base/vec.h
compiler/command/file.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/vec.h:
