build2/release/runtime/c/strangers.o: runtime/c/strangers.c \
 runtime/c/strangers.h runtime/c/descriptor.h
runtime/c/strangers.h:
runtime/c/descriptor.h:
