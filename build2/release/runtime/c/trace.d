build2/release/runtime/c/trace.o: runtime/c/trace.c runtime/c/trace.h \
 runtime/c/fault.h runtime/c/machine.h runtime/c/buffer.h \
 runtime/c/frame.h runtime/c/value.h runtime/c/json.h runtime/c/lines.h
runtime/c/trace.h:
runtime/c/fault.h:
runtime/c/machine.h:
runtime/c/buffer.h:
runtime/c/frame.h:
runtime/c/value.h:
runtime/c/json.h:
runtime/c/lines.h:
