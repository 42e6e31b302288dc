build2/release/gen/unicode_tables.o: build2/gen/unicode_tables.c \
 compiler/front/unicode_tables.h
compiler/front/unicode_tables.h:
