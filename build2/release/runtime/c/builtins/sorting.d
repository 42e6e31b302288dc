build2/release/runtime/c/builtins/sorting.o: runtime/c/builtins/sorting.c \
 runtime/c/builtins/items.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/plain.h runtime/c/value.h \
 runtime/c/wire.h runtime/c/table.h runtime/c/builtins/list.h \
 runtime/c/builtins/str.h runtime/c/table.h \
 runtime/c/builtins/merging.inc
runtime/c/builtins/items.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/plain.h:
runtime/c/value.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/builtins/list.h:
runtime/c/builtins/str.h:
runtime/c/table.h:
runtime/c/builtins/merging.inc:
