build2/release/compiler/base/suggest.o: compiler/base/suggest.c \
 compiler/base/suggest.h
compiler/base/suggest.h:
