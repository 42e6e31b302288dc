build2/release/runtime/c/utf8.o: runtime/c/utf8.c runtime/c/utf8.h
runtime/c/utf8.h:
