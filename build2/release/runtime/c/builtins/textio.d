build2/release/runtime/c/builtins/textio.o: runtime/c/builtins/textio.c \
 runtime/c/builtins/textio.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/builtins/codec_names.h \
 runtime/c/builtins/text.h runtime/c/builtins/generated.h \
 runtime/c/table.h runtime/c/value.h runtime/c/builtins/out.h \
 runtime/c/builtins/unicode.h runtime/c/builtins/str.h \
 runtime/c/builtins/bytes.h runtime/c/builtins/build.h \
 runtime/c/builtins/process.h runtime/c/builtins/../pychoral.h \
 runtime/c/builtins/../fault.h runtime/c/builtins/../value.h \
 runtime/c/builtins/stderr.h
runtime/c/builtins/textio.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/codec_names.h:
runtime/c/builtins/text.h:
runtime/c/builtins/generated.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/out.h:
runtime/c/builtins/unicode.h:
runtime/c/builtins/str.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/build.h:
runtime/c/builtins/process.h:
runtime/c/builtins/../pychoral.h:
runtime/c/builtins/../fault.h:
runtime/c/builtins/../value.h:
runtime/c/builtins/stderr.h:
