build2/release/runtime/c/modules/time.o: runtime/c/modules/time.c \
 runtime/c/modules/time.h runtime/c/modules/../builtins/number.h \
 runtime/c/modules/../builtins/generated.h \
 runtime/c/modules/../builtins/object.h \
 runtime/c/modules/../builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/modules/../builtins/exceptions.def \
 runtime/c/table.h runtime/c/value.h \
 runtime/c/modules/../builtins/process.h \
 runtime/c/modules/../builtins/../pychoral.h \
 runtime/c/modules/../builtins/../fault.h \
 runtime/c/modules/../builtins/../value.h runtime/c/modules/../role.h \
 runtime/c/modules/../codec.h runtime/c/modules/../fault.h \
 runtime/c/modules/../value.h runtime/c/modules/../descriptor.h \
 runtime/c/modules/../deployment.h runtime/c/modules/../lock.h \
 runtime/c/modules/../machine.h runtime/c/modules/../buffer.h \
 runtime/c/modules/../frame.h runtime/c/modules/../options.h \
 runtime/c/modules/../json.h runtime/c/modules/../manifest.h \
 runtime/c/modules/../pychoral.h runtime/c/modules/../socket.h \
 runtime/c/modules/../strangers.h runtime/c/modules/../zap.h
runtime/c/modules/time.h:
runtime/c/modules/../builtins/number.h:
runtime/c/modules/../builtins/generated.h:
runtime/c/modules/../builtins/object.h:
runtime/c/modules/../builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/modules/../builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/modules/../builtins/process.h:
runtime/c/modules/../builtins/../pychoral.h:
runtime/c/modules/../builtins/../fault.h:
runtime/c/modules/../builtins/../value.h:
runtime/c/modules/../role.h:
runtime/c/modules/../codec.h:
runtime/c/modules/../fault.h:
runtime/c/modules/../value.h:
runtime/c/modules/../descriptor.h:
runtime/c/modules/../deployment.h:
runtime/c/modules/../lock.h:
runtime/c/modules/../machine.h:
runtime/c/modules/../buffer.h:
runtime/c/modules/../frame.h:
runtime/c/modules/../options.h:
runtime/c/modules/../json.h:
runtime/c/modules/../manifest.h:
runtime/c/modules/../pychoral.h:
runtime/c/modules/../socket.h:
runtime/c/modules/../strangers.h:
runtime/c/modules/../zap.h:
