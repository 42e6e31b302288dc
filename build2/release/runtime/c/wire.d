build2/release/runtime/c/wire.o: runtime/c/wire.c runtime/c/wire.h \
 runtime/c/table.h runtime/c/value.h runtime/c/buffer.h
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/buffer.h:
