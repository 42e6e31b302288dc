build2/release/compiler/base/diag_page.o: compiler/base/diag_page.c \
 compiler/base/diag_page.h compiler/base/diag.h compiler/base/arena.h \
 compiler/base/source.h compiler/base/diag.def build2/gen/diag_pages.inc
compiler/base/diag_page.h:
compiler/base/diag.h:
compiler/base/arena.h:
compiler/base/source.h:
compiler/base/diag.def:
build2/gen/diag_pages.inc:
