build2/release/runtime/c/builtins/sets.o: runtime/c/builtins/sets.c \
 runtime/c/builtins/set.h runtime/c/builtins/dict.h \
 runtime/c/builtins/format.h runtime/c/builtins/bytes.h \
 runtime/c/builtins/str.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/table.h runtime/c/value.h \
 runtime/c/builtins/items.h runtime/c/plain.h runtime/c/wire.h \
 runtime/c/table.h runtime/c/builtins/iterating.h \
 runtime/c/builtins/tables.h
runtime/c/builtins/set.h:
runtime/c/builtins/dict.h:
runtime/c/builtins/format.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/str.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/items.h:
runtime/c/plain.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/builtins/iterating.h:
runtime/c/builtins/tables.h:
