build2/release/runtime/c/greeting.o: runtime/c/greeting.c \
 runtime/c/link.h runtime/c/fifo.h runtime/c/machine.h runtime/c/buffer.h \
 runtime/c/frame.h runtime/c/slots.h
runtime/c/link.h:
runtime/c/fifo.h:
runtime/c/machine.h:
runtime/c/buffer.h:
runtime/c/frame.h:
runtime/c/slots.h:
