build2/release/runtime/c/socket.o: runtime/c/socket.c runtime/c/socket.h \
 runtime/c/buffer.h runtime/c/fault.h runtime/c/strangers.h \
 runtime/c/descriptor.h runtime/c/zap.h runtime/c/manifest.h
runtime/c/socket.h:
runtime/c/buffer.h:
runtime/c/fault.h:
runtime/c/strangers.h:
runtime/c/descriptor.h:
runtime/c/zap.h:
runtime/c/manifest.h:
