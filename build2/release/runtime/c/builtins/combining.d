build2/release/runtime/c/builtins/combining.o: \
 runtime/c/builtins/combining.c runtime/c/builtins/call.h \
 runtime/c/builtins/object.h runtime/c/builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/builtins/exceptions.def \
 runtime/c/builtins/cells.h runtime/c/builtins/several.h \
 runtime/c/builtins/iterating.h runtime/c/builtins/itertools.h \
 runtime/c/builtins/iterators.h runtime/c/builtins/dict.h \
 runtime/c/builtins/format.h runtime/c/builtins/bytes.h \
 runtime/c/builtins/str.h runtime/c/table.h runtime/c/value.h \
 runtime/c/builtins/list.h runtime/c/builtins/operate.h
runtime/c/builtins/call.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/cells.h:
runtime/c/builtins/several.h:
runtime/c/builtins/iterating.h:
runtime/c/builtins/itertools.h:
runtime/c/builtins/iterators.h:
runtime/c/builtins/dict.h:
runtime/c/builtins/format.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/str.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/list.h:
runtime/c/builtins/operate.h:
