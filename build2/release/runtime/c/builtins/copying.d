build2/release/runtime/c/builtins/copying.o: runtime/c/builtins/copying.c \
 runtime/c/builtins/copying.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/builtins/call.h \
 runtime/c/builtins/dict.h runtime/c/builtins/format.h \
 runtime/c/builtins/bytes.h runtime/c/builtins/str.h runtime/c/table.h \
 runtime/c/value.h runtime/c/builtins/items.h runtime/c/plain.h \
 runtime/c/wire.h runtime/c/table.h runtime/c/builtins/list.h \
 runtime/c/builtins/several.h runtime/c/builtins/iterating.h \
 runtime/c/builtins/tables.h
runtime/c/builtins/copying.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/call.h:
runtime/c/builtins/dict.h:
runtime/c/builtins/format.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/str.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/items.h:
runtime/c/plain.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/builtins/list.h:
runtime/c/builtins/several.h:
runtime/c/builtins/iterating.h:
runtime/c/builtins/tables.h:
