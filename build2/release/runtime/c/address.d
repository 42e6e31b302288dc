build2/release/runtime/c/address.o: runtime/c/address.c \
 runtime/c/address.h
runtime/c/address.h:
