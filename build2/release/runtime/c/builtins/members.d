build2/release/runtime/c/builtins/members.o: runtime/c/builtins/members.c \
 runtime/c/builtins/members.h runtime/c/builtins/object.h \
 runtime/c/builtins/raise.h runtime/c/value.h runtime/c/buffer.h \
 runtime/c/builtins/exceptions.def runtime/c/builtins/dict.h \
 runtime/c/builtins/format.h runtime/c/builtins/bytes.h \
 runtime/c/builtins/str.h runtime/c/table.h runtime/c/value.h \
 runtime/c/builtins/iterating.h runtime/c/builtins/list.h \
 runtime/c/plain.h runtime/c/wire.h runtime/c/table.h \
 runtime/c/builtins/range.h runtime/c/builtins/set.h \
 runtime/c/builtins/several.h runtime/c/builtins/tables.h \
 runtime/c/builtins/members.def
runtime/c/builtins/members.h:
runtime/c/builtins/object.h:
runtime/c/builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/builtins/exceptions.def:
runtime/c/builtins/dict.h:
runtime/c/builtins/format.h:
runtime/c/builtins/bytes.h:
runtime/c/builtins/str.h:
runtime/c/table.h:
runtime/c/value.h:
runtime/c/builtins/iterating.h:
runtime/c/builtins/list.h:
runtime/c/plain.h:
runtime/c/wire.h:
runtime/c/table.h:
runtime/c/builtins/range.h:
runtime/c/builtins/set.h:
runtime/c/builtins/several.h:
runtime/c/builtins/tables.h:
runtime/c/builtins/members.def:
