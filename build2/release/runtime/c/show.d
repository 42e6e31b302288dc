build2/release/runtime/c/show.o: runtime/c/show.c runtime/c/show.h \
 runtime/c/fault.h runtime/c/pychoral.h runtime/c/value.h \
 runtime/c/buffer.h
runtime/c/show.h:
runtime/c/fault.h:
runtime/c/pychoral.h:
runtime/c/value.h:
runtime/c/buffer.h:
