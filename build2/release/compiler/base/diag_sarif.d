build2/release/compiler/base/diag_sarif.o: compiler/base/diag_sarif.c \
 compiler/base/diag_out_internal.h compiler/base/diag_out.h \
 compiler/base/buf.h compiler/base/arena.h compiler/base/diag.h \
 compiler/base/source.h compiler/base/diag.def compiler/base/vec.h \
 compiler/base/diag_page.h compiler/base/json.h compiler/base/sha256.h \
 compiler/base/version.h
compiler/base/diag_out_internal.h:
compiler/base/diag_out.h:
compiler/base/buf.h:
compiler/base/arena.h:
compiler/base/diag.h:
compiler/base/source.h:
compiler/base/diag.def:
compiler/base/vec.h:
compiler/base/diag_page.h:
compiler/base/json.h:
compiler/base/sha256.h:
compiler/base/version.h:
