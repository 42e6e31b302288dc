build2/release/compiler/base/sha256.o: compiler/base/sha256.c \
 compiler/base/sha256.h
compiler/base/sha256.h:
