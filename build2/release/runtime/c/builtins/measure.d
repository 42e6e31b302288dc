build2/release/runtime/c/builtins/measure.o: runtime/c/builtins/measure.c \
 runtime/c/builtins/call.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/builtins/dict.h \
 runtime/c/builtins/format.h runtime/c/builtins/bytes.h \
 runtime/c/builtins/str.h runtime/c/table.h runtime/c/value.h \
 runtime/c/crowd.h runtime/c/plain.h runtime/c/wire.h runtime/c/table.h \
 runtime/c/builtins/items.h runtime/c/plain.h runtime/c/builtins/range.h
runtime/c/builtins/call.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/dict.h:
runtime/c/builtins/format.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/str.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/crowd.h:
runtime/c/plain.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/builtins/items.h:
runtime/c/plain.h:
runtime/c/builtins/range.h:
