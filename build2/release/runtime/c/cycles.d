build2/release/runtime/c/cycles.o: runtime/c/cycles.c runtime/c/cycles.h \
 runtime/c/value.h runtime/c/buffer.h runtime/c/table.h
runtime/c/cycles.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/table.h:
