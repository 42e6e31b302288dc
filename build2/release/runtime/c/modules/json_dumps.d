build2/release/runtime/c/modules/json_dumps.o: \
 runtime/c/modules/json_dumps.c runtime/c/modules/../builtins/build.h \
 runtime/c/value.h runtime/c/buffer.h \
 runtime/c/modules/../builtins/call.h \
 runtime/c/modules/../builtins/object.h \
 runtime/c/modules/../builtins/raise.h \
 runtime/c/modules/../builtins/exceptions.def \
 runtime/c/modules/../builtins/float_repr.h \
 runtime/c/modules/../builtins/str.h runtime/c/table.h runtime/c/value.h \
 runtime/c/modules/../builtins/items.h runtime/c/plain.h runtime/c/wire.h \
 runtime/c/table.h runtime/c/modules/../builtins/number.h \
 runtime/c/modules/../builtins/generated.h \
 runtime/c/modules/../builtins/unicode.h runtime/c/modules/../table.h \
 runtime/c/modules/json_text.h runtime/c/modules/../builtins/object.h
runtime/c/modules/../builtins/build.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/modules/../builtins/call.h:
runtime/c/modules/../builtins/object.h:
runtime/c/modules/../builtins/raise.h:
runtime/c/modules/../builtins/exceptions.def:
runtime/c/modules/../builtins/float_repr.h:
runtime/c/modules/../builtins/str.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/modules/../builtins/items.h:
runtime/c/plain.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/modules/../builtins/number.h:
runtime/c/modules/../builtins/generated.h:
runtime/c/modules/../builtins/unicode.h:
runtime/c/modules/../table.h:
runtime/c/modules/json_text.h:
runtime/c/modules/../builtins/object.h:
