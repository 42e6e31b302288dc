build2/release/runtime/c/sha256.o: runtime/c/sha256.c runtime/c/sha256.h
runtime/c/sha256.h:
