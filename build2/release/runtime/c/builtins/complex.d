build2/release/runtime/c/builtins/complex.o: runtime/c/builtins/complex.c \
 runtime/c/builtins/number.h runtime/c/builtins/generated.h \
 runtime/c/builtins/object.h runtime/c/builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/builtins/exceptions.def runtime/c/table.h \
 runtime/c/value.h
runtime/c/builtins/number.h:
runtime/c/builtins/generated.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
