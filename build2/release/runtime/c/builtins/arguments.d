build2/release/runtime/c/builtins/arguments.o: \
 runtime/c/builtins/arguments.c runtime/c/builtins/arguments.h \
 runtime/c/builtins/object.h runtime/c/builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/builtins/exceptions.def runtime/c/table.h \
 runtime/c/value.h runtime/c/builtins/tables.h
runtime/c/builtins/arguments.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/tables.h:
