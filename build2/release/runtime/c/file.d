build2/release/runtime/c/file.o: runtime/c/file.c runtime/c/file.h \
 runtime/c/fault.h
runtime/c/file.h:
runtime/c/fault.h:
