build2/release/runtime/c/builtins/operate.o: runtime/c/builtins/operate.c \
 runtime/c/builtins/operate.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def \
 runtime/c/builtins/../modules/counter.h \
 runtime/c/builtins/../modules/../builtins/dict.h \
 runtime/c/builtins/../modules/../builtins/format.h \
 runtime/c/builtins/../modules/../builtins/bytes.h \
 runtime/c/builtins/../modules/../builtins/str.h \
 runtime/c/builtins/../modules/../builtins/object.h runtime/c/table.h \
 runtime/c/value.h runtime/c/builtins/../modules/../builtins/format.h \
 runtime/c/builtins/../modules/../builtins/operate.h \
 runtime/c/builtins/../plain.h runtime/c/builtins/../value.h \
 runtime/c/builtins/../wire.h runtime/c/builtins/../table.h \
 runtime/c/builtins/bytes.h runtime/c/builtins/call.h \
 runtime/c/builtins/dict.h runtime/c/builtins/format.h \
 runtime/c/builtins/items.h runtime/c/plain.h runtime/c/builtins/list.h \
 runtime/c/builtins/number.h runtime/c/builtins/generated.h \
 runtime/c/builtins/range.h runtime/c/builtins/set.h \
 runtime/c/builtins/str.h
runtime/c/builtins/operate.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/../modules/counter.h:
runtime/c/builtins/../modules/../builtins/dict.h:
runtime/c/builtins/../modules/../builtins/format.h:
runtime/c/builtins/../modules/../builtins/bytes.h:
runtime/c/builtins/../modules/../builtins/str.h:
runtime/c/builtins/../modules/../builtins/object.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/../modules/../builtins/format.h:
runtime/c/builtins/../modules/../builtins/operate.h:
runtime/c/builtins/../plain.h:
runtime/c/builtins/../value.h:
runtime/c/builtins/../wire.h:
runtime/c/builtins/../table.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/call.h:
runtime/c/builtins/dict.h:
runtime/c/builtins/format.h:
runtime/c/builtins/items.h:
runtime/c/plain.h:
runtime/c/builtins/list.h:
runtime/c/builtins/number.h:
runtime/c/builtins/generated.h:
runtime/c/builtins/range.h:
runtime/c/builtins/set.h:
runtime/c/builtins/str.h:
