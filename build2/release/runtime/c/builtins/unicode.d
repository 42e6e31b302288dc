build2/release/runtime/c/builtins/unicode.o: runtime/c/builtins/unicode.c \
 runtime/c/builtins/unicode.h runtime/c/builtins/unicode_tables.inc
runtime/c/builtins/unicode.h:
runtime/c/builtins/unicode_tables.inc:
