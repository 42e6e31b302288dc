build2/release/runtime/c/modules/deque.o: runtime/c/modules/deque.c \
 runtime/c/modules/deque.h runtime/c/modules/../builtins/list.h \
 runtime/c/modules/../builtins/object.h \
 runtime/c/modules/../builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/modules/../builtins/exceptions.def \
 runtime/c/modules/../builtins/build.h \
 runtime/c/modules/../builtins/cells.h \
 runtime/c/modules/../builtins/several.h \
 runtime/c/modules/../builtins/iterating.h \
 runtime/c/modules/../builtins/copying.h \
 runtime/c/modules/../builtins/items.h runtime/c/plain.h \
 runtime/c/value.h runtime/c/wire.h runtime/c/table.h \
 runtime/c/modules/../builtins/number.h \
 runtime/c/modules/../builtins/generated.h runtime/c/table.h \
 runtime/c/modules/../builtins/several.h \
 runtime/c/modules/../builtins/str.h
runtime/c/modules/deque.h:
runtime/c/modules/../builtins/list.h:
runtime/c/modules/../builtins/object.h:
runtime/c/modules/../builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/modules/../builtins/exceptions.def:
runtime/c/modules/../builtins/build.h:
runtime/c/modules/../builtins/cells.h:
runtime/c/modules/../builtins/several.h:
runtime/c/modules/../builtins/iterating.h:
runtime/c/modules/../builtins/copying.h:
runtime/c/modules/../builtins/items.h:
runtime/c/plain.h:
runtime/c/value.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/modules/../builtins/number.h:
runtime/c/modules/../builtins/generated.h:
runtime/c/table.h:
runtime/c/modules/../builtins/several.h:
runtime/c/modules/../builtins/str.h:
