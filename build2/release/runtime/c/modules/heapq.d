build2/release/runtime/c/modules/heapq.o: runtime/c/modules/heapq.c \
 runtime/c/modules/heapq.h runtime/c/modules/../builtins/list.h \
 runtime/c/modules/../builtins/object.h \
 runtime/c/modules/../builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/modules/../builtins/exceptions.def \
 runtime/c/modules/../builtins/items.h runtime/c/plain.h \
 runtime/c/value.h runtime/c/wire.h runtime/c/table.h \
 runtime/c/modules/../builtins/several.h \
 runtime/c/modules/../builtins/iterating.h
runtime/c/modules/heapq.h:
runtime/c/modules/../builtins/list.h:
runtime/c/modules/../builtins/object.h:
runtime/c/modules/../builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/modules/../builtins/exceptions.def:
runtime/c/modules/../builtins/items.h:
runtime/c/plain.h:
runtime/c/value.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/modules/../builtins/several.h:
runtime/c/modules/../builtins/iterating.h:
