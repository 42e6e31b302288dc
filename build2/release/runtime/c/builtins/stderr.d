build2/release/runtime/c/builtins/stderr.o: runtime/c/builtins/stderr.c \
 runtime/c/builtins/stderr.h
runtime/c/builtins/stderr.h:
