build2/release/runtime/c/manifest.o: runtime/c/manifest.c \
 runtime/c/manifest.h runtime/c/fault.h runtime/c/address.h \
 runtime/c/file.h runtime/c/json.h runtime/c/wire.h runtime/c/table.h \
 runtime/c/value.h runtime/c/buffer.h
runtime/c/manifest.h:
runtime/c/fault.h:
runtime/c/address.h:
runtime/c/file.h:
runtime/c/json.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/buffer.h:
