build2/release/runtime/c/builtins/brief.o: runtime/c/builtins/brief.c \
 runtime/c/builtins/brief.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/builtins/build.h \
 runtime/c/builtins/bytes.h runtime/c/builtins/str.h runtime/c/table.h \
 runtime/c/value.h runtime/c/builtins/items.h runtime/c/plain.h \
 runtime/c/wire.h runtime/c/table.h runtime/c/builtins/number.h \
 runtime/c/builtins/generated.h
runtime/c/builtins/brief.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/build.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/str.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/items.h:
runtime/c/plain.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/builtins/number.h:
runtime/c/builtins/generated.h:
