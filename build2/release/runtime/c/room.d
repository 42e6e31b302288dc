build2/release/runtime/c/room.o: runtime/c/room.c runtime/c/room.h \
 runtime/c/fault.h
runtime/c/room.h:
runtime/c/fault.h:
