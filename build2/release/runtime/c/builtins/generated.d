build2/release/runtime/c/builtins/generated.o: \
 runtime/c/builtins/generated.c runtime/c/builtins/generated.h \
 runtime/c/builtins/object.h runtime/c/builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/builtins/exceptions.def runtime/c/table.h \
 runtime/c/value.h runtime/c/builtins/build.h runtime/c/builtins/call.h \
 runtime/c/codec.h runtime/c/fault.h runtime/c/cycles.h \
 runtime/c/builtins/dict.h runtime/c/builtins/format.h \
 runtime/c/builtins/bytes.h runtime/c/builtins/str.h \
 runtime/c/builtins/list.h runtime/c/builtins/number.h \
 runtime/c/builtins/process.h runtime/c/builtins/../pychoral.h \
 runtime/c/builtins/../fault.h runtime/c/builtins/../value.h \
 runtime/c/builtins/range.h runtime/c/builtins/tables.h runtime/c/wire.h \
 runtime/c/table.h runtime/c/builtins/../modules/deque.h \
 runtime/c/builtins/../modules/../builtins/list.h
runtime/c/builtins/generated.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/build.h:
runtime/c/builtins/call.h:
runtime/c/codec.h:
runtime/c/fault.h:
runtime/c/cycles.h:
runtime/c/builtins/dict.h:
runtime/c/builtins/format.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/str.h:
runtime/c/builtins/list.h:
runtime/c/builtins/number.h:
runtime/c/builtins/process.h:
runtime/c/builtins/../pychoral.h:
runtime/c/builtins/../fault.h:
runtime/c/builtins/../value.h:
runtime/c/builtins/range.h:
runtime/c/builtins/tables.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/builtins/../modules/deque.h:
runtime/c/builtins/../modules/../builtins/list.h:
