build2/release/runtime/c/report.o: runtime/c/report.c runtime/c/json.h \
 runtime/c/fault.h runtime/c/lines.h runtime/c/role.h runtime/c/codec.h \
 runtime/c/value.h runtime/c/buffer.h runtime/c/descriptor.h \
 runtime/c/deployment.h runtime/c/lock.h runtime/c/machine.h \
 runtime/c/frame.h runtime/c/options.h runtime/c/manifest.h \
 runtime/c/pychoral.h runtime/c/socket.h runtime/c/strangers.h \
 runtime/c/zap.h runtime/c/sha256.h
runtime/c/json.h:
runtime/c/fault.h:
runtime/c/lines.h:
runtime/c/role.h:
runtime/c/codec.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/descriptor.h:
runtime/c/deployment.h:
runtime/c/lock.h:
runtime/c/machine.h:
runtime/c/frame.h:
runtime/c/options.h:
runtime/c/manifest.h:
runtime/c/pychoral.h:
runtime/c/socket.h:
runtime/c/strangers.h:
runtime/c/zap.h:
runtime/c/sha256.h:
