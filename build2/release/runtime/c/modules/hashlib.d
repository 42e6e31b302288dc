build2/release/runtime/c/modules/hashlib.o: runtime/c/modules/hashlib.c \
 runtime/c/modules/hashlib.h runtime/c/modules/../builtins/object.h \
 runtime/c/modules/../builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/modules/../builtins/exceptions.def
runtime/c/modules/hashlib.h:
runtime/c/modules/../builtins/object.h:
runtime/c/modules/../builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/modules/../builtins/exceptions.def:
