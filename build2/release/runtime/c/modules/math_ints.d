build2/release/runtime/c/modules/math_ints.o: \
 runtime/c/modules/math_ints.c runtime/c/modules/../builtins/big.h \
 runtime/c/modules/../builtins/number.h \
 runtime/c/modules/../builtins/generated.h \
 runtime/c/modules/../builtins/object.h \
 runtime/c/modules/../builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/modules/../builtins/exceptions.def \
 runtime/c/table.h runtime/c/value.h runtime/c/modules/math.h \
 runtime/c/modules/../builtins/number.h
runtime/c/modules/../builtins/big.h:
runtime/c/modules/../builtins/number.h:
runtime/c/modules/../builtins/generated.h:
runtime/c/modules/../builtins/object.h:
runtime/c/modules/../builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/modules/../builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/modules/math.h:
runtime/c/modules/../builtins/number.h:
