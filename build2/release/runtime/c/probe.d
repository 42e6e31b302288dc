build2/release/runtime/c/probe.o: runtime/c/probe.c runtime/c/probe.h \
 runtime/c/role.h runtime/c/codec.h runtime/c/fault.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/descriptor.h runtime/c/deployment.h \
 runtime/c/lock.h runtime/c/machine.h runtime/c/frame.h \
 runtime/c/options.h runtime/c/json.h runtime/c/manifest.h \
 runtime/c/pychoral.h runtime/c/socket.h runtime/c/strangers.h \
 runtime/c/zap.h
runtime/c/probe.h:
runtime/c/role.h:
runtime/c/codec.h:
runtime/c/fault.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/descriptor.h:
runtime/c/deployment.h:
runtime/c/lock.h:
runtime/c/machine.h:
runtime/c/frame.h:
runtime/c/options.h:
runtime/c/json.h:
runtime/c/manifest.h:
runtime/c/pychoral.h:
runtime/c/socket.h:
runtime/c/strangers.h:
runtime/c/zap.h:
