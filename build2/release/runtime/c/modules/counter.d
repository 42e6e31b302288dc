build2/release/runtime/c/modules/counter.o: runtime/c/modules/counter.c \
 runtime/c/modules/counter.h runtime/c/modules/../builtins/dict.h \
 runtime/c/modules/../builtins/format.h \
 runtime/c/modules/../builtins/bytes.h \
 runtime/c/modules/../builtins/str.h \
 runtime/c/modules/../builtins/object.h \
 runtime/c/modules/../builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/modules/../builtins/exceptions.def \
 runtime/c/table.h runtime/c/value.h \
 runtime/c/modules/../builtins/format.h \
 runtime/c/modules/../builtins/operate.h \
 runtime/c/modules/../builtins/cells.h \
 runtime/c/modules/../builtins/several.h \
 runtime/c/modules/../builtins/iterating.h \
 runtime/c/modules/../builtins/items.h runtime/c/plain.h runtime/c/wire.h \
 runtime/c/table.h runtime/c/modules/../builtins/list.h \
 runtime/c/modules/../builtins/number.h \
 runtime/c/modules/../builtins/generated.h \
 runtime/c/modules/../builtins/tables.h
runtime/c/modules/counter.h:
runtime/c/modules/../builtins/dict.h:
runtime/c/modules/../builtins/format.h:
runtime/c/modules/../builtins/bytes.h:
runtime/c/modules/../builtins/str.h:
runtime/c/modules/../builtins/object.h:
runtime/c/modules/../builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/modules/../builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/modules/../builtins/format.h:
runtime/c/modules/../builtins/operate.h:
runtime/c/modules/../builtins/cells.h:
runtime/c/modules/../builtins/several.h:
runtime/c/modules/../builtins/iterating.h:
runtime/c/modules/../builtins/items.h:
runtime/c/plain.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/modules/../builtins/list.h:
runtime/c/modules/../builtins/number.h:
runtime/c/modules/../builtins/generated.h:
runtime/c/modules/../builtins/tables.h:
