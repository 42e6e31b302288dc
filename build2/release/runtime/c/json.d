build2/release/runtime/c/json.o: runtime/c/json.c runtime/c/json.h \
 runtime/c/fault.h
runtime/c/json.h:
runtime/c/fault.h:
