build2/release/runtime/c/descriptor.o: runtime/c/descriptor.c \
 runtime/c/descriptor.h
runtime/c/descriptor.h:
