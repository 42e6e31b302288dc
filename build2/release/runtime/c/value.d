build2/release/runtime/c/value.o: runtime/c/value.c runtime/c/value.h \
 runtime/c/buffer.h runtime/c/cycles.h runtime/c/table.h runtime/c/utf8.h \
 runtime/c/wire.h
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/cycles.h:
runtime/c/table.h:
runtime/c/utf8.h:
runtime/c/wire.h:
