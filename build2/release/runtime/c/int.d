build2/release/runtime/c/int.o: runtime/c/int.c runtime/c/value.h \
 runtime/c/buffer.h runtime/c/wire.h runtime/c/table.h
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/wire.h:
runtime/c/table.h:
