// streams.h - each thread has standard output and errors of its own: roles that are threads of one
// process are told apart by that. The runtime and the programs are compiled with `-include` of it.

#ifndef PYCHORAL_FUZZ_STREAMS_H
#define PYCHORAL_FUZZ_STREAMS_H

#include <stdio.h>

// The thread's stream, or the process's if it has none.
FILE *fuzz_stdout(void);
FILE *fuzz_stderr(void);

#undef stdout
#undef stderr
#define stdout fuzz_stdout()
#define stderr fuzz_stderr()

#endif
