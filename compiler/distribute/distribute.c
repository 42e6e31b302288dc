// distribute.c - what is done with a script: nothing, if it is distributed already; else the rules
// that are asked for, and nothing if anything of it was refused.

#include "compiler/distribute/distribute.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/distribute/ddp.h"
#include "compiler/distribute/default.h"
#include "compiler/distribute/restrict.h"
#include "compiler/distribute/seed.h"

static int by_place(const void *x, const void *y)
{
    const Fired *a = x, *b = y;
    return a->at.start < b->at.start ? -1 : a->at.start > b->at.start;
}

// ---- distributed already ----

enum { HAS_HOROVOD = 1, HAS_INIT = 2, HAS_GRADIENTS = 4, HAS_BROADCAST = 8, HAS_STRATEGY = 16,
       HAS_GROUP = 32, HAS_WRAPPER = 64, HAS_TORCH = HAS_GROUP | HAS_WRAPPER,
       HAS_ALL = HAS_INIT | HAS_GRADIENTS | HAS_BROADCAST };

typedef struct Piece { const char *name; unsigned what; } Piece;

// The names of attributes that tell it: of Horovod, of tf.distribute, of torch.distributed.
static const Piece PIECES[] = {
    {"init", HAS_INIT}, {"DistributedGradientTape", HAS_GRADIENTS},
    {"DistributedOptimizer", HAS_GRADIENTS}, {"broadcast_variables", HAS_BROADCAST},
    {"broadcast_parameters", HAS_BROADCAST}, {"broadcast_global_variables", HAS_BROADCAST},
    {"BroadcastGlobalVariablesCallback", HAS_BROADCAST},
    {"BroadcastGlobalVariablesHook", HAS_BROADCAST}, {"MirroredStrategy", HAS_STRATEGY},
    {"MultiWorkerMirroredStrategy", HAS_STRATEGY}, {"TPUStrategy", HAS_STRATEGY},
    {"DistributedDataParallel", HAS_WRAPPER}, {"all_reduce", HAS_WRAPPER},
    {"init_process_group", HAS_GROUP}, {"FullyShardedDataParallel", HAS_STRATEGY},
    {"fully_shard", HAS_STRATEGY}, {"Accelerator", HAS_STRATEGY}, {"deepspeed", HAS_STRATEGY},
    {"set_distribution", HAS_STRATEGY},
};

typedef struct Lack { const char *what, *add; } Lack;

// What a script in part distributed lacks first.
static const Lack *lack_of(unsigned has)
{
    static const Lack wrapper = {"no model is wrapped in `DistributedDataParallel`",
                                 "wrap the model"};
    static const Lack group = {"it never calls `init_process_group`",
                               "call `torch.distributed.init_process_group`"};
    static const Lack start = {"it never calls Horovod's `init`",
                               "call `init` before other functions of Horovod"};
    static const Lack average = {"it does not average the gradients of the processes",
                                 "use Horovod's `DistributedGradientTape` or "
                                 "`DistributedOptimizer`"};
    static const Lack first = {"it does not broadcast the initial weights from process 0 to the "
                               "other processes",
                               "call Horovod's `broadcast_variables` after the first step"};
    if ((has & HAS_TORCH) != 0)
        return has & HAS_GROUP ? &wrapper : &group;
    return !(has & HAS_INIT) ? &start : !(has & HAS_GRADIENTS) ? &average : &first;
}

typedef struct Already { unsigned has; const Stmt *at; } Already;

static void note_piece(Already *a, Sym name)
{
    for (size_t i = 0; name != NULL && i < sizeof PIECES / sizeof *PIECES; i++)
        if (sym_is(name, PIECES[i].name))
            a->has |= PIECES[i].what;
}

static bool see_piece(void *cx, const Expr *e)
{
    note_piece(cx, e->kind == EXPR_ATTRIBUTE ? e->attribute.attr
                   : e->kind == EXPR_NAME    ? e->name.id : NULL);
    return true;
}

static bool see_alias(void *cx, const Alias *alias)
{
    note_piece(cx, alias->name);
    return true;
}

static bool see_import(void *cx, const Stmt *s)
{
    Already *a = cx;
    bool horovod = s->kind == STMT_IMPORT_FROM && s->import_from.module != NULL &&
                   strncmp(s->import_from.module, "horovod", 7) == 0;
    for (size_t i = 0; s->kind == STMT_IMPORT && i < s->import.names.len; i++)
        horovod |= strncmp(s->import.names.at[i]->name, "horovod", 7) == 0;
    if (horovod && a->at == NULL)
        a->at = s;
    a->has |= horovod ? HAS_HOROVOD : 0;
    return true;
}

// Whether nothing is left to do: it is distributed (W1101), or half so (E1114).
static bool is_settled(const DistributeCx *cx, DistributeOutcome *outcome)
{
    Already a = {0, NULL};
    const IrWalker w = {.cx = &a, .stmt = see_import, .expr = see_piece, .alias = see_alias};
    ir_walk_unit(&w, cx->unit);
    if ((a.has & (HAS_HOROVOD | HAS_STRATEGY | HAS_TORCH)) == 0)
        return false;
    Span at = a.at != NULL ? a.at->at : cx->unit->module.body.at[0]->at;
    bool whole = (a.has & HAS_STRATEGY) || (a.has & HAS_TORCH) == HAS_TORCH ||
                 (a.has & HAS_ALL) == HAS_ALL || cx->options.rules == RULES_SEED;
    *outcome = whole ? DISTRIBUTE_ALREADY : DISTRIBUTE_REFUSED;
    if (whole) {
        diag_report(cx->diags, at, DIAG_DISTRIBUTED, "this script is distributed already");
        return true;
    }
    const Lack *lack = lack_of(a.has);
    diag_help(diag_report(cx->diags, at, DIAG_HALF_DISTRIBUTED,
                          "this script is only partly distributed: %s", lack->what),
              "%s, or remove the distributed code and run `pychoralc distribute` again", lack->add);
    return true;
}

static Distribution transform(const DistributeCx *cx)
{
    Tool t = tool_new(cx);
    size_t errors = diags_error_count(cx->diags);
    if (cx->options.rules == RULES_SEED) {
        seed_check(&t);
        if (diags_error_count(cx->diags) == errors)
            seed_transform(&t);
    } else if (cx->options.framework == FRAMEWORK_DDP) {
        ddp_transform(&t);
    } else {
        default_transform(&t);
    }
    if (diags_error_count(cx->diags) > errors)
        return (Distribution){.outcome = DISTRIBUTE_REFUSED};
    qsort(t.fired.at, t.fired.len, sizeof *t.fired.at, by_place);
    return (Distribution){.outcome = DISTRIBUTE_DONE, .edits = rewrite_edits(t.rewrite),
                          .fired = t.fired.at, .fired_count = t.fired.len};
}

Distribution distribute_unit(const DistributeCx *cx)
{
    DistributeOutcome outcome;
    if (is_settled(cx, &outcome))
        return (Distribution){.outcome = outcome};
    return transform(cx);
}
