build2/release/runtime/c/table.o: runtime/c/table.c runtime/c/table.h \
 runtime/c/value.h runtime/c/buffer.h runtime/c/builtins/raise.h \
 runtime/c/value.h runtime/c/builtins/exceptions.def runtime/c/foresee.h \
 runtime/c/wire.h
runtime/c/table.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/builtins/exceptions.def:
runtime/c/foresee.h:
runtime/c/wire.h:
