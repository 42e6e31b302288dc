build2/release/runtime/c/journal.o: runtime/c/journal.c \
 runtime/c/journal.h runtime/c/buffer.h runtime/c/fault.h \
 runtime/c/identity.h runtime/c/repeats.h
runtime/c/journal.h:
runtime/c/buffer.h:
runtime/c/fault.h:
runtime/c/identity.h:
runtime/c/repeats.h:
