// options.c - an endpoint's command line.
//
// Every option takes one value (`--name VALUE` or `--name=VALUE`), also one that starts with a
// dash. A parameter `p` of role R is the option `--p`, unless the runtime has that name, and
// always also `--R.p`.

#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "file.h"
#include "frame.h"
#include "price.h"

enum { MAX_CONFIG = 1 << 20 };

// Everything that reading one option needs.
typedef struct {
    const PychoralProgram *program;
    PychoralSettings *settings;
    PychoralFault *fault;
} Reader;

typedef bool Setter(Reader *r, const char *value);

typedef struct {
    const char *name;
    Setter *set;
    const char *value;                  // as help shows it; NULL: a flag
    const char *help;
} Option;

static bool wrong(Reader *r, const char *what, const char *value)
{
    return pychoral_fault_set(r->fault, PYCHORAL_EXIT_USAGE, what, value);
}

// --- values of options ---

static bool seconds(Reader *r, const char *name, const char *value, double *number)
{
    char *end;
    double found = strtod(value, &end);
    bool is_number = end != value && !*end && found >= 0 && found < 1e9;
    bool may_be_0 = strcmp(name, "timeout") == 0;       // `--timeout 0` sets no bound
    if (!is_number || (found == 0 && !may_be_0))
        return pychoral_fault_set(r->fault, PYCHORAL_EXIT_USAGE,
                                  "--%s must be a number of seconds, %s 0 and less than "
                                  "1000000000, not '%.80s'", name,
                                  may_be_0 ? "at least" : "more than", value);
    *number = found;
    return true;
}

static bool set_timeout(Reader *r, const char *value)
{
    return seconds(r, "timeout", value, &r->settings->timeout);
}

static bool set_lost_after(Reader *r, const char *value)
{
    return seconds(r, "lost-after", value, &r->settings->lost_after);
}

static bool set_connect_timeout(Reader *r, const char *value)
{
    return seconds(r, "connect-timeout", value, &r->settings->connect_timeout);
}

static bool set_max_decoded(Reader *r, const char *value)
{
    size_t digits = strspn(value, "0123456789");
    uint64_t number = digits > 0 && digits < 16 && !value[digits] ? strtoull(value, NULL, 10) : 0;
    if (number < PYCHORAL_PRICE_LEAST)
        return pychoral_fault_set(r->fault, PYCHORAL_EXIT_USAGE,
                                  "--max-decoded must be a number of bytes in digits, from %d "
                                  "to 999999999999999, not '%.80s'", PYCHORAL_PRICE_LEAST, value);
    r->settings->max_decoded = number;
    return true;
}

static bool check_address(Reader *r, const char *name, const char *address)
{
    const char *what = pychoral_address_wrong(address);
    return !what || pychoral_fault_set(r->fault, PYCHORAL_EXIT_USAGE, "--%s: '%.200s' %s", name,
                                       address, what);
}

// The settings of the peer that `text` names before `=`; NULL with a fault if there is none.
static PychoralPeerSettings *peer_named(Reader *r, const char *name, const char *text)
{
    size_t length = strcspn(text, "=");
    char peers[400] = "";
    for (size_t i = 0; i < r->program->peer_count; i++) {
        const char *peer = r->program->peers[i].name;
        if (strlen(peer) == length && strncmp(peer, text, length) == 0 && text[length])
            return &r->settings->peers[i];
        size_t used = strlen(peers);
        snprintf(peers + used, sizeof peers - used, "%s%s", i ? ", " : "", peer);
    }
    pychoral_fault_set(r->fault, PYCHORAL_EXIT_USAGE,
                       "--%s takes %sADDRESS, with ROLE one of: %s; an ADDRESS is tcp://HOST:PORT "
                       "or ipc:///PATH", name, strcmp(name, "bind") == 0 ? "[ROLE=]" : "ROLE=",
                       peers[0] ? peers : "none");
    return NULL;
}

static bool set_connect(Reader *r, const char *value)
{
    PychoralPeerSettings *peer = peer_named(r, "connect", value);
    const char *address = peer ? strchr(value, '=') + 1 : NULL;
    if (!peer || !check_address(r, "connect", address))
        return false;
    if (strncmp(address, "tcp://*:", strlen("tcp://*:")) == 0)
        return pychoral_fault_set(r->fault, PYCHORAL_EXIT_USAGE,
                                  "--connect: '%.200s' is an address to listen at; give the host "
                                  "of %.*s", address, (int)(address - value - 1), value);
    *peer = (PychoralPeerSettings){.dial = address};
    return true;
}

// `--bind ADDRESS`, or `--bind ROLE=ADDRESS` of earlier versions: that role dials this one.
static bool set_bind(Reader *r, const char *value)
{
    const char *address = value;
    if (!pychoral_address_has_kind(value)) {
        PychoralPeerSettings *peer = peer_named(r, "bind", value);
        if (!peer)
            return false;
        *peer = (PychoralPeerSettings){.listen = true};
        address = strchr(value, '=') + 1;
    }
    if (!check_address(r, "bind", address))
        return false;
    const char *before = r->settings->bind;
    if (before && strcmp(before, address) != 0)
        return wrong(r, "--bind is given twice: this role already listens at %.200s, and one "
                     "address serves all peers", before);
    r->settings->bind = address;
    return true;
}

static bool set_manifest(Reader *r, const char *value)
{
    return r->settings->manifest = value, true;
}

static bool set_key(Reader *r, const char *value)
{
    return r->settings->key = value, true;
}

static bool set_run(Reader *r, const char *value)
{
    if (strlen(value) > 500)
        return wrong(r, "--run: the name '%.40s...' is longer than 500 bytes", value);
    if (!pychoral_text_is_sound((const uint8_t *)value, strlen(value))) {
        char shown[PYCHORAL_TEXT_MAX];
        snprintf(shown, sizeof shown, "%s", value);
        pychoral_string_clean(shown, sizeof shown);
        return wrong(r, "--run: '%s' is not UTF-8 text", shown);
    }
    return r->settings->run = value, true;
}

static bool set_secret(Reader *r, const char *value)
{
    for (size_t length; *value; value += length + (value[length] == ',')) {
        const PychoralProgram *program = r->program;
        size_t i = 0;
        length = strcspn(value, ",");
        while (i < program->parameter_count &&
               (strlen(program->parameters[i].name) != length ||
                strncmp(program->parameters[i].name, value, length) != 0))
            i++;
        if (i == program->parameter_count)
            return pychoral_fault_set(r->fault, PYCHORAL_EXIT_USAGE,
                                      "--secret: '%.*s' is not a parameter of %s",
                                      (int)(length < 80 ? length : 80), value, program->role);
        r->settings->secret[i] = true;
    }
    return true;
}

static bool set_plain(Reader *r, const char *value)
{
    (void)value;
    return r->settings->plain = true;
}

static bool set_help(Reader *r, const char *value)
{
    (void)value;
    return r->settings->help = true;
}

static bool set_log_json(Reader *r, const char *value)
{
    return r->settings->log_json = value, true;
}

static bool set_history(Reader *r, const char *value)
{
    return r->settings->history = value, true;
}

static bool set_trace(Reader *r, const char *value)
{
    return r->settings->trace = value, true;
}

static bool set_show(Reader *r, const char *value)
{
    return r->settings->show = value, true;
}

static bool set_watch(Reader *r, const char *value)
{
    return r->settings->watch = value, true;
}

static bool set_journal(Reader *r, const char *value)
{
    return r->settings->journal = value, true;
}

static bool set_log_level(Reader *r, const char *value)
{
    static const char *const names[] = {"error", "warning", "info", "debug"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(value, names[i]) != 0)
            continue;
        r->settings->log_level = (PychoralLogLevel)i;
        return true;
    }
    return wrong(r, "--log-level takes one of error, warning, info, debug", value);
}

static Setter set_config;

// In the order and the words of settings.py, which tests/runtime-c/test_options.py compares.
static const Option OPTIONS[] = {
    {"bind", set_bind, "[ROLE=]ADDRESS",
     "listen at a ZeroMQ address (with ROLE: that role dials)"},
    {"connect", set_connect, "ROLE=ADDRESS", "reach ROLE at a ZeroMQ address"},
    {"manifest", set_manifest, "FILE",
     "the roles of the run, with their addresses and public keys"},
    {"key", set_key, "FILE", "this role's secret key (default: beside the manifest)"},
    {"plain", set_plain, NULL, "allow unencrypted addresses that others can reach"},
    {"run", set_run, "NAME", "distinguish runs that run at the same time"},
    {"timeout", set_timeout, "SECONDS",
     "end every wait that is longer (default: none for a peer that answers)"},
    {"connect-timeout", set_connect_timeout, "SECONDS",
     "how long a peer may take to start (default 30)"},
    {"lost-after", set_lost_after, "SECONDS", "how long a peer may be unreachable (default 10)"},
    {"max-decoded", set_max_decoded, "BYTES",
     "the largest decoded size of a message, by estimate: it can take up to\n"
     "7 times that in memory (default: 4 times the limit of a message)"},
    {"secret", set_secret, "NAME,..",
     "never show the values of these options to other roles; otherwise, when\n"
     "two roles' values differ, each role's error message shows both"},
    {"log-level", set_log_level, "LEVEL",
     "report on standard error: error, warning (default), info or debug"},
    {"log-json", set_log_json, "FILE",
     "write all reports as JSON, an object a line (`-`: standard error)"},
    {"journal", set_journal, "FILE",
     "record the run: a restart with it continues where the role stopped"},
    {"history", set_history, "FILE", "write every message sent and read as JSON, an object a line"},
    {"trace", set_trace, "FILE",
     "write all events in order, for ShiViz (NAME.shiviz, NAME.log) or as\n"
     "Chrome's trace events (NAME.json); those of all roles are joined by\n"
     "`PYTHONPATH=HERE python3 -m pychoral.trace FILE... -o OUT`, where HERE\n"
     "is the folder of a program in Python"},
    {"show", set_show, "FILE", "write every message before it is sent, with its place and value"},
    {"watch", set_watch, "FILE",
     "write which peer the role waits for (`pychoralc run` reads both)"},
    {"config", set_config, "FILE", "read these options, except `--config`, from a JSON file"},
    {"help", set_help, NULL, "show this text"},
};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof *OPTIONS };

// --- the configuration file ---

static bool set_all(Reader *r, Setter *set, const PychoralJsonValue *roles)
{
    for (const PychoralJsonValue *each = roles->first; each; each = each->next) {
        char text[1100];
        if (each->kind != PYCHORAL_JSON_STRING)
            return wrong(r, "--config: the address of `%.80s` is not a string", each->key);
        snprintf(text, sizeof text, "%.500s=%.500s", each->key, each->text);
        if (!set(r, text))
            return false;
        for (size_t i = 0; i < r->program->peer_count; i++) {  // `text` does not last
            PychoralPeerSettings *peer = &r->settings->peers[i];
            if (peer->dial && strcmp(r->program->peers[i].name, each->key) == 0)
                peer->dial = each->text;
        }
        if (set == set_bind)
            r->settings->bind = each->text;
    }
    return true;
}

// The option that a key of the file means; NULL if it is none that a file can give.
static const Option *option_of(const char *key)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (strcmp(OPTIONS[i].name, key) == 0 && OPTIONS[i].set != set_help &&
            OPTIONS[i].set != set_config)
            return &OPTIONS[i];
    return NULL;
}

static bool apply(Reader *r, const Option *option, const char *value)
{
    if (option->value && strcmp(option->value, "FILE") == 0 && !*value)
        return wrong(r, "--%s needs a file name", option->name);
    return option->set(r, value);
}

static bool set_member(Reader *r, const char *path, const PychoralJsonValue *value)
{
    const Option *option = option_of(value->key);
    if (!option)
        return pychoral_fault_set(r->fault, PYCHORAL_EXIT_USAGE,
                                  "--config: %.300s: `%.80s` is not an option that a file can "
                                  "give; see --help", path, value->key);
    bool has_roles = option->set == set_bind || option->set == set_connect;
    if (has_roles && value->kind == PYCHORAL_JSON_OBJECT)
        return set_all(r, option->set, value);
    if (option->set == set_plain && value->kind == PYCHORAL_JSON_BOOL)
        return r->settings->plain = value->truth, true;
    bool is_text = value->kind == PYCHORAL_JSON_STRING || value->kind == PYCHORAL_JSON_NUMBER;
    if (option->set != set_plain && is_text)
        return apply(r, option, value->text);
    return pychoral_fault_set(r->fault, PYCHORAL_EXIT_USAGE,
                              "--config: %.300s: the value of `%s` must be %s", path, option->name,
                              option->set == set_plain ? "true or false"
                              : has_roles ? "a string, or an object with an address for each role"
                              : "a string or a number");
}

static bool set_config(Reader *r, const char *path)
{
    size_t size;
    if (r->settings->config)
        return wrong(r, "--config is given twice; the second file is %.200s", path);
    char *text = pychoral_file_read(path, 0, MAX_CONFIG, &size, r->fault);
    if (!text) {
        char reason[400];
        snprintf(reason, sizeof reason, "%.399s", r->fault->text);
        return wrong(r, "--config: %s", reason);
    }
    PychoralFault inner = {0};
    r->settings->config = pychoral_json_read(text, size, &inner);
    free(text);
    if (!r->settings->config)
        return pychoral_fault_set(r->fault, PYCHORAL_EXIT_USAGE, "--config: %.300s: %.300s", path,
                                  inner.text);
    const PychoralJsonValue *root = pychoral_json_root(r->settings->config);
    if (root->kind != PYCHORAL_JSON_OBJECT)
        return wrong(r, "--config: %.300s is not a JSON object", path);
    for (const PychoralJsonValue *each = root->first; each; each = each->next)
        if (!set_member(r, path, each))
            return false;
    return true;
}

// --- the command line ---

// Whether the word is `--name` or `--name=..`; `-` may be written for `_` and the other way round.
static bool is_named(const char *word, const char *name)
{
    for (word += 2; *name; word++, name++) {
        bool dash = (*word == '-' || *word == '_') && (*name == '-' || *name == '_');
        if (*word != *name && !dash)
            return false;
    }
    return *word == 0 || *word == '=';
}

static const Option *find_option(const char *word)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (is_named(word, OPTIONS[i].name))
            return &OPTIONS[i];
    return NULL;
}

// The index of the parameter that `--name` or `--ROLE.name` gives; -1 if there is none.
static int find_parameter(const PychoralProgram *program, const char *word)
{
    size_t length = strlen(program->role);
    for (size_t i = 0; i < program->parameter_count; i++) {
        const char *name = program->parameters[i].name;
        if (strncmp(word + 2, program->role, length) == 0 && word[2 + length] == '.' &&
            is_named(word + length + 1, name))
            return (int)i;
        if (is_named(word, name) && !find_option(word))
            return (int)i;
    }
    return -1;
}

// The value of the option at argv[*at], which is moved on if it is the next word.
static bool value_of(Reader *r, char **argv, int argc, int *at, const char **value)
{
    const char *equals = strchr(argv[*at], '=');
    if (equals) {
        *value = equals + 1;
        return true;
    }
    if (*at + 1 == argc)
        return wrong(r, "%.80s needs a value", argv[*at]);
    *value = argv[++*at];
    return true;
}

static bool read_word(Reader *r, char **argv, int argc, int *at)
{
    const char *word = argv[*at], *value = NULL;
    if (strncmp(word, "--", 2) != 0)
        return wrong(r, "`%.80s` is not an option; see --help", word);
    int parameter = find_parameter(r->program, word);
    if (parameter >= 0)
        return value_of(r, argv, argc, at, &r->settings->arguments[parameter]);
    const Option *option = find_option(word);
    if (!option)
        return pychoral_fault_set(r->fault, PYCHORAL_EXIT_USAGE,
                                  "there is no option %.*s; see --help",
                                  (int)strcspn(word, "=") % 80, word);
    if (!option->value && strchr(word, '='))
        return wrong(r, "--%s takes no value", option->name);
    if (option->value && !value_of(r, argv, argc, at, &value))
        return false;
    return apply(r, option, value);
}

// The option of a parameter, as it must be spelled: the runtime's own names come first.
static void spell(const PychoralProgram *program, size_t index, char *text, size_t size)
{
    const char *name = program->parameters[index].name;
    snprintf(text, size, "--%s", name);
    if (find_option(text))
        snprintf(text, size, "--%s.%s", program->role, name);
}

// The text of a parameter as a value of its row.
static bool read_value(Reader *r, size_t index, const char *option)
{
    const PychoralParameter *each = &r->program->parameters[index];
    PychoralStr *reason, *shown;
    void *value = calloc(1, each->row->size);
    if (!value)
        return wrong(r, "%s", "memory is exhausted");
    r->settings->values[index] = value;
    if (r->program->reading->read(each->row, r->settings->arguments[index], value, &reason))
        return true;
    shown = r->program->reading->shown(r->settings->arguments[index]);
    pychoral_fault_set(r->fault, PYCHORAL_EXIT_USAGE, "%s: %s is not a valid %s (%s)", option,
                       shown->data, each->type, reason->data);
    pychoral_release(&pychoral_type_str, &shown);
    pychoral_release(&pychoral_type_str, &reason);
    free(value);
    r->settings->values[index] = NULL;
    return false;
}

static bool take_values(Reader *r)
{
    for (size_t i = 0; i < r->program->parameter_count; i++) {
        const PychoralParameter *each = &r->program->parameters[i];
        bool is_given = r->settings->arguments[i] != NULL;
        if (!is_given)
            r->settings->arguments[i] = each->standard;
        char option[120];
        spell(r->program, i, option, sizeof option);
        if (!is_given && !each->standard && !each->make_default)
            return pychoral_fault_set(r->fault, PYCHORAL_EXIT_USAGE,
                                      "%s is missing (a value of type %s)", option, each->type);
        if (each->row && (is_given || !each->make_default) && !read_value(r, i, option))
            return false;
    }
    return true;
}

bool pychoral_options_read(const PychoralProgram *program, int argc, char **argv,
                           PychoralSettings *settings, PychoralFault *fault)
{
    Reader r = {program, settings, fault};
    *settings = (PychoralSettings){.log_level = PYCHORAL_LOG_WARNING, .program = program,
                                   .word_count = argc, .words = argv};
    settings->peers = calloc(program->peer_count + 1, sizeof *settings->peers);
    settings->arguments = calloc(program->parameter_count + 1, sizeof *settings->arguments);
    settings->values = calloc(program->parameter_count + 1, sizeof *settings->values);
    settings->secret = calloc(program->parameter_count + 1, sizeof *settings->secret);
    if (!settings->peers || !settings->arguments || !settings->values || !settings->secret)
        return wrong(&r, "%s", "memory is exhausted");
    for (int i = 1; i < argc; i++) {
        if (!read_word(&r, argv, argc, &i))
            return false;
        if (settings->help)
            return true;
    }
    if (settings->key && !settings->manifest)
        return wrong(&r, "%s", "--key needs a --manifest, which lists the roles of the run");
    return take_values(&r);
}

static void free_values(PychoralSettings *settings)
{
    for (size_t i = 0; settings->values && i < settings->program->parameter_count; i++) {
        if (settings->values[i])
            pychoral_release(settings->program->parameters[i].row, settings->values[i]);
        free(settings->values[i]);
    }
    free(settings->values);
}

void pychoral_options_free(PychoralSettings *settings)
{
    pychoral_json_free(settings->config);
    free_values(settings);
    free(settings->peers);
    free(settings->arguments);
    free(settings->secret);
    *settings = (PychoralSettings){0};
}

// Further lines of the text stand below the first.
static void help_line(const char *option, const char *value, const char *help)
{
    char left[160];
    snprintf(left, sizeof left, "  %s%s%s", option, value ? " " : "", value ? value : "");
    for (;; help = strchr(help, '\n') + 1, left[0] = '\0') {
        printf("%-28s  %.*s\n", left, (int)strcspn(help, "\n"), help);
        if (!strchr(help, '\n'))
            return;
    }
}

// The names of an enum's members.
static void put_members(FILE *out, const PychoralType *row)
{
    for (uint32_t i = 0; i < row->count; i++)
        fprintf(out, "%s%s", i ? ", " : " (", row->members[i]);
    fputs(")", out);
}

static void put_default(FILE *out, const PychoralProgram *program, size_t index)
{
    const PychoralParameter *each = &program->parameters[index];
    PychoralStr *repr = each->make_default ? program->reading->repr_of_default(each) : NULL;
    if (repr || each->standard)
        fprintf(out, ", default %s", repr ? repr->data : each->standard);
    pychoral_release(&pychoral_type_str, &repr);
}

static void help_parameter(const PychoralProgram *program, size_t index)
{
    const PychoralParameter *each = &program->parameters[index];
    char option[120], *help = NULL;
    size_t size;
    spell(program, index, option, sizeof option);
    FILE *out = open_memstream(&help, &size);
    if (!out)
        return;
    fputs(each->type, out);
    if (each->row && each->row->kind == PYCHORAL_ENUM)
        put_members(out, each->row);
    put_default(out, program, index);
    for (const char *const *other = each->agreed; other && *other; other++)
        fprintf(out, "%s%s", other == each->agreed ? "; must have the same value at " : ", ",
                *other);
    if (each->help)
        fprintf(out, "; %s", each->help);
    if (fclose(out) == 0)
        help_line(option, "VALUE", help);
    free(help);
}

void pychoral_options_help(const PychoralProgram *program)
{
    printf("%s: the program of role %s of %s; talks to ", program->role, program->role,
           program->source);
    for (size_t i = 0; i < program->peer_count; i++)
        printf("%s%s", i ? ", " : "", program->peers[i].name);
    printf("%s\n\n", program->peer_count ? "" : "no role");
    for (size_t i = 0; i < program->parameter_count; i++)
        help_parameter(program, i);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        char option[40];
        snprintf(option, sizeof option, "--%s", OPTIONS[i].name);
        help_line(option, OPTIONS[i].value, OPTIONS[i].help);
    }
}
