build2/release/compiler/distribute/ddp.o: compiler/distribute/ddp.c \
 compiler/distribute/ddp.h compiler/distribute/plan.h \
 compiler/distribute/flow.h compiler/distribute/recognise.h \
 compiler/base/table.h compiler/base/arena.h compiler/distribute/bodies.h \
 build2/gen/ir_gen.h compiler/ir/ir_base.h compiler/base/buf.h \
 compiler/base/intern.h compiler/base/source.h compiler/base/vec.h \
 compiler/distribute/tool.h compiler/distribute/distribute.h \
 compiler/base/diag.h compiler/base/diag.def compiler/base/edit.h \
 compiler/distribute/rewrite.h compiler/ir/scopes.h \
 compiler/distribute/default.def compiler/distribute/tf.def \
 compiler/distribute/keras.def compiler/distribute/ddp.def
compiler/distribute/ddp.h:
compiler/distribute/plan.h:
compiler/distribute/flow.h:
compiler/distribute/recognise.h:
compiler/base/table.h:
compiler/base/arena.h:
compiler/distribute/bodies.h:
build2/gen/ir_gen.h:
compiler/ir/ir_base.h:
compiler/base/buf.h:
compiler/base/intern.h:
compiler/base/source.h:
compiler/base/vec.h:
compiler/distribute/tool.h:
compiler/distribute/distribute.h:
compiler/base/diag.h:
compiler/base/diag.def:
compiler/base/edit.h:
compiler/distribute/rewrite.h:
compiler/ir/scopes.h:
compiler/distribute/default.def:
compiler/distribute/tf.def:
compiler/distribute/keras.def:
compiler/distribute/ddp.def:
