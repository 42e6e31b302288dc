build2/release/runtime/c/builtins/literal.o: runtime/c/builtins/literal.c \
 runtime/c/builtins/build.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/generated.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/builtins/exceptions.def \
 runtime/c/table.h runtime/c/value.h runtime/c/builtins/number.h \
 runtime/c/builtins/parameter.h runtime/c/builtins/../pychoral.h \
 runtime/c/builtins/../fault.h runtime/c/builtins/../value.h \
 runtime/c/builtins/tables.h runtime/c/builtins/unicode.h
runtime/c/builtins/build.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/generated.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/number.h:
runtime/c/builtins/parameter.h:
runtime/c/builtins/../pychoral.h:
runtime/c/builtins/../fault.h:
runtime/c/builtins/../value.h:
runtime/c/builtins/tables.h:
runtime/c/builtins/unicode.h:
