build2/release/runtime/c/lines.o: runtime/c/lines.c runtime/c/lines.h \
 runtime/c/fault.h
runtime/c/lines.h:
runtime/c/fault.h:
