build2/release/runtime/c/builtins/convert.o: runtime/c/builtins/convert.c \
 runtime/c/builtins/call.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/builtins/items.h \
 runtime/c/plain.h runtime/c/value.h runtime/c/wire.h runtime/c/table.h \
 runtime/c/table.h runtime/c/builtins/tables.h
runtime/c/builtins/call.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/items.h:
runtime/c/plain.h:
runtime/c/value.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/table.h:
runtime/c/builtins/tables.h:
