build2/release/runtime/c/builtins/iterators.o: \
 runtime/c/builtins/iterators.c runtime/c/builtins/iterators.h \
 runtime/c/builtins/dict.h runtime/c/builtins/format.h \
 runtime/c/builtins/bytes.h runtime/c/builtins/str.h \
 runtime/c/builtins/object.h runtime/c/builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/builtins/exceptions.def runtime/c/table.h \
 runtime/c/value.h runtime/c/builtins/iterating.h \
 runtime/c/builtins/call.h runtime/c/builtins/cells.h \
 runtime/c/builtins/several.h runtime/c/builtins/items.h \
 runtime/c/plain.h runtime/c/wire.h runtime/c/table.h \
 runtime/c/builtins/list.h runtime/c/builtins/number.h \
 runtime/c/builtins/generated.h runtime/c/builtins/range.h
runtime/c/builtins/iterators.h:
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
runtime/c/builtins/iterating.h:
runtime/c/builtins/call.h:
runtime/c/builtins/cells.h:
runtime/c/builtins/several.h:
runtime/c/builtins/items.h:
runtime/c/plain.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/builtins/list.h:
runtime/c/builtins/number.h:
runtime/c/builtins/generated.h:
runtime/c/builtins/range.h:
