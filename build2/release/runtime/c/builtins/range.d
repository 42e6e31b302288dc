build2/release/runtime/c/builtins/range.o: runtime/c/builtins/range.c \
 runtime/c/builtins/range.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/builtins/iterating.h \
 runtime/c/plain.h runtime/c/value.h runtime/c/wire.h runtime/c/table.h
runtime/c/builtins/range.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/iterating.h:
runtime/c/plain.h:
runtime/c/value.h:
runtime/c/wire.h:
runtime/c/table.h:
