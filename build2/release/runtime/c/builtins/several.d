build2/release/runtime/c/builtins/several.o: runtime/c/builtins/several.c \
 runtime/c/builtins/several.h runtime/c/builtins/iterating.h \
 runtime/c/builtins/object.h runtime/c/builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/builtins/exceptions.def \
 runtime/c/builtins/list.h
runtime/c/builtins/several.h:
runtime/c/builtins/iterating.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/list.h:
