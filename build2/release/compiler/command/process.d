build2/release/compiler/command/process.o: compiler/command/process.c \
 compiler/command/process.h compiler/base/arena.h compiler/base/source.h \
 compiler/base/buf.h
compiler/command/process.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/buf.h:
