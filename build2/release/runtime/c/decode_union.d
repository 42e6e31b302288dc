build2/release/runtime/c/decode_union.o: runtime/c/decode_union.c \
 runtime/c/reader.h runtime/c/wire.h runtime/c/table.h runtime/c/value.h \
 runtime/c/buffer.h
runtime/c/reader.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/buffer.h:
