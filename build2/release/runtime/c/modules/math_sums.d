build2/release/runtime/c/modules/math_sums.o: \
 runtime/c/modules/math_sums.c runtime/c/modules/../builtins/iterating.h \
 runtime/c/modules/../builtins/object.h \
 runtime/c/modules/../builtins/raise.h runtime/c/value.h \
 runtime/c/buffer.h runtime/c/modules/../builtins/exceptions.def \
 runtime/c/modules/../builtins/operate.h \
 runtime/c/modules/../builtins/several.h \
 runtime/c/modules/../builtins/iterating.h runtime/c/modules/math.h \
 runtime/c/modules/../builtins/number.h \
 runtime/c/modules/../builtins/generated.h runtime/c/table.h \
 runtime/c/value.h
runtime/c/modules/../builtins/iterating.h:
runtime/c/modules/../builtins/object.h:
runtime/c/modules/../builtins/raise.h:
runtime/c/value.h:
runtime/c/buffer.h:
runtime/c/modules/../builtins/exceptions.def:
runtime/c/modules/../builtins/operate.h:
runtime/c/modules/../builtins/several.h:
runtime/c/modules/../builtins/iterating.h:
runtime/c/modules/math.h:
runtime/c/modules/../builtins/number.h:
runtime/c/modules/../builtins/generated.h:
runtime/c/table.h:
runtime/c/value.h:
