build2/release/runtime/c/slots.o: runtime/c/slots.c runtime/c/slots.h
runtime/c/slots.h:
