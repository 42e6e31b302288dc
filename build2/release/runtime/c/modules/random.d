build2/release/runtime/c/modules/random.o: runtime/c/modules/random.c \
 runtime/c/modules/random.h runtime/c/modules/../builtins/number.h \
 runtime/c/modules/../builtins/generated.h \
 runtime/c/modules/../builtins/object.h \
 runtime/c/modules/../builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/modules/../builtins/exceptions.def \
 runtime/c/table.h runtime/c/value.h runtime/c/modules/../builtins/big.h \
 runtime/c/modules/../builtins/number.h \
 runtime/c/modules/../builtins/bytes.h \
 runtime/c/modules/../builtins/str.h \
 runtime/c/modules/../builtins/process.h \
 runtime/c/modules/../builtins/../pychoral.h \
 runtime/c/modules/../builtins/../fault.h \
 runtime/c/modules/../builtins/../value.h \
 runtime/c/modules/../builtins/unicode.h
runtime/c/modules/random.h:
runtime/c/modules/../builtins/number.h:
runtime/c/modules/../builtins/generated.h:
runtime/c/modules/../builtins/object.h:
runtime/c/modules/../builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/modules/../builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/modules/../builtins/big.h:
runtime/c/modules/../builtins/number.h:
runtime/c/modules/../builtins/bytes.h:
runtime/c/modules/../builtins/str.h:
runtime/c/modules/../builtins/process.h:
runtime/c/modules/../builtins/../pychoral.h:
runtime/c/modules/../builtins/../fault.h:
runtime/c/modules/../builtins/../value.h:
runtime/c/modules/../builtins/unicode.h:
