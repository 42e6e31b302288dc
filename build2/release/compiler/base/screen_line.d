build2/release/compiler/base/screen_line.o: compiler/base/screen_line.c \
 compiler/base/screen_line.h compiler/base/arena.h compiler/base/source.h \
 compiler/base/buf.h
compiler/base/screen_line.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/buf.h:
