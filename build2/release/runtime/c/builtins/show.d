build2/release/runtime/c/builtins/show.o: runtime/c/builtins/show.c \
 runtime/c/builtins/../modules/counter.h \
 runtime/c/builtins/../modules/../builtins/dict.h \
 runtime/c/builtins/../modules/../builtins/format.h \
 runtime/c/builtins/../modules/../builtins/bytes.h \
 runtime/c/builtins/../modules/../builtins/str.h \
 runtime/c/builtins/../modules/../builtins/object.h \
 runtime/c/builtins/../modules/../builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h \
 runtime/c/builtins/../modules/../builtins/exceptions.def \
 runtime/c/table.h runtime/c/value.h \
 runtime/c/builtins/../modules/../builtins/format.h \
 runtime/c/builtins/../modules/../builtins/operate.h \
 runtime/c/builtins/build.h runtime/c/builtins/bytes.h \
 runtime/c/builtins/call.h runtime/c/builtins/object.h \
 runtime/c/builtins/dict.h runtime/c/builtins/float_repr.h \
 runtime/c/builtins/str.h runtime/c/builtins/format.h \
 runtime/c/builtins/items.h runtime/c/plain.h runtime/c/wire.h \
 runtime/c/table.h runtime/c/builtins/iterating.h \
 runtime/c/builtins/list.h runtime/c/builtins/number.h \
 runtime/c/builtins/generated.h
runtime/c/builtins/../modules/counter.h:
runtime/c/builtins/../modules/../builtins/dict.h:
runtime/c/builtins/../modules/../builtins/format.h:
runtime/c/builtins/../modules/../builtins/bytes.h:
runtime/c/builtins/../modules/../builtins/str.h:
runtime/c/builtins/../modules/../builtins/object.h:
runtime/c/builtins/../modules/../builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/../modules/../builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/../modules/../builtins/format.h:
runtime/c/builtins/../modules/../builtins/operate.h:
runtime/c/builtins/build.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/call.h:
runtime/c/builtins/object.h:
runtime/c/builtins/dict.h:
runtime/c/builtins/float_repr.h:
runtime/c/builtins/str.h:
runtime/c/builtins/format.h:
runtime/c/builtins/items.h:
runtime/c/plain.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/builtins/iterating.h:
runtime/c/builtins/list.h:
runtime/c/builtins/number.h:
runtime/c/builtins/generated.h:
