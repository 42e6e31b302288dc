build2/release/runtime/c/buffer.o: runtime/c/buffer.c runtime/c/buffer.h
runtime/c/buffer.h:
