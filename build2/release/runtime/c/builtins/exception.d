build2/release/runtime/c/builtins/exception.o: \
 runtime/c/builtins/exception.c runtime/c/builtins/build.h \
 runtime/c/value.h runtime/c/buffer.h runtime/c/builtins/bytes.h \
 runtime/c/builtins/str.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/builtins/exceptions.def \
 runtime/c/table.h runtime/c/value.h runtime/c/builtins/generated.h \
 runtime/c/builtins/list.h runtime/c/builtins/stderr.h
runtime/c/builtins/build.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/str.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/generated.h:
runtime/c/builtins/list.h:
runtime/c/builtins/stderr.h:
