// output.h - the folder that `build` and `run` write: one program for each role, and the runtime.

#ifndef PYCHORAL_COMMAND_OUTPUT_H
#define PYCHORAL_COMMAND_OUTPUT_H

#include "compiler/command/session.h"
#include "compiler/emit/c_project.h"

typedef struct OutputFile { const char *name; Text text; } OutputFile;
typedef struct OutputFiles { const OutputFile *at; size_t len; } OutputFiles;

// What programs stand on, of which they get a copy: flags.
typedef enum Runtimes { RUNTIME_NONE = 0, RUNTIME_PYTHON = 1, RUNTIME_C = 2 } Runtimes;

// Writes the files, and a copy of the runtimes. Everything is written to temporary names first, so
// that a failure leaves the folder as it was. What pychoralc did not write is never replaced,
// unless --force is given.
Status output_write(Session *s, const char *folder, OutputFiles files, Runtimes runtimes);

// The programs in a folder that an earlier compilation of the same source has left, and that are
// none of `files`: of roles that the source does not have any more. `suffix`: ".py" or ".c".
typedef struct StaleFiles { const char **at; size_t len; } StaleFiles;
StaleFiles output_stale(Session *s, const char *folder, OutputFiles files, const char *suffix,
                        const char *source);

// The folder that holds the package `pychoral`, found from where this program lies: in the source
// tree or below the prefix it was installed to. Reports and gives NULL when there is none.
const char *output_runtime_folder(Session *s);
const char *output_find_runtime(Session *s);            // does not report

// The same for C: the headers and sources, and the library that was made of them (NULL: there is
// none). False: nothing is there.
bool output_find_c_runtime(Session *s, CRuntime *found);
// Reports; with `built`, that there is no library, too.
bool output_c_runtime(Session *s, bool built, CRuntime *found);

#endif
