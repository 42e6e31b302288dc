build2/release/compiler/front/unicode.o: compiler/front/unicode.c \
 compiler/front/unicode.h compiler/base/arena.h compiler/base/source.h \
 compiler/front/unicode_tables.h
compiler/front/unicode.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/front/unicode_tables.h:
