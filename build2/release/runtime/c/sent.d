build2/release/runtime/c/sent.o: runtime/c/sent.c runtime/c/sent.h \
 runtime/c/machine.h runtime/c/buffer.h runtime/c/frame.h
runtime/c/sent.h:
runtime/c/machine.h:
runtime/c/buffer.h:
runtime/c/frame.h:
