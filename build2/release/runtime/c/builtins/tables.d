build2/release/runtime/c/builtins/tables.o: runtime/c/builtins/tables.c \
 runtime/c/builtins/tables.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/table.h runtime/c/value.h \
 runtime/c/builtins/call.h runtime/c/builtins/items.h runtime/c/plain.h \
 runtime/c/wire.h runtime/c/table.h
runtime/c/builtins/tables.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/call.h:
runtime/c/builtins/items.h:
runtime/c/plain.h:
runtime/c/wire.h:
runtime/c/table.h:
