build2/release/runtime/c/machine.o: runtime/c/machine.c \
 runtime/c/machine.h runtime/c/buffer.h runtime/c/frame.h \
 runtime/c/link.h runtime/c/fifo.h runtime/c/slots.h
runtime/c/machine.h:
runtime/c/buffer.h:
runtime/c/frame.h:
runtime/c/link.h:
runtime/c/fifo.h:
runtime/c/slots.h:
