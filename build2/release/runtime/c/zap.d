build2/release/runtime/c/zap.o: runtime/c/zap.c runtime/c/zap.h \
 runtime/c/fault.h
runtime/c/zap.h:
runtime/c/fault.h:
