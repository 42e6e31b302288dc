build2/release/runtime/c/builtins/str_repr.o: \
 runtime/c/builtins/str_repr.c runtime/c/builtins/bytes.h \
 runtime/c/builtins/str.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/table.h runtime/c/value.h \
 runtime/c/builtins/text.h runtime/c/builtins/generated.h \
 runtime/c/builtins/out.h runtime/c/builtins/unicode.h
runtime/c/builtins/bytes.h:
runtime/c/builtins/str.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/text.h:
runtime/c/builtins/generated.h:
runtime/c/builtins/out.h:
runtime/c/builtins/unicode.h:
