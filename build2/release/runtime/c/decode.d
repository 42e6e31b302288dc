build2/release/runtime/c/decode.o: runtime/c/decode.c runtime/c/codec.h \
 runtime/c/fault.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/reader.h runtime/c/wire.h runtime/c/table.h runtime/c/utf8.h
runtime/c/codec.h:
runtime/c/fault.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/reader.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/utf8.h:
