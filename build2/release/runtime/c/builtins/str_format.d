build2/release/runtime/c/builtins/str_format.o: \
 runtime/c/builtins/str_format.c runtime/c/builtins/call.h \
 runtime/c/builtins/object.h runtime/c/builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/builtins/exceptions.def \
 runtime/c/builtins/dict.h runtime/c/builtins/format.h \
 runtime/c/builtins/bytes.h runtime/c/builtins/str.h runtime/c/table.h \
 runtime/c/value.h runtime/c/builtins/format_parts.h \
 runtime/c/builtins/text.h runtime/c/builtins/generated.h \
 runtime/c/builtins/out.h runtime/c/builtins/unicode.h
runtime/c/builtins/call.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/dict.h:
runtime/c/builtins/format.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/str.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/format_parts.h:
runtime/c/builtins/text.h:
runtime/c/builtins/generated.h:
runtime/c/builtins/out.h:
runtime/c/builtins/unicode.h:
