build2/release/runtime/c/modules/random_items.o: \
 runtime/c/modules/random_items.c runtime/c/modules/../builtins/bytes.h \
 runtime/c/modules/../builtins/str.h \
 runtime/c/modules/../builtins/object.h \
 runtime/c/modules/../builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/modules/../builtins/exceptions.def \
 runtime/c/table.h runtime/c/value.h \
 runtime/c/modules/../builtins/items.h runtime/c/plain.h runtime/c/wire.h \
 runtime/c/table.h runtime/c/modules/../builtins/iterating.h \
 runtime/c/modules/../builtins/range.h \
 runtime/c/modules/../builtins/str.h runtime/c/modules/random.h \
 runtime/c/modules/../builtins/number.h \
 runtime/c/modules/../builtins/generated.h
runtime/c/modules/../builtins/bytes.h:
runtime/c/modules/../builtins/str.h:
runtime/c/modules/../builtins/object.h:
runtime/c/modules/../builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/modules/../builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/modules/../builtins/items.h:
runtime/c/plain.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/modules/../builtins/iterating.h:
runtime/c/modules/../builtins/range.h:
runtime/c/modules/../builtins/str.h:
runtime/c/modules/random.h:
runtime/c/modules/../builtins/number.h:
runtime/c/modules/../builtins/generated.h:
