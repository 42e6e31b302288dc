build2/release/runtime/c/fifo.o: runtime/c/fifo.c runtime/c/fifo.h
runtime/c/fifo.h:
