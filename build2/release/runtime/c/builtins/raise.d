build2/release/runtime/c/builtins/raise.o: runtime/c/builtins/raise.c \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/builtins/../utf8.h \
 runtime/c/builtins/number.h runtime/c/builtins/generated.h \
 runtime/c/builtins/object.h runtime/c/table.h runtime/c/value.h \
 runtime/c/builtins/textio.h
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/../utf8.h:
runtime/c/builtins/number.h:
runtime/c/builtins/generated.h:
runtime/c/builtins/object.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/textio.h:
