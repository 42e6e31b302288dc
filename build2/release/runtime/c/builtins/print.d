build2/release/runtime/c/builtins/print.o: runtime/c/builtins/print.c \
 runtime/c/builtins/print.h runtime/c/builtins/textio.h \
 runtime/c/builtins/object.h runtime/c/builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/builtins/exceptions.def \
 runtime/c/builtins/build.h runtime/c/builtins/generated.h \
 runtime/c/table.h runtime/c/value.h runtime/c/builtins/process.h \
 runtime/c/builtins/../pychoral.h runtime/c/builtins/../fault.h \
 runtime/c/builtins/../value.h runtime/c/builtins/stderr.h
runtime/c/builtins/print.h:
runtime/c/builtins/textio.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/build.h:
runtime/c/builtins/generated.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/process.h:
runtime/c/builtins/../pychoral.h:
runtime/c/builtins/../fault.h:
runtime/c/builtins/../value.h:
runtime/c/builtins/stderr.h:
