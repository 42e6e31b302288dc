// options.h - an endpoint's command line (as python/pychoral/program.py and options.py).

#ifndef PYCHORAL_OPTIONS_H
#define PYCHORAL_OPTIONS_H

#include "fault.h"
#include "json.h"
#include "manifest.h"
#include "pychoral.h"

typedef enum {
    PYCHORAL_LOG_ERROR,
    PYCHORAL_LOG_WARNING,
    PYCHORAL_LOG_INFO,
    PYCHORAL_LOG_DEBUG,
} PychoralLogLevel;

// What is said about one peer.
typedef struct {
    const char *dial;                   // dial it there; NULL: not said
    bool listen;                        // it dials this role
    const char *peer_address;           // where it is if this role dials it; NULL: not said
} PychoralPeerSettings;

typedef struct {
    bool help;
    const char *bind;                   // where this role listens; NULL: not said
    PychoralPeerSettings *peers;        // one for each of the program's peers
    const char **arguments;             // one for each of the program's parameters
    void **values;                      // the same, as its row says; NULL: the default's
    bool *secret;                       // the same: whether nobody is shown it
    const char *manifest, *key;         // files
    const char *run;                    // NULL: not said
    const char *log_json, *history;     // files, or "-" for standard error
    const char *trace;                  // NULL: none
    const char *show, *watch;           // files; NULL: none
    const char *journal;                // a file; NULL: the role is not durable
    bool plain;
    double timeout;                     // seconds any wait may last; 0: for ever
    double lost_after, connect_timeout; // seconds; 0: the protocol's
    uint64_t max_decoded;               // bytes; 0: not said
    PychoralLogLevel log_level;
    const PychoralProgram *program;     // whose settings these are
    int word_count;                     // of the command line, the program's name too
    char **words;
    PychoralJson *config;               // a configuration file, whose texts are used
} PychoralSettings;

// Reads a command line. False with a fault of status 2. Free the settings in either case; texts
// point into `argv` and the program.
bool pychoral_options_read(const PychoralProgram *program, int argc, char **argv,
                           PychoralSettings *settings, PychoralFault *fault);
void pychoral_options_free(PychoralSettings *settings);

// Prints what --help says.
void pychoral_options_help(const PychoralProgram *program);

#endif
