build2/release/runtime/c/builtins/binaryio.o: \
 runtime/c/builtins/binaryio.c runtime/c/builtins/binaryio.h \
 runtime/c/builtins/textio.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/builtins/build.h \
 runtime/c/builtins/generated.h runtime/c/table.h runtime/c/value.h
runtime/c/builtins/binaryio.h:
runtime/c/builtins/textio.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/build.h:
runtime/c/builtins/generated.h:
runtime/c/table.h:
runtime/c/value.h:
