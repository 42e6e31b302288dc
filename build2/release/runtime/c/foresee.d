build2/release/runtime/c/foresee.o: runtime/c/foresee.c \
 runtime/c/foresee.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/call.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h \
 runtime/c/builtins/exceptions.def runtime/c/crowd.h runtime/c/plain.h \
 runtime/c/wire.h runtime/c/table.h
runtime/c/foresee.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/call.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/builtins/exceptions.def:
runtime/c/crowd.h:
runtime/c/plain.h:
runtime/c/wire.h:
runtime/c/table.h:
