build2/release/runtime/c/modules/json_loads.o: \
 runtime/c/modules/json_loads.c runtime/c/modules/../builtins/build.h \
 runtime/c/value.h runtime/c/buffer.h \
 runtime/c/modules/../builtins/bytes.h \
 runtime/c/modules/../builtins/str.h \
 runtime/c/modules/../builtins/object.h \
 runtime/c/modules/../builtins/raise.h \
 runtime/c/modules/../builtins/exceptions.def runtime/c/table.h \
 runtime/c/value.h runtime/c/modules/../builtins/generated.h \
 runtime/c/modules/../builtins/number.h \
 runtime/c/modules/../builtins/generated.h \
 runtime/c/modules/../builtins/unicode.h runtime/c/modules/../table.h \
 runtime/c/modules/json_text.h runtime/c/modules/../builtins/object.h
runtime/c/modules/../builtins/build.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/modules/../builtins/bytes.h:
runtime/c/modules/../builtins/str.h:
runtime/c/modules/../builtins/object.h:
runtime/c/modules/../builtins/raise.h:
runtime/c/modules/../builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/modules/../builtins/generated.h:
runtime/c/modules/../builtins/number.h:
runtime/c/modules/../builtins/generated.h:
runtime/c/modules/../builtins/unicode.h:
runtime/c/modules/../table.h:
runtime/c/modules/json_text.h:
runtime/c/modules/../builtins/object.h:
