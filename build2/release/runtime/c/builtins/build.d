build2/release/runtime/c/builtins/build.o: runtime/c/builtins/build.c \
 runtime/c/builtins/build.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/raise.h runtime/c/builtins/exceptions.def
runtime/c/builtins/build.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/raise.h:
runtime/c/builtins/exceptions.def:
