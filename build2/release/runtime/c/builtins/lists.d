build2/release/runtime/c/builtins/lists.o: runtime/c/builtins/lists.c \
 runtime/c/builtins/call.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/builtins/items.h \
 runtime/c/plain.h runtime/c/value.h runtime/c/wire.h runtime/c/table.h \
 runtime/c/builtins/iterating.h runtime/c/builtins/list.h \
 runtime/c/wire.h
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
runtime/c/builtins/iterating.h:
runtime/c/builtins/list.h:
runtime/c/wire.h:
