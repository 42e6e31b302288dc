build2/release/runtime/c/builtins/parameter.o: \
 runtime/c/builtins/parameter.c runtime/c/builtins/parameter.h \
 runtime/c/builtins/../pychoral.h runtime/c/builtins/../fault.h \
 runtime/c/builtins/../value.h runtime/c/builtins/../buffer.h \
 runtime/c/builtins/object.h runtime/c/builtins/raise.h runtime/c/value.h \
 runtime/c/builtins/exceptions.def runtime/c/builtins/brief.h \
 runtime/c/builtins/build.h runtime/c/builtins/bytes.h \
 runtime/c/builtins/str.h runtime/c/table.h runtime/c/value.h \
 runtime/c/builtins/generated.h runtime/c/builtins/number.h
runtime/c/builtins/parameter.h:
runtime/c/builtins/../pychoral.h:
runtime/c/builtins/../fault.h:
runtime/c/builtins/../value.h:
runtime/c/builtins/../buffer.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/brief.h:
runtime/c/builtins/build.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/str.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/generated.h:
runtime/c/builtins/number.h:
