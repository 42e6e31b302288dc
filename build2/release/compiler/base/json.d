build2/release/compiler/base/json.o: compiler/base/json.c \
 compiler/base/json.h compiler/base/buf.h compiler/base/arena.h \
 compiler/base/source.h
compiler/base/json.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/source.h:
