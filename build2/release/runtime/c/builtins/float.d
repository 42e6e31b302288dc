build2/release/runtime/c/builtins/float.o: runtime/c/builtins/float.c \
 runtime/c/builtins/big.h runtime/c/builtins/number.h \
 runtime/c/builtins/generated.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/table.h runtime/c/value.h \
 runtime/c/builtins/float_repr.h runtime/c/builtins/str.h
runtime/c/builtins/big.h:
runtime/c/builtins/number.h:
runtime/c/builtins/generated.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/float_repr.h:
runtime/c/builtins/str.h:
