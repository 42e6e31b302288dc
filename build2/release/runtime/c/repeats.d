build2/release/runtime/c/repeats.o: runtime/c/repeats.c \
 runtime/c/repeats.h
runtime/c/repeats.h:
