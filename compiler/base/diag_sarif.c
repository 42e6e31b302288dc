// diag_sarif.c - all diagnostics as one document of SARIF 2.1.0 (OASIS).
//
// A diagnostic about a source is a result; one about no source (a file, an option, a role that
// failed) is a notification of the invocation. Labels are related locations, helps with edits are
// fixes. Fingerprints do not depend on line numbers, so that a result is known again when lines
// are put in before it.

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "compiler/base/diag_out_internal.h"
#include "compiler/base/diag_page.h"
#include "compiler/base/json.h"
#include "compiler/base/sha256.h"
#include "compiler/base/version.h"

typedef struct Sarif {
    Buf   *b;
    Arena *arena;
    const DiagOut *out;
    int    rule_index[DIAG_COUNT];
    Vec(const char *) fingerprints;
} Sarif;

static void put(Sarif *s, const char *text) { buf_puts(s->b, text); }

static void put_string(Sarif *s, const char *text)
{
    json_string(s->b, (Text){text, strlen(text)});
}

// {"text": ...}
static void put_message(Sarif *s, const char *text)
{
    put(s, "{\"text\":");
    put_string(s, text);
    put(s, "}");
}

static const char *level_of(const Diag *d)
{
    return d->severity == SEVERITY_ERROR ? "error" : "warning";
}

// ---- places ----

// A path below the folder loses it; another absolute path becomes a URI of its own.
static const char *relative_path(const Sarif *s, const char *path, bool *absolute)
{
    const char *folder = s->out->style.folder;
    size_t len = folder != NULL ? strlen(folder) : 0;
    *absolute = false;
    if (len > 0 && strncmp(path, folder, len) == 0 && path[len] == '/')
        return path + len + 1;
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    *absolute = path[0] == '/';
    return path;
}

static void put_uri(Sarif *s, const char *path)
{
    bool absolute;
    Buf uri = buf_new(s->arena);
    path = relative_path(s, path, &absolute);
    if (absolute)
        buf_puts(&uri, "file://");
    for (; *path != '\0'; path++)
        if (isalnum((unsigned char)*path) || strchr("-._~/", *path) != NULL)
            buf_raw(&uri, path, 1);
        else
            buf_printf(&uri, "%%%02X", (unsigned)(unsigned char)*path);
    put(s, "{\"uri\":");
    put_string(s, buf_text(&uri));
    put(s, absolute ? "}" : ",\"uriBaseId\":\"%SRCROOT%\"}");
}

static void put_region(Sarif *s, const Source *source, Span at)
{
    Range r = diag_range(source, at);
    buf_printf(s->b, "{\"startLine\":%u,\"startColumn\":%u,\"endLine\":%u,\"endColumn\":%u}",
               (unsigned)r.start.line, (unsigned)r.start.column, (unsigned)r.end.line,
               (unsigned)r.end.column);
}

static void put_physical(Sarif *s, const Source *source, Span at)
{
    put(s, "\"physicalLocation\":{\"artifactLocation\":");
    put_uri(s, source->name);
    put(s, ",\"region\":");
    put_region(s, source, at);
    put(s, "}");
}

// ---- one result ----

static void put_related(Sarif *s, const Diag *d)
{
    put(s, ",\"relatedLocations\":[");
    for (size_t i = 0; i < d->label_count; i++) {
        buf_printf(s->b, "%s{\"id\":%lu,", i > 0 ? "," : "", (unsigned long)i + 1);
        put_physical(s, d->source, d->labels[i].at);
        put(s, ",\"message\":");
        put_message(s, d->labels[i].text);
        put(s, "}");
    }
    put(s, "]");
}

static void put_fix(Sarif *s, const Diag *d, const Help *h)
{
    put(s, "{\"description\":");
    put_message(s, h->text);
    put(s, ",\"artifactChanges\":[{\"artifactLocation\":");
    put_uri(s, d->source->name);
    put(s, ",\"replacements\":[");
    for (size_t i = 0; i < h->edit_count; i++) {
        put(s, i > 0 ? ",{\"deletedRegion\":" : "{\"deletedRegion\":");
        put_region(s, d->source, h->edits[i].at);
        put(s, ",\"insertedContent\":");
        put_message(s, h->edits[i].text);
        put(s, "}");
    }
    put(s, "]}]}");
}

static void put_fixes(Sarif *s, const Diag *d)
{
    const char *separator = "";
    put(s, ",\"fixes\":[");
    for (const Help *h = d->helps; h != NULL; h = h->next)
        if (h->edit_count > 0) {
            put(s, separator);
            put_fix(s, d, h);
            separator = ",";
        }
    put(s, "]");
}

// Of the code, the role, and the line without its blanks; the same again is numbered.
static void put_fingerprint(Sarif *s, const Diag *d)
{
    char hex[SHA256_HEX_SIZE];
    Buf key = buf_new(s->arena);
    size_t same = 1;
    bool absolute;
    Text line = source_line(d->source, diag_range(d->source, d->at).start.line);
    buf_printf(&key, "%s %s %s ", diag_code(d->id), d->role ? d->role : "",
               relative_path(s, d->source->name, &absolute));
    for (size_t i = 0; i < line.len; i++)
        if (line.at[i] != ' ' && line.at[i] != '\t')
            buf_raw(&key, line.at + i, 1);
    sha256_hex(key.at, key.len, hex);
    for (size_t i = 0; i < s->fingerprints.len; i++)
        same += strcmp(s->fingerprints.at[i], hex) == 0;
    const char *kept = arena_strndup(s->arena, hex, SHA256_HEX_SIZE - 1);
    vec_push(s->arena, &s->fingerprints, kept);
    buf_printf(s->b, ",\"partialFingerprints\":{\"primaryLocationLineHash\":\"%.16s:%lu\"}", hex,
               (unsigned long)same);
}

// The headline, with notes and helps in lines of their own.
static void put_whole_message(Sarif *s, const Diag *d)
{
    Buf text = buf_new(s->arena);
    buf_puts(&text, d->text);
    for (const Note *n = d->notes; n != NULL; n = n->next)
        buf_printf(&text, "\nnote: %s", n->text);
    for (const Help *h = d->helps; h != NULL; h = h->next)
        buf_printf(&text, "\nhelp: %s", h->text);
    put_message(s, buf_text(&text));
}

static void put_roles(Sarif *s, const Diag *d)
{
    RoleNames roles = {.arena = s->arena};
    diag_all_roles(d, &roles);
    put(s, ",\"properties\":{\"roles\":[");
    for (size_t i = 0; i < roles.names.len; i++) {
        put(s, i > 0 ? "," : "");
        put_string(s, roles.names.at[i]);
    }
    put(s, "]}");
}

static void put_result(Sarif *s, const Diag *d)
{
    buf_printf(s->b, "{\"ruleId\":\"%s\",\"ruleIndex\":%d,\"level\":\"%s\",\"message\":",
               diag_code(d->id), s->rule_index[d->id], level_of(d));
    put_whole_message(s, d);
    put(s, ",\"locations\":[{");
    put_physical(s, d->source, d->at);
    put(s, "}]");
    put_related(s, d);
    put_fixes(s, d);
    put_fingerprint(s, d);
    put_roles(s, d);
    put(s, "}");
}

// ---- the document ----

static void put_rule(Sarif *s, DiagId id)
{
    buf_printf(s->b, "{\"id\":\"%s\",\"shortDescription\":", diag_code(id));
    put_message(s, diag_summary(id));
    put(s, ",\"help\":{\"text\":");
    put_string(s, diag_page(id));
    put(s, ",\"markdown\":");
    put_string(s, diag_page(id));
    buf_printf(s->b, "},\"defaultConfiguration\":{\"level\":\"%s\"}}",
               diag_code(id)[0] == 'E' ? "error" : "warning");
}

static void put_rules(Sarif *s)
{
    int count = 0;
    put(s, "\"rules\":[");
    for (int i = 0; i < DIAG_COUNT; i++)
        if (s->out->given[i]) {
            put(s, count > 0 ? "," : "");
            put_rule(s, (DiagId)i);
            s->rule_index[i] = count++;
        }
    put(s, "]");
}

static void put_notification(Sarif *s, const Diag *d)
{
    buf_printf(s->b, "{\"descriptor\":{\"id\":\"%s\"},\"level\":\"%s\",\"message\":",
               diag_code(d->id), level_of(d));
    put_whole_message(s, d);
    put(s, "}");
}

// Those with a source, or those without.
static void put_kept(Sarif *s, bool with_source)
{
    const char *separator = "";
    for (size_t i = 0; i < s->out->kept.len; i++) {
        const Diag *d = s->out->kept.at[i];
        if ((d->source != NULL) != with_source)
            continue;
        put(s, separator);
        if (with_source)
            put_result(s, d);
        else
            put_notification(s, d);
        separator = ",";
    }
}

void diag_sarif_end(Buf *b, const DiagOut *out, int exit_code)
{
    Sarif s = {.b = b, .arena = out->arena, .out = out};
    put(&s, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\","
            "\"runs\":[{\"tool\":{\"driver\":{\"name\":\"pychoralc\",\"version\":\""
            PYCHORAL_VERSION "\",");
    put_rules(&s);
    put(&s, "}},\"columnKind\":\"unicodeCodePoints\",\"invocations\":[{");
    // Errors in the input are a success of the tool: only other exit codes are failures.
    buf_printf(b, "\"executionSuccessful\":%s,\"exitCode\":%d,\"toolExecutionNotifications\":[",
               exit_code <= 1 ? "true" : "false", exit_code);
    put_kept(&s, false);
    put(&s, "]}],\"results\":[");
    put_kept(&s, true);
    put(&s, "]}]}\n");
}
