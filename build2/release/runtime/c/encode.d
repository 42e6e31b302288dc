build2/release/runtime/c/encode.o: runtime/c/encode.c runtime/c/codec.h \
 runtime/c/fault.h runtime/c/value.h runtime/c/buffer.h runtime/c/crowd.h \
 runtime/c/plain.h runtime/c/wire.h runtime/c/table.h
runtime/c/codec.h:
runtime/c/fault.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/crowd.h:
runtime/c/plain.h:
runtime/c/wire.h:
runtime/c/table.h:
