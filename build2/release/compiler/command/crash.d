build2/release/compiler/command/crash.o: compiler/command/crash.c \
 compiler/command/crash.h compiler/base/version.h
compiler/command/crash.h:
compiler/base/version.h:
