build2/release/runtime/c/modules/functools.o: \
 runtime/c/modules/functools.c runtime/c/modules/functools.h \
 runtime/c/modules/../builtins/dict.h \
 runtime/c/modules/../builtins/format.h \
 runtime/c/modules/../builtins/bytes.h \
 runtime/c/modules/../builtins/str.h \
 runtime/c/modules/../builtins/object.h \
 runtime/c/modules/../builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/modules/../builtins/exceptions.def \
 runtime/c/table.h runtime/c/value.h
runtime/c/modules/functools.h:
runtime/c/modules/../builtins/dict.h:
runtime/c/modules/../builtins/format.h:
runtime/c/modules/../builtins/bytes.h:
runtime/c/modules/../builtins/str.h:
runtime/c/modules/../builtins/object.h:
runtime/c/modules/../builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/modules/../builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
