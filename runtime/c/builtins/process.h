// process.h - a generated program as a role: its start and end, its channels, its options.
//
// `body` of the program's table (pychoral.h) is one line: `return pychoral_run(role, start);`.
// Where pychoral.h answers false, what is declared here raises, as the Python twin does.

#ifndef PYCHORAL_PROCESS_H
#define PYCHORAL_PROCESS_H

#include "../pychoral.h"
#include "raise.h"

// The role whose body this thread runs; NULL: none.
extern _Thread_local PychoralRole *pychoral_current_role;

static inline PychoralRole *pychoral_self(void) { return pychoral_current_role; }

// Runs the program: `start` is the code of its module and `main`, which prints its result. If it
// raises, the traceback is printed and the peers are told; SystemExit ends it as in Python. The
// exit status, for `body` to return.
int pychoral_run(PychoralRole *role, void (*start)(void));

// Calls `act` as the role before it starts. False: it raised, and the traceback is printed.
bool pychoral_act_before(PychoralRole *role, void (*act)(PychoralRole *role));

// ---- what ends a choreography ----

// Exceptions of the runtime: ChannelError derives from Exception (a peer is lost or breaks the
// protocol), UnexpectedSelection and PeerStopped from ChannelError, NotSendable from TypeError,
// Interrupted (a signal) from BaseException.
extern const PychoralType pychoral_type_ChannelError, pychoral_type_UnexpectedSelection,
    pychoral_type_PeerStopped, pychoral_type_NotSendable, pychoral_type_Interrupted;

// Raises UnexpectedSelection: a label of the enum `labels` that no branch takes.
void pychoral_unexpected_selection(const PychoralType *labels, uint32_t label);

// Raises PeerStopped: there is nothing that this role could go on with, without the roles named.
// `at` is the place in the choreography ("auth.pyc:12"), or empty.
void pychoral_peer_stopped(const char *at, size_t count, const char *const *roles);

// The words of the command line, in one list that the program may change.
PychoralList *pychoral_sys_argv(void);

// ---- channels ----

// Raises why a call of pychoral.h has given false; false.
bool pychoral_com_failed(void);

// Sends a value. False: it raised.
static inline bool pychoral_com_send(uint32_t channel, uint32_t site, const PychoralType *type,
                                     const void *value)
{
    return pychoral_send(pychoral_current_role, channel, site, type, value) ||
           pychoral_com_failed();
}

// Receives a value, owned. False: it raised, and `result` is zero bits.
static inline bool pychoral_com_receive(uint32_t channel, uint32_t site, const PychoralType *type,
                                        void *result)
{
    return pychoral_receive(pychoral_current_role, channel, site, type, result) ||
           pychoral_com_failed();
}

// Sends a selection: a member of the enum `labels`. False: it raised.
static inline bool pychoral_com_select(uint32_t channel, uint32_t site, const PychoralType *labels,
                                       uint32_t label)
{
    return pychoral_select(pychoral_current_role, channel, site, labels, label) ||
           pychoral_com_failed();
}

// Receives a selection. Raises.
static inline uint32_t pychoral_com_branch(uint32_t channel, uint32_t site,
                                           const PychoralType *labels)
{
    uint32_t label = 0;
    if (!pychoral_branch(pychoral_current_role, channel, site, labels, &label))
        pychoral_com_failed();
    return label;
}

// A copy of a value as a receiver reads it: `read` is the row of what it expects. Raises what
// sending it would, with the place of the site.
void pychoral_copy_as(uint32_t site, const PychoralType *type, const void *value,
                      const PychoralType *read, void *result);

// Raises what making that copy would.
void pychoral_check_as(uint32_t site, const PychoralType *type, const void *value,
                       const PychoralType *read);

// ---- what durable roles see again ----

// Whether `value` has been given what an earlier process recorded of the effect `name`; false as
// well if this raised, or where no role runs.
bool pychoral_effect_replayed(const char *name, const PychoralType *type, void *value);

// Records what an effect gave, if the role is durable. Raises.
void pychoral_effect_record(const char *name, const PychoralType *type, const void *value);

// ---- options and the result ----

// The value of a parameter, by its index in the program's table, as its row says; owned. Raises
// what its default raises.
void pychoral_option(size_t parameter, void *result);

// Prints "=> repr". Raises what the repr raises.
void pychoral_print_result(const PychoralType *type, const void *value);

// The same for a tuple of which this role has the parts that are true in `here`: of one part, the
// part; of none, nothing.
void pychoral_print_result_parts(const PychoralType *type, const void *value, const bool *here);

#endif
