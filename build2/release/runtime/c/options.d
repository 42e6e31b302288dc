build2/release/runtime/c/options.o: runtime/c/options.c \
 runtime/c/options.h runtime/c/fault.h runtime/c/json.h \
 runtime/c/manifest.h runtime/c/pychoral.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/address.h runtime/c/file.h \
 runtime/c/price.h
runtime/c/options.h:
runtime/c/fault.h:
runtime/c/json.h:
runtime/c/manifest.h:
runtime/c/pychoral.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/address.h:
runtime/c/file.h:
runtime/c/price.h:
