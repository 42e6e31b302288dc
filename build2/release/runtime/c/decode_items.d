build2/release/runtime/c/decode_items.o: runtime/c/decode_items.c \
 runtime/c/crowd.h runtime/c/plain.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/wire.h runtime/c/table.h runtime/c/cycles.h runtime/c/reader.h
runtime/c/crowd.h:
runtime/c/plain.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/cycles.h:
runtime/c/reader.h:
