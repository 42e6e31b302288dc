build2/release/runtime/c/builtins/records.o: runtime/c/builtins/records.c \
 runtime/c/builtins/records.h runtime/c/builtins/../table.h \
 runtime/c/builtins/../value.h runtime/c/builtins/../buffer.h \
 runtime/c/builtins/object.h runtime/c/builtins/raise.h runtime/c/value.h \
 runtime/c/builtins/exceptions.def runtime/c/builtins/copying.h \
 runtime/c/builtins/dict.h runtime/c/builtins/format.h \
 runtime/c/builtins/bytes.h runtime/c/builtins/str.h runtime/c/table.h \
 runtime/c/builtins/generated.h runtime/c/builtins/items.h \
 runtime/c/plain.h runtime/c/value.h runtime/c/wire.h runtime/c/table.h \
 runtime/c/builtins/list.h
runtime/c/builtins/records.h:
runtime/c/builtins/../table.h:
runtime/c/builtins/../value.h:
runtime/c/builtins/../buffer.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/copying.h:
runtime/c/builtins/dict.h:
runtime/c/builtins/format.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/str.h:
runtime/c/table.h:
runtime/c/builtins/generated.h:
runtime/c/builtins/items.h:
runtime/c/plain.h:
runtime/c/value.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/builtins/list.h:
