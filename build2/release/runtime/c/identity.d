build2/release/runtime/c/identity.o: runtime/c/identity.c \
 runtime/c/identity.h runtime/c/fault.h runtime/c/sha256.h
runtime/c/identity.h:
runtime/c/fault.h:
runtime/c/sha256.h:
