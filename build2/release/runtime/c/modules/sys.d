build2/release/runtime/c/modules/sys.o: runtime/c/modules/sys.c \
 runtime/c/modules/sys.h runtime/c/modules/../builtins/object.h \
 runtime/c/modules/../builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/modules/../builtins/exceptions.def \
 runtime/c/modules/../builtins/generated.h \
 runtime/c/modules/../builtins/object.h runtime/c/table.h \
 runtime/c/value.h
runtime/c/modules/sys.h:
runtime/c/modules/../builtins/object.h:
runtime/c/modules/../builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/modules/../builtins/exceptions.def:
runtime/c/modules/../builtins/generated.h:
runtime/c/modules/../builtins/object.h:
runtime/c/table.h:
runtime/c/value.h:
