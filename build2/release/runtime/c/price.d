build2/release/runtime/c/price.o: runtime/c/price.c runtime/c/price.h \
 runtime/c/buffer.h runtime/c/wire.h runtime/c/table.h runtime/c/value.h
runtime/c/price.h:
runtime/c/buffer.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/value.h:
