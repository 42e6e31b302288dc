// session.h - one call of pychoralc: its options, what went wrong, and how to compile a file.

#ifndef PYCHORAL_COMMAND_SESSION_H
#define PYCHORAL_COMMAND_SESSION_H

#include "compiler/base/arena.h"
#include "compiler/base/diag.h"
#include "compiler/base/intern.h"
#include "compiler/base/sha256.h"
#include "compiler/base/vec.h"
#include "compiler/command/options.h"
#include "compiler/command/replace.h"
#include "compiler/pass/pass.h"

// Exit codes.
typedef enum Status {
#define EXIT(id, code, meaning) STATUS_##id = code,
#include "compiler/command/exit.def"
#undef EXIT
} Status;

typedef struct Session {
    Arena  *arena;
    Names  *names;
    Diags  *diags;              // of what is done now
    Diags *printed;             // of earlier files: a module that two import is judged once
    DiagOut *out;               // where they go
    size_t  files;              // sources that were looked at
    Vec(const char *) sources;  // of imported modules: no output may take their place
    Options options;
    const char *program;        // argv[0]
    const GradRequest *grad;    // what `grad` is asked for
} Session;

// One compiled file.
typedef struct Compilation {
    const char *path;           // as the user gave it
    const char *name;           // its last part: all that generated text says of the path
    Text   bytes;               // as the file has them
    char  *source_hash;         // empty until somebody asks for it
    PassCx cx;
} Compilation;

// The SHA-256 of the source in hexadecimal, for what names its source.
const char *session_source_hash(const Compilation *c);

// Reads and compiles a file up to `last`; does what --dump, --dump-ir, --time and --verify ask for.
// STATUS_DONE only if no error was reported.
Status session_compile(Session *s, const char *path, PassId last, Compilation *c);

// The same of a file of plain Python, which need not have a choreography: as a library.
Status session_compile_plain(Session *s, const char *path, PassId last, Compilation *c);

// Reports a file (FILE_MISSING, OUTPUT_FAILED ...): "cannot read `x`: no such file or directory".
Diag *session_report(Session *s, DiagId id, const char *format, ...)
      __attribute__((format(printf, 3, 4)));

// Writes a text to standard output, or to a file. An existing file must begin as one that pychoralc
// wrote, unless --force is given.
Status session_write(Session *s, const char *path, Buf *text);

// Whether a file may be written there: reported if not. `may_own`: what pychoralc wrote may go.
bool session_may_write(Session *s, const char *path, bool may_own);

// The same, for texts that do not say who wrote them: a file that exists needs --force.
Status session_write_new(Session *s, const char *path, Text bytes);

// Gives a file new bytes, all of them or none; reports when it cannot. Asks nothing.
Status session_replace(Session *s, const char *path, Text bytes, ReplaceHow how);

// Whether an existing file begins with the words that head everything we generate.
bool session_owns(Session *s, const char *path);
bool session_outputs_fit(Session *s);      // --in-place, --output, and the operands; or reports it
bool session_would_lose_input(Session *s, const char *path);      // reports it

// Prints the diagnostics to standard error, and starts with none again.
void session_print_diags(Session *s);

// What is to be said of a fault of ours, in the form that is asked for, if that fits.
void session_describe_crash(Session *s, char *text, size_t size);

// Prints those that are left, and what comes last.
void session_end(Session *s, Status status);

// Whether standard error holds what a program reads, so that no other text may go there.
bool session_for_machine(const Session *s);

// Says something that is no diagnostic on standard error, unless --quiet or a machine reads it.
void session_say(Session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool session_colors(const Session *s, int fd);

#endif
