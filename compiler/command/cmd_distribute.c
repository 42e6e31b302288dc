// cmd_distribute.c - `distribute`: a training script as many processes run it, to standard output,
// a file or in its place; or as a diff. `check --collectives`: what such a script may do wrong.

#include <string.h>

#include "compiler/base/diff.h"
#include "compiler/base/json.h"
#include "compiler/command/command.h"
#include "compiler/command/file.h"
#include "compiler/distribute/collective.h"
#include "compiler/distribute/distribute.h"
#include "compiler/front/front.h"

// One script as it is read.
typedef struct Script {
    const char *path;
    Text bytes;
    DistributeCx cx;
} Script;

static bool given(const Session *s, OptionId id, const char *value)
{
    return s->options.value[id] != NULL && strcmp(s->options.value[id], value) == 0;
}

static DistributeScale wanted_scale(const Session *s)
{
    return given(s, OPTION_LR_SCALE, "none")   ? SCALE_NONE
           : given(s, OPTION_LR_SCALE, "sqrt") ? SCALE_SQRT
                                               : SCALE_LINEAR;
}

static Framework wanted_framework(const Session *s)
{
    return given(s, OPTION_FRAMEWORK, "tf")      ? FRAMEWORK_TF
           : given(s, OPTION_FRAMEWORK, "keras") ? FRAMEWORK_KERAS
           : given(s, OPTION_FRAMEWORK, "ddp")   ? FRAMEWORK_DDP
                                                 : FRAMEWORK_HOROVOD;
}

static bool many_hosts(const Session *s)
{
    const char *workers = s->options.value[OPTION_WORKERS];
    return workers != NULL && strcmp(workers, "1") != 0;
}

static const char *wanted_warmup(const Session *s)
{
    const char *steps = s->options.value[OPTION_WARMUP];
    return steps != NULL && strspn(steps, "0") < strlen(steps) ? steps : NULL;
}

static Status read_script(Session *s, const char *path, Script *script)
{
    const char *why;
    *script = (Script){.path = path};
    if (!file_read(s->arena, path, &script->bytes, &why)) {
        session_report(s, DIAG_FILE_MISSING, "cannot read `%s`: %s", path, why);
        return STATUS_FILE;
    }
    s->files++;
    diags_set_source(s->diags, NULL);
    const Source *source = front_decode(s->arena, path, script->bytes, s->diags);
    if (source == NULL)
        return STATUS_ERRORS;
    diags_set_source(s->diags, source);
    script->cx = (DistributeCx){
        .arena = s->arena, .names = s->names, .source = source, .diags = s->diags,
        .unit = front_parse(s->arena, s->names, source, s->diags),
        .options = {.rules = given(s, OPTION_RULES, "seed") ? RULES_SEED : RULES_DEFAULT,
                    .framework = wanted_framework(s),
                    .many_hosts = many_hosts(s), .scale = wanted_scale(s),
                    .warmup = wanted_warmup(s)},
    };
    return diags_error_count(s->diags) > 0 ? STATUS_ERRORS : STATUS_DONE;
}

// ---- encodings ----

static bool is_latin1(const Script *script)
{
    Text utf8 = script->cx.source->text;
    size_t at = 0;
    for (size_t i = 0; i < script->bytes.len; i++) {
        unsigned char c = (unsigned char)script->bytes.at[i];
        size_t need = c < 128 ? 1 : 2;
        if (at + need > utf8.len)
            return false;
        unsigned char first = (unsigned char)utf8.at[at];
        if (c < 128 ? first != c : first != (0xC0 | c >> 6) ||
                                   (unsigned char)utf8.at[at + 1] != (0x80 | (c & 0x3F)))
            return false;
        at += need;
    }
    return at == utf8.len;
}

static Text to_latin1(Session *s, Text utf8)
{
    char *bytes = arena_alloc(s->arena, utf8.len + 1);
    size_t n = 0;
    for (size_t i = 0; i < utf8.len; i++) {
        unsigned char c = (unsigned char)utf8.at[i];
        bytes[n++] = c < 128 ? (char)c : (char)((c & 3) << 6 | (utf8.at[++i] & 0x3F));
    }
    return (Text){bytes, n};
}

// The text in the encoding of the file: UTF-8, with its mark if it has one, or Latin-1.
static bool encode(Session *s, const Script *script, Text *text)
{
    Text old = script->cx.source->text, bytes = script->bytes;
    size_t mark = bytes.len >= 3 && memcmp(bytes.at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    bool marked = mark > 0 && old.len + mark == bytes.len;
    size_t skip = marked ? mark : 0;
    if (old.len + skip == bytes.len && memcmp(old.at, bytes.at + skip, old.len) == 0) {
        Buf b = buf_new(s->arena);
        buf_raw(&b, bytes.at, skip);
        buf_raw(&b, text->at, text->len);
        *text = (Text){buf_text(&b), b.len};
        return true;
    }
    if (is_latin1(script)) {
        *text = to_latin1(s, *text);
        return true;
    }
    Diag *d = session_report(s, DIAG_ENCODING_KEPT, "`%s` is encoded neither in UTF-8 nor in "
                             "Latin-1, so it cannot be converted", script->path);
    diag_help(d, "save the file as UTF-8, and remove the declaration of its encoding");
    return false;
}

// ---- output ----

static void explain_rules(Session *s, const Script *script, const Distribution *made)
{
    for (size_t i = 0; i < made->fired_count; i++)
        session_say(s, "%s:%u: %s\n", script->path,
                    (unsigned)source_place(script->cx.source, made->fired[i].at.start).line,
                    made->fired[i].id);
}

static const char *outcome_name(DistributeOutcome outcome)
{
    switch (outcome) {
    case DISTRIBUTE_DONE: return "done";
    case DISTRIBUTE_ALREADY: return "already";
    case DISTRIBUTE_REFUSED: break;
    }
    return "refused";
}

// What was done with a file, on a line of its own if it is for a machine.
static Status print_report(Session *s, const Script *script, const Distribution *made)
{
    Buf b = buf_new(s->arena);
    bool json = *s->options.value[OPTION_REPORT] != '\0';
    const char *outcome = outcome_name(made->outcome);
    if (json) {
        buf_puts(&b, "{\"file\":");
        json_string(&b, (Text){script->path, strlen(script->path)});
        buf_printf(&b, ",\"outcome\":\"%s\",\"rules\":[", outcome);
    } else {
        buf_printf(&b, "%s: %s\n", script->path, outcome);
    }
    for (size_t i = 0; i < made->fired_count; i++) {
        Place place = source_place(script->cx.source, made->fired[i].at.start);
        const char *id = made->fired[i].id;
        if (json)
            buf_printf(&b, "%s{\"id\":\"%s\",\"line\":%u,\"column\":%u}", i > 0 ? "," : "", id,
                       (unsigned)place.line, (unsigned)place.column);
        else
            buf_printf(&b, "%s:%u: %s\n", script->path, (unsigned)place.line, id);
    }
    buf_puts(&b, json ? "]}\n" : "");
    return file_write_stdout((Text){buf_text(&b), b.len}) ? STATUS_DONE : STATUS_FILE;
}

static Status write_out(Session *s, const Script *script, Text text)
{
    const char *out = s->options.value[OPTION_OUTPUT];
    bool same = text.len == script->bytes.len &&
                memcmp(text.at, script->bytes.at, text.len) == 0;
    if (s->options.value[OPTION_CHANGES] || s->options.value[OPTION_DIFF]) {
        Buf b = buf_new(s->arena);
        if (s->options.value[OPTION_DIFF])
            diff_print(&b, script->path, script->bytes, script->path, text);
        if (b.len > 0 && !file_write_stdout((Text){buf_text(&b), b.len}))
            return STATUS_FILE;
        return same ? STATUS_DONE : STATUS_ERRORS;
    }
    if (s->options.value[OPTION_IN_PLACE])
        return same ? STATUS_DONE : session_replace(s, script->path, text, REPLACE_EDITED);
    if (out == NULL && s->options.value[OPTION_REPORT])
        return STATUS_DONE;
    return session_write_new(s, out, text);
}

// Our own output is checked before it is written: what is wrong there is a fault of ours.
static bool is_sound(Session *s, const Script *script, Text text)
{
    DistributeCx cx = script->cx;
    cx.diags = diags_new(s->arena);
    cx.source = source_new(s->arena, script->path, text);
    diags_set_source(cx.diags, cx.source);
    cx.unit = front_parse(s->arena, s->names, cx.source, cx.diags);
    if (diags_error_count(cx.diags) == 0 &&
        (cx.options.rules == RULES_SEED || collective_check(&cx) == 0))
        return true;
    const Diag *d = diags_get(cx.diags, 0);
    unsigned line = source_place(cx.source, d->at.start).line;
    session_report(s, DIAG_INTERNAL, "the distributed script of `%s` is not valid in line %u: %s",
                   script->path, line, d->text);
    return false;
}

// The first thing that stands against it is enough for a person, until asked.
static void show_first(Session *s)
{
    const char **value = s->options.value;
    if (!value[OPTION_FIRED] && !value[OPTION_MAX_ERRORS] && s->options.operands.len == 1 &&
        !session_for_machine(s))
        value[OPTION_MAX_ERRORS] = "1";
}

static Status distribute_file(Session *s, const char *path)
{
    Script script;
    Status status = read_script(s, path, &script);
    if (status != STATUS_DONE)
        return status;
    Distribution made = distribute_unit(&script.cx);
    if (s->options.value[OPTION_REPORT])
        status = print_report(s, &script, &made);
    if (status != STATUS_DONE)
        return status;
    if (made.outcome == DISTRIBUTE_REFUSED) {
        show_first(s);
        return STATUS_ERRORS;
    }
    if (made.outcome == DISTRIBUTE_ALREADY)
        return write_out(s, &script, script.bytes);
    Edited edited = edits_apply(s->arena, script.cx.source->text, &made.edits);
    if (edited.text.at == NULL) {
        session_report(s, DIAG_INTERNAL, "two edits of `%s` overlap", path);
        return STATUS_INTERNAL;
    }
    if (!is_sound(s, &script, edited.text))
        return STATUS_INTERNAL;
    if (!encode(s, &script, &edited.text))
        return STATUS_ERRORS;
    if (s->options.value[OPTION_FIRED])
        explain_rules(s, &script, &made);
    return write_out(s, &script, edited.text);
}

static bool usage_fits(Session *s)
{
    if (!session_outputs_fit(s))
        return false;
    if (wanted_framework(s) != FRAMEWORK_HOROVOD && given(s, OPTION_RULES, "seed")) {
        session_report(s, DIAG_USAGE, "`--rules=seed` requires `--target=horovod`");
        return false;
    }
    const char *workers = s->options.value[OPTION_WORKERS];
    if (workers != NULL && strspn(workers, "0") == strlen(workers)) {
        Diag *d = session_report(s, DIAG_USAGE, "`--workers=%s`: the script needs at least one "
                                 "host", workers);
        diag_help(d, "give the number of hosts that run the script");
        return false;
    }
    if (many_hosts(s) && wanted_framework(s) != FRAMEWORK_TF) {
        session_report(s, DIAG_USAGE, "`--workers` requires `--target=tf`");
        return false;
    }
    return true;
}

Status cmd_collectives(Session *s)
{
    Status worst = STATUS_DONE;
    for (size_t i = 0; i < s->options.operands.len; i++) {
        Script script;
        Status status = read_script(s, s->options.operands.at[i], &script);
        if (status == STATUS_DONE && collective_check(&script.cx) > 0)
            status = STATUS_ERRORS;
        if (status > worst)
            worst = status;
        session_print_diags(s);
    }
    return worst;
}

Status cmd_distribute(Session *s)
{
    Status worst = STATUS_DONE;
    if (!usage_fits(s))
        return STATUS_USAGE;
    for (size_t i = 0; i < s->options.operands.len; i++) {
        Status status = distribute_file(s, s->options.operands.at[i]);
        if (status > worst)
            worst = status;
        session_print_diags(s);
    }
    return worst;
}
