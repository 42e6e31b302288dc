build2/release/runtime/c/builtins/big_bits.o: \
 runtime/c/builtins/big_bits.c runtime/c/builtins/big.h \
 runtime/c/builtins/number.h runtime/c/builtins/generated.h \
 runtime/c/builtins/object.h runtime/c/builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/builtins/exceptions.def runtime/c/table.h \
 runtime/c/value.h
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
