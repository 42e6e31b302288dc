build2/release/runtime/c/outbox.o: runtime/c/outbox.c runtime/c/link.h \
 runtime/c/fifo.h runtime/c/machine.h runtime/c/buffer.h \
 runtime/c/frame.h runtime/c/slots.h
runtime/c/link.h:
runtime/c/fifo.h:
runtime/c/machine.h:
runtime/c/buffer.h:
runtime/c/frame.h:
runtime/c/slots.h:
