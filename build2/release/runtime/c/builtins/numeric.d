build2/release/runtime/c/builtins/numeric.o: runtime/c/builtins/numeric.c \
 runtime/c/builtins/numeric.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/builtins/../plain.h \
 runtime/c/builtins/../value.h runtime/c/builtins/../wire.h \
 runtime/c/builtins/../table.h runtime/c/builtins/bytes.h \
 runtime/c/builtins/str.h runtime/c/table.h runtime/c/builtins/call.h \
 runtime/c/builtins/number.h runtime/c/builtins/generated.h
runtime/c/builtins/numeric.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/../plain.h:
runtime/c/builtins/../value.h:
runtime/c/builtins/../wire.h:
runtime/c/builtins/../table.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/str.h:
runtime/c/table.h:
runtime/c/builtins/call.h:
runtime/c/builtins/number.h:
runtime/c/builtins/generated.h:
