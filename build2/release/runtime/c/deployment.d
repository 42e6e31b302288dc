build2/release/runtime/c/deployment.o: runtime/c/deployment.c \
 runtime/c/deployment.h runtime/c/fault.h runtime/c/file.h \
 runtime/c/sha256.h
runtime/c/deployment.h:
runtime/c/fault.h:
runtime/c/file.h:
runtime/c/sha256.h:
