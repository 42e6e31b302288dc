build2/release/runtime/c/crowd.o: runtime/c/crowd.c runtime/c/crowd.h \
 runtime/c/plain.h runtime/c/value.h runtime/c/buffer.h runtime/c/wire.h \
 runtime/c/table.h runtime/c/builtins/call.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h \
 runtime/c/builtins/exceptions.def
runtime/c/crowd.h:
runtime/c/plain.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/builtins/call.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/builtins/exceptions.def:
