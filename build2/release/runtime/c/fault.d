build2/release/runtime/c/fault.o: runtime/c/fault.c runtime/c/fault.h
runtime/c/fault.h:
