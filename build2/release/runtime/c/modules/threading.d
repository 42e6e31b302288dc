build2/release/runtime/c/modules/threading.o: \
 runtime/c/modules/threading.c runtime/c/modules/threading.h \
 runtime/c/modules/../builtins/object.h \
 runtime/c/modules/../builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/modules/../builtins/exceptions.def \
 runtime/c/modules/time.h runtime/c/modules/../builtins/number.h \
 runtime/c/modules/../builtins/generated.h \
 runtime/c/modules/../builtins/object.h runtime/c/table.h \
 runtime/c/value.h
runtime/c/modules/threading.h:
runtime/c/modules/../builtins/object.h:
runtime/c/modules/../builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/modules/../builtins/exceptions.def:
runtime/c/modules/time.h:
runtime/c/modules/../builtins/number.h:
runtime/c/modules/../builtins/generated.h:
runtime/c/modules/../builtins/object.h:
runtime/c/table.h:
runtime/c/value.h:
