build2/release/runtime/c/frame.o: runtime/c/frame.c runtime/c/frame.h \
 runtime/c/buffer.h
runtime/c/frame.h:
runtime/c/buffer.h:
