// c_driver.c - reads schedules and prints what the C machine answers (PROTOCOL.md section 4).
//
//     c_driver [FILE...]      standard input if no file is given
//
// driver.py does the same with the Python machine; both must print the same bytes.

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "sha256.h"

enum { WORDS_MAX = 40, MACHINES_MAX = 64, FRAMES_MAX = 1024 };

typedef struct Named {
    char *name;
    PychoralMachine *machine;
    PychoralAgreement agreed;           // the machine's
} Named;

typedef struct Driver {
    Named machines[MACHINES_MAX];
    size_t count;
} Driver;

static const char *const KINDS[] = {"", "HELLO", "WELCOME", "REFUSE", "DATA", "SELECT",
                                    "ACK", "PING", "PONG", "END", "ERROR"};

static void die(const char *what, const char *word)
{
    fprintf(stderr, "c_driver: %s: %s\n", what, word);
    exit(2);
}

// ---- hex ----

static void put_hex(const void *data, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *bytes = data;
    if (size == 0)
        putchar('-');
    for (size_t i = 0; i < size; i++) {
        putchar(digits[bytes[i] >> 4]);
        putchar(digits[bytes[i] & 15]);
    }
}

static void put_text(PychoralText text)
{
    putchar(' ');
    put_hex(text.data, text.size);
}

static void put_frames(const PychoralFrame *frames, size_t count)
{
    if (count == 0)
        putchar('-');
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            putchar(',');
        put_hex(frames[i].data, frames[i].size);
    }
}

static unsigned digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(tolower((unsigned char)c) - 'a' + 10);
}

// Replaces hex by its bytes, in place; their number.
static size_t unhex(char *text)
{
    if (strcmp(text, "-") == 0)
        return 0;
    size_t size = strlen(text) / 2;
    for (size_t i = 0; i < size; i++)
        text[i] = (char)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    return size;
}

static PychoralText unhex_text(char *word)
{
    return (PychoralText){word, unhex(word)};
}

static size_t unhex_frames(char *word, PychoralFrame *out)
{
    size_t count = 0;
    for (char *next; word != NULL && count < FRAMES_MAX; word = next) {
        next = strchr(word, ',');
        if (next != NULL)
            *next++ = '\0';
        size_t size = unhex(word);
        out[count++] = (PychoralFrame){word, size, NULL};
    }
    return count;
}

// ---- what the machine asks for, a line each ----

static void on_send(void *context, uint64_t conn, const PychoralFrame *frames, size_t count)
{
    printf("%s send %" PRIu64 " ", (const char *)context, conn);
    put_frames(frames, count);
    putchar('\n');
}

static void on_dial(void *context) { printf("%s dial\n", (const char *)context); }

static void on_drop(void *context, uint64_t conn)
{
    printf("%s drop %" PRIu64 "\n", (const char *)context, conn);
}

static void on_event(void *context, const PychoralEvent *event)
{
    static const char *const words[] = {"up", "down", "stored_wanted", "peer_end", "peer_error",
                                        "pong", "refused", "fault", "absent", "gone", "left"};
    printf("%s event %s", (const char *)context, words[event->kind]);
    switch (event->kind) {
    case PYCHORAL_EVENT_UP:
    case PYCHORAL_EVENT_STORED_WANTED:
    case PYCHORAL_EVENT_PEER_END:
    case PYCHORAL_EVENT_LEFT: printf(" %" PRIu64, event->number); break;
    case PYCHORAL_EVENT_PEER_ERROR:
        put_text(event->role);
        put_text(event->type);
        put_text(event->text);
        break;
    case PYCHORAL_EVENT_PONG:
        printf(" %" PRIu64 " %u %" PRIu32, event->number, event->state, event->site);
        put_text(event->role);
        break;
    case PYCHORAL_EVENT_REFUSED:
    case PYCHORAL_EVENT_FAULT:
        printf(" %" PRIu64, event->number);
        put_text(event->text);
        break;
    case PYCHORAL_EVENT_DOWN:
    case PYCHORAL_EVENT_ABSENT:
    case PYCHORAL_EVENT_GONE: break;
    }
    putchar('\n');
}

// ---- machines ----

static uint32_t *interval(PychoralConfig *config, const char *key)
{
    const struct { const char *key; uint32_t *at; } rows[] = {
        {"handshake", &config->handshake}, {"redial_min", &config->redial_min},
        {"redial_max", &config->redial_max}, {"idle_ack", &config->idle_ack},
        {"ping", &config->ping}, {"connect", &config->connect}, {"lost", &config->lost},
        {"time_wait", &config->time_wait}, {"end", &config->end}, {"wm", &config->window_messages}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].key, key) == 0)
            return rows[i].at;
    return NULL;
}

static uint64_t *number(PychoralConfig *config, const char *key)
{
    return strcmp(key, "seed") == 0  ? &config->seed
         : strcmp(key, "inc") == 0   ? &config->incarnation
         : strcmp(key, "wb") == 0    ? &config->window_bytes
         : strcmp(key, "max") == 0   ? &config->max_message
                                     : NULL;
}

static const char **name(PychoralConfig *config, const char *key)
{
    return strcmp(key, "me") == 0     ? &config->me
         : strcmp(key, "peer") == 0   ? &config->peer
         : strcmp(key, "run") == 0    ? &config->run_name
                                      : NULL;
}

// `NAME:DIGEST:TEXT,..`, digests and texts in hex.
static PychoralAgreement read_agreed(char *value)
{
    size_t count = 1;
    for (const char *at = value; *at; at++)
        count += *at == ',';
    PychoralAgreed *all = calloc(count, sizeof *all);
    for (size_t i = 0; i < count; i++) {
        char *digest = strchr(value, ':'), *text = strchr(digest + 1, ':');
        char *next = strchr(text, ',');
        *digest++ = *text++ = '\0';
        if (next != NULL)
            *next++ = '\0';
        if (unhex(digest) != sizeof all[i].digest)
            die("no digest", value);
        size_t size = unhex(text);
        all[i].name = strdup(value);
        memcpy(all[i].digest, digest, sizeof all[i].digest);
        snprintf(all[i].text, sizeof all[i].text, "%.*s", (int)size, text);
        value = next;
    }
    return (PychoralAgreement){all, count};
}

static void configure(PychoralConfig *config, char *word)
{
    char *value = strchr(word, '=');
    if (value == NULL)
        die("not key=value", word);
    *value++ = '\0';
    if (name(config, word) != NULL)
        *name(config, word) = value;
    else if (number(config, word) != NULL)
        *number(config, word) = strtoull(value, NULL, 10);
    else if (interval(config, word) != NULL)
        *interval(config, word) = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(word, "hash") == 0 && unhex(value) == sizeof config->hash)
        memcpy(config->hash, value, sizeof config->hash);
    else if (strcmp(word, "dials") == 0)
        config->dials = value[0] == '1';
    else if (strcmp(word, "durable") == 0)
        config->durable = value[0] == '1';
    else if (strcmp(word, "beats") == 0)
        config->beats = value[0] == '1';
    else if (strcmp(word, "crc") == 0)
        config->crc = value[0] == '1';
    else if (strcmp(word, "agreed") == 0)
        config->agreed = read_agreed(value);
    else
        die("unknown key", word);
}

static void remove_machine(Named *named)
{
    pychoral_machine_free(named->machine);
    for (size_t i = 0; i < named->agreed.count; i++)
        free((char *)named->agreed.at[i].name);
    free((PychoralAgreed *)named->agreed.at);
    free(named->name);
}

static Named *find(Driver *driver, const char *which)
{
    for (size_t i = 0; i < driver->count; i++)
        if (strcmp(driver->machines[i].name, which) == 0)
            return &driver->machines[i];
    return NULL;
}

static void make(Driver *driver, char **words, size_t count)
{
    PychoralConfig config = pychoral_config_default();
    for (size_t i = 2; i < count; i++)
        configure(&config, words[i]);
    uint8_t digest[32];
    PychoralSha256 sha;
    pychoral_sha256_start(&sha);
    pychoral_sha256_add(&sha, config.run_name, strlen(config.run_name));
    pychoral_sha256_end(&sha, digest);
    memcpy(config.run_id, digest, sizeof config.run_id);
    Named *named = find(driver, words[1]);
    if (named != NULL)
        remove_machine(named);
    else if (driver->count == MACHINES_MAX)
        die("too many machines", words[1]);
    else
        named = &driver->machines[driver->count++];
    named->name = strdup(words[1]);
    named->agreed = config.agreed;
    PychoralOutput output = {named->name, on_send, on_dial, on_drop, on_event};
    named->machine = pychoral_machine_new(&config, &output);
}

static void forget(Driver *driver)
{
    for (size_t i = 0; i < driver->count; i++)
        remove_machine(&driver->machines[i]);
    driver->count = 0;
}

// ---- inputs ----

static PychoralFrameKind kind_of(const char *word)
{
    for (int kind = PYCHORAL_HELLO; kind <= PYCHORAL_ERROR; kind++)
        if (strcmp(KINDS[kind], word) == 0)
            return (PychoralFrameKind)kind;
    die("no such kind", word);
    return PYCHORAL_DATA;
}

static void input_send(Named *to, uint64_t now, char **words)
{
    static const char *const answers[] = {"SENT", "FULL", "LARGE", "GONE"};
    PychoralFrame frames[FRAMES_MAX];
    size_t count = unhex_frames(words[3], frames);
    PychoralSent sent = pychoral_machine_send(
        to->machine, now, kind_of(words[0]), (uint32_t)strtoul(words[1], NULL, 10),
        (uint32_t)strtoul(words[2], NULL, 10), frames, count);
    printf("%s = %s\n", to->name, answers[sent]);
}

static void input_take(Named *to, uint64_t now)
{
    PychoralMessage message;
    if (!pychoral_machine_take(to->machine, now, &message)) {
        printf("%s = none\n", to->name);
        return;
    }
    printf("%s = %s %" PRIu32 " %" PRIu32 " %" PRIu64 " ", to->name, KINDS[message.kind],
           message.site, message.label, message.seq);
    put_frames(message.frames, message.count);
    if (message.extra_size > 0) {
        putchar(' ');
        put_hex(message.extra, message.extra_size);
    }
    putchar('\n');
    pychoral_message_drop(&message);
}

static void input_stamp(PychoralMachine *m, char *word)
{
    PychoralText stamp = unhex_text(word);
    pychoral_machine_stamp(m, stamp.data, stamp.size);
}

static uint64_t number_of(const char *word) { return strtoull(word, NULL, 10); }

// The inputs with their number of arguments.
static void input(Named *to, uint64_t now, const char *verb, char **words, size_t count)
{
    PychoralFrame frames[FRAMES_MAX];
    PychoralMachine *m = to->machine;
    if (strcmp(verb, "start") == 0)
        pychoral_machine_start(m, now);
    else if (strcmp(verb, "tick") == 0)
        pychoral_machine_tick(m, now);
    else if (strcmp(verb, "take") == 0)
        input_take(to, now);
    else if (strcmp(verb, "connected") == 0 && count == 1)
        pychoral_machine_connected(m, now, number_of(words[0]));
    else if (strcmp(verb, "lost") == 0 && count == 1)
        pychoral_machine_lost(m, now, number_of(words[0]));
    else if (strcmp(verb, "stored") == 0 && count == 1)
        pychoral_machine_stored(m, now, number_of(words[0]));
    else if (strcmp(verb, "end") == 0 && count == 1)
        pychoral_machine_end(m, now, (uint16_t)number_of(words[0]));
    else if (strcmp(verb, "frame") == 0 && count == 2)
        pychoral_machine_frame(m, now, number_of(words[0]), frames,
                               unhex_frames(words[1], frames));
    else if (strcmp(verb, "restore") == 0 && count == 1)
        pychoral_machine_restore(m, frames, unhex_frames(words[0], frames));
    else if (strcmp(verb, "send") == 0 && count == 4)
        input_send(to, now, words);
    else if (strcmp(verb, "error") == 0 && count == 3)
        pychoral_machine_error(m, now, unhex_text(words[0]), unhex_text(words[1]),
                               unhex_text(words[2]));
    else if (strcmp(verb, "progress") == 0 && count == 4)
        pychoral_machine_progress(m, number_of(words[0]), (uint8_t)number_of(words[1]),
                                  (uint32_t)number_of(words[2]), unhex_text(words[3]));
    else if (strcmp(verb, "stamp") == 0 && count == 1)
        input_stamp(m, words[0]);
    else if (strcmp(verb, "shut") == 0 && count == 0)
        pychoral_machine_shut(m);
    else
        die("cannot be understood", verb);
}

static size_t split(char *line, char **words)
{
    size_t count = 0;
    for (char *word = strtok(line, " \n"); word != NULL && count < WORDS_MAX;
         word = strtok(NULL, " \n"))
        words[count++] = word;
    return count;
}

// True if the line's memory must stay: what `progress` and `stamp` give is not copied.
static bool obey(Driver *driver, char *line)
{
    char *words[WORDS_MAX];
    size_t count = split(line, words);
    if (count == 0 || words[0][0] == '#')
        return false;
    if (strcmp(words[0], "---") == 0) {
        puts("---");
        forget(driver);
        return false;
    }
    if (count < 2)
        die("cannot be understood", words[0]);
    if (strcmp(words[0], "machine") == 0) {
        make(driver, words, count);
        return false;
    }
    Named *to = find(driver, words[1]);
    if (count < 3 || to == NULL)
        die("no such machine", words[1]);
    input(to, number_of(words[0]), words[2], words + 3, count - 3);
    return strcmp(words[2], "progress") == 0 || strcmp(words[2], "stamp") == 0;
}

static void run(FILE *file)
{
    Driver driver = {.count = 0};
    char **kept = NULL;
    size_t kept_count = 0;
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, file) >= 0) {
        if (!obey(&driver, line))
            continue;
        kept = realloc(kept, (kept_count + 1) * sizeof *kept);
        kept[kept_count++] = line;
        line = NULL;
        size = 0;
    }
    forget(&driver);
    for (size_t i = 0; i < kept_count; i++)
        free(kept[i]);
    free(kept);
    free(line);
}

int main(int argc, char **argv)
{
    if (argc == 1)
        run(stdin);
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        if (file == NULL)
            die("cannot be opened", argv[i]);
        run(file);
        fclose(file);
    }
    return 0;
}
