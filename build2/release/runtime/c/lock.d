build2/release/runtime/c/lock.o: runtime/c/lock.c runtime/c/lock.h
runtime/c/lock.h:
