build2/release/runtime/c/builtins/shape.o: runtime/c/builtins/shape.c \
 runtime/c/builtins/build.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/generated.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/builtins/exceptions.def \
 runtime/c/table.h runtime/c/value.h runtime/c/builtins/items.h \
 runtime/c/plain.h runtime/c/wire.h runtime/c/table.h \
 runtime/c/builtins/parameter.h runtime/c/builtins/../pychoral.h \
 runtime/c/builtins/../fault.h runtime/c/builtins/../value.h \
 runtime/c/builtins/str.h runtime/c/builtins/tables.h
runtime/c/builtins/build.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/generated.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/items.h:
runtime/c/plain.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/builtins/parameter.h:
runtime/c/builtins/../pychoral.h:
runtime/c/builtins/../fault.h:
runtime/c/builtins/../value.h:
runtime/c/builtins/str.h:
runtime/c/builtins/tables.h:
