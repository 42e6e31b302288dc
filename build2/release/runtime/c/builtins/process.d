build2/release/runtime/c/builtins/process.o: runtime/c/builtins/process.c \
 runtime/c/builtins/process.h runtime/c/builtins/../pychoral.h \
 runtime/c/builtins/../fault.h runtime/c/builtins/../value.h \
 runtime/c/builtins/../buffer.h runtime/c/builtins/raise.h \
 runtime/c/value.h runtime/c/builtins/exceptions.def \
 runtime/c/builtins/../cycles.h runtime/c/builtins/../role.h \
 runtime/c/builtins/../codec.h runtime/c/builtins/../descriptor.h \
 runtime/c/builtins/../deployment.h runtime/c/builtins/../lock.h \
 runtime/c/builtins/../machine.h runtime/c/builtins/../frame.h \
 runtime/c/builtins/../options.h runtime/c/builtins/../json.h \
 runtime/c/builtins/../manifest.h runtime/c/builtins/../pychoral.h \
 runtime/c/builtins/../socket.h runtime/c/builtins/../strangers.h \
 runtime/c/builtins/../zap.h runtime/c/builtins/generated.h \
 runtime/c/builtins/object.h runtime/c/table.h runtime/c/value.h \
 runtime/c/builtins/list.h runtime/c/builtins/parameter.h \
 runtime/c/builtins/print.h runtime/c/builtins/textio.h
runtime/c/builtins/process.h:
runtime/c/builtins/../pychoral.h:
runtime/c/builtins/../fault.h:
runtime/c/builtins/../value.h:
runtime/c/builtins/../buffer.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/../cycles.h:
runtime/c/builtins/../role.h:
runtime/c/builtins/../codec.h:
runtime/c/builtins/../descriptor.h:
runtime/c/builtins/../deployment.h:
runtime/c/builtins/../lock.h:
runtime/c/builtins/../machine.h:
runtime/c/builtins/../frame.h:
runtime/c/builtins/../options.h:
runtime/c/builtins/../json.h:
runtime/c/builtins/../manifest.h:
runtime/c/builtins/../pychoral.h:
runtime/c/builtins/../socket.h:
runtime/c/builtins/../strangers.h:
runtime/c/builtins/../zap.h:
runtime/c/builtins/generated.h:
runtime/c/builtins/object.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/list.h:
runtime/c/builtins/parameter.h:
runtime/c/builtins/print.h:
runtime/c/builtins/textio.h:
