// endpoint.c - the roles that the fault cases run, on the C runtime.
//
// faults_endpoint PLAY ROLE [OPTION...]: the same plays, options and messages as endpoint.py, which
// says what they are; `values` is here for Bob only.

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pychoral.h"
#include "sha256.h"
#include "value.h"

enum { LAG = 20, YES = 0, NO = 1 };

// ---- types ----

typedef struct {
    PychoralInt number;
    PychoralBytes *data;
} Numbered;

static const PychoralField numbered_fields[] = {
    {.type = &pychoral_type_int, .offset = offsetof(Numbered, number)},
    {.type = &pychoral_type_bytes, .offset = offsetof(Numbered, data)},
};
static const PychoralType numbered = {
    .kind = PYCHORAL_TUPLE, .size = sizeof(Numbered), .name = "tuple[int, bytes]", .count = 2,
    .fields = numbered_fields,
};

typedef struct {
    PychoralObject object;
    PychoralInt number;
    PychoralStr *text;
    PychoralBytes *data;
} Part;

static const PychoralField part_fields[] = {
    {.type = &pychoral_type_int, .offset = offsetof(Part, number), .name = "number"},
    {.type = &pychoral_type_str, .offset = offsetof(Part, text), .name = "text"},
    {.type = &pychoral_type_bytes, .offset = offsetof(Part, data), .name = "data"},
};
static const PychoralType part_type = {
    .kind = PYCHORAL_DATACLASS, .size = sizeof(Part *), .body = sizeof(Part), .number = 1,
    .name = "Part", .count = 3, .fields = part_fields,
};
static const char *const answer_members[] = {"YES", "NO"};
static const PychoralType answer = {
    .kind = PYCHORAL_ENUM, .size = sizeof(uint32_t), .number = 0, .name = "Answer", .count = 2,
    .members = answer_members,
};

// ---- settings ----

typedef struct {
    PychoralRole *role;
    long count, size, at;
    double pace;
    const char *until;
    char act[20];
} Stage;

static const PychoralParameter parameters[] = {
    {.name = "count", .type = "int", .standard = "100"},
    {.name = "size", .type = "int", .standard = "10"},
    {.name = "pace", .type = "float", .standard = "0"},
    {.name = "until", .type = "str", .standard = ""},
    {.name = "act", .type = "str", .standard = ""},
    {.name = "at", .type = "int", .standard = "5"},
};

static Stage stage_of(PychoralRole *role)
{
    Stage stage = {
        .role = role,
        .count = strtol(pychoral_argument(role, 0), NULL, 10),
        .size = strtol(pychoral_argument(role, 1), NULL, 10),
        .pace = strtod(pychoral_argument(role, 2), NULL),
        .until = pychoral_argument(role, 3),
        .at = strtol(pychoral_argument(role, 5), NULL, 10),
    };
    const char *said = getenv("FAULTS_ACT");    // of a durable role, whose options must not change
    if (said == NULL)
        snprintf(stage.act, sizeof stage.act, "%s", pychoral_argument(role, 4));
    else if (sscanf(said, "%19s %ld", stage.act, &stage.at) != 2)
        fprintf(stderr, "FAULTS_ACT is not understood\n");
    return stage;
}

static void sleep_ms(double ms)
{
    struct timespec left = {(time_t)(ms / 1000), (long)(ms * 1e6) % 1000000000};
    while (ms > 0 && nanosleep(&left, &left) != 0)
        continue;
}

// Whether there is one more message, after the pause that is asked for.
static bool goes_on(const Stage *stage, long number)
{
    if (number >= stage->count && (*stage->until == '\0' || access(stage->until, F_OK) == 0))
        return false;
    sleep_ms(stage->pace);
    return true;
}

// ---- what a role's code may do to itself ----

static void *use_in_thread(void *data)
{
    Stage *stage = data;
    PychoralInt zero = pychoral_int(0);
    pychoral_send(stage->role, 0, 9, &pychoral_type_int, &zero);
    return NULL;
}

static bool act_thread(Stage *stage)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, use_in_thread, stage) != 0)
        return pychoral_raise(stage->role, "OSError", "no thread");
    pthread_join(thread, NULL);
    return true;
}

static bool act_fork(Stage *stage)
{
    pid_t child = fork();
    if (child == 0) {
        PychoralInt zero = pychoral_int(0);
        _exit(pychoral_send(stage->role, 0, 9, &pychoral_type_int, &zero) ? 9 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("child ended with %d\n", WEXITSTATUS(status));
    return true;
}

// A child that is told to end.
static bool act_child(Stage *stage)
{
    (void)stage;
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    printf("child ended by %d\n", WTERMSIG(status));
    return true;
}

// What is asked for, at the message for which it is; false if the role cannot go on.
static bool step(Stage *stage, long number)
{
    const char *act = stage->act;
    if (*act == '\0' || number != stage->at)
        return true;
    if (strcmp(act, "raise") == 0)
        return pychoral_raise(stage->role, "ValueError", "the cat sat on it");
    if (strcmp(act, "exit") == 0)
        exit(3);
    if (strcmp(act, "vanish") == 0)
        _exit(3);
    if (strcmp(act, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(act, "fork") == 0)
        return act_fork(stage);
    if (strcmp(act, "child") == 0)
        return act_child(stage);
    if (strcmp(act, "thread") == 0)
        return act_thread(stage);
    if (strcmp(act, "shut") == 0) {
        if (freopen("/dev/full", "w", stdout) == NULL || puts("x") < 0 || fflush(stdout) != 0)
            return pychoral_raise(stage->role, "OSError", "standard output is gone");
    }
    while (strcmp(act, "spin") == 0)
        continue;
    sleep_ms(strcmp(act, "sleep") == 0 ? 3600000 : strcmp(act, "nap") == 0 ? 1500 : 0);
    return true;
}

// ---- messages ----

static bool send_int(Stage *stage, size_t peer, uint32_t site, long number)
{
    PychoralInt value = pychoral_int(number);
    return pychoral_send(stage->role, peer, site, &pychoral_type_int, &value);
}

static bool wrong(Stage *stage, long wanted, long came)
{
    return pychoral_raise(stage->role, "AssertionError", "wanted %ld, but received %ld", wanted,
                          came);
}

static bool receive_int(Stage *stage, size_t peer, uint32_t site, long *number)
{
    PychoralInt value;
    if (!pychoral_receive(stage->role, peer, site, &pychoral_type_int, &value))
        return false;
    *number = (long)value.small;
    pychoral_release(&pychoral_type_int, &value);
    return true;
}

static bool expect_int(Stage *stage, size_t peer, uint32_t site, long wanted)
{
    long came = 0;
    if (!receive_int(stage, peer, site, &came))
        return false;
    return came == wanted || wrong(stage, wanted, came);
}

static PychoralBytes *payload(long number, long size)
{
    char *bytes = malloc((size_t)size + 1);
    if (bytes == NULL)
        return NULL;
    memset(bytes, (int)(number % 251), (size_t)size);
    PychoralBytes *data = pychoral_bytes_new(bytes, (size_t)size);
    free(bytes);
    return data;
}

static bool fits(const PychoralBytes *data, long number)
{
    for (size_t at = 0; at < data->size; at++)
        if ((unsigned char)data->data[at] != number % 251)
            return false;
    return true;
}

static bool send_numbered(Stage *stage, size_t peer, long number, long size)
{
    Numbered message = {pychoral_int(number), payload(number, size)};
    if (message.data == NULL)
        return pychoral_raise(stage->role, "MemoryError", "no memory");
    bool sent = pychoral_send(stage->role, peer, 1, &numbered, &message);
    pychoral_release(&numbered, &message);
    return sent;
}

// The number, which must be `wanted` unless it is negative.
static bool receive_numbered(Stage *stage, size_t peer, long wanted, long *number)
{
    Numbered message;
    if (!pychoral_receive(stage->role, peer, 1, &numbered, &message))
        return false;
    *number = (long)message.number.small;
    bool good = *number < 0 || (*number == wanted && fits(message.data, wanted));
    pychoral_release(&numbered, &message);
    return good || wrong(stage, wanted, *number);
}

// ---- stream ----

static int stream_alice(PychoralRole *role)
{
    Stage stage = stage_of(role);
    long sent = 0, read = 0;
    for (; goes_on(&stage, sent); sent++) {
        if (!step(&stage, sent) || !send_numbered(&stage, 0, sent, stage.size))
            return 1;
        if ((sent + 1) / 10 - read >= LAG && !expect_int(&stage, 0, 2, read++ * 10 + 9))
            return 1;
    }
    if (!send_numbered(&stage, 0, -1, 0))
        return 1;
    while (read < sent / 10)
        if (!expect_int(&stage, 0, 2, read++ * 10 + 9))
            return 1;
    return expect_int(&stage, 0, 3, sent) ? 0 : 1;
}

static int stream_bob(PychoralRole *role)
{
    Stage stage = stage_of(role);
    for (long wanted = 0, number; receive_numbered(&stage, 0, wanted, &number); wanted++) {
        if (number < 0)
            return send_int(&stage, 0, 3, wanted) ? 0 : 1;
        if (!step(&stage, number))
            return 1;
        sleep_ms(stage.pace);
        if (wanted % 10 == 9 && !send_int(&stage, 0, 2, number))
            return 1;
    }
    return 1;
}

// ---- trio ----

static int trio_alice(PychoralRole *role)
{
    Stage stage = stage_of(role);
    long sent = 0, read = 0;
    for (; goes_on(&stage, sent); sent++) {
        if (!step(&stage, sent) || !send_numbered(&stage, 0, sent, stage.size))
            return 1;
        if ((sent + 1) / 10 - read >= LAG && !expect_int(&stage, 1, 3, read++ * 10 + 9))
            return 1;
    }
    if (!send_numbered(&stage, 0, -1, 0))
        return 1;
    while (read < sent / 10)
        if (!expect_int(&stage, 1, 3, read++ * 10 + 9))
            return 1;
    return expect_int(&stage, 1, 3, -1 - sent) ? 0 : 1;
}

static int trio_bob(PychoralRole *role)
{
    Stage stage = stage_of(role);
    for (long wanted = 0, number; receive_numbered(&stage, 0, wanted, &number); wanted++) {
        if (!step(&stage, wanted))
            return 1;
        if (number < 0)
            return send_int(&stage, 1, 2, -1 - wanted) ? 0 : 1;
        sleep_ms(stage.pace);
        if (wanted % 10 == 9 && !send_int(&stage, 1, 2, number))
            return 1;
    }
    return 1;
}

static int trio_carol(PychoralRole *role)
{
    Stage stage = stage_of(role);
    long number = 0;
    for (long wanted = 9; receive_int(&stage, 1, 2, &number); wanted += 10) {
        if (!step(&stage, (wanted - 9) / 10))
            return 1;
        if (!send_int(&stage, 0, 3, number))
            return 1;
        if (number < 0)
            return 0;
        if (number != wanted && !wrong(&stage, wanted, number))
            return 1;
    }
    return 1;
}

// ---- wait, burst, branch ----

static int wait_alice(PychoralRole *role)
{
    Stage stage = stage_of(role);
    long number = 0;
    return receive_int(&stage, 0, 1, &number) && send_int(&stage, 1, 2, number) ? 0 : 1;
}

static int wait_bob(PychoralRole *role)
{
    Stage stage = stage_of(role);
    return step(&stage, stage.at) && send_int(&stage, 0, 1, 7) ? 0 : 1;
}

static int wait_carol(PychoralRole *role)
{
    Stage stage = stage_of(role);
    long number = 0;
    return receive_int(&stage, 0, 2, &number) ? 0 : 1;
}

static int burst(PychoralRole *role)
{
    Stage stage = stage_of(role);
    for (long number = 0; number < stage.count; number++)
        if (!send_numbered(&stage, 0, number, stage.size))
            return 1;
    for (long wanted = 0, number = 0; wanted < stage.count; wanted++)
        if (!receive_numbered(&stage, 0, wanted, &number))
            return 1;
    return 0;
}

static bool send_part(Stage *stage, long number)
{
    Part *part = pychoral_object_new(&part_type);
    if (part == NULL)
        return pychoral_raise(stage->role, "MemoryError", "no memory");
    part->number = pychoral_int(number);
    part->text = pychoral_str_new("part", 4);
    part->data = payload(number, stage->size);
    bool sent = part->text != NULL && part->data != NULL
                && pychoral_send(stage->role, 0, 2, &part_type, &part);
    pychoral_release(&part_type, &part);
    return sent;
}

static int branch_alice(PychoralRole *role)
{
    Stage stage = stage_of(role);
    for (long number = 0; goes_on(&stage, number); number++)
        if (!step(&stage, number) || !pychoral_select(role, 0, 1, &answer, YES)
            || !send_part(&stage, number))
            return 1;
    return pychoral_select(role, 0, 1, &answer, NO) ? 0 : 1;
}

static int branch_bob(PychoralRole *role)
{
    Stage stage = stage_of(role);
    uint32_t label = NO;
    for (long wanted = 0; pychoral_branch(role, 0, 1, &answer, &label); wanted++) {
        if (label == NO)
            return 0;
        Part *part = NULL;
        if (!pychoral_receive(role, 0, 2, &part_type, &part))
            return 1;
        long number = (long)part->number.small;
        bool good = number == wanted && fits(part->data, number);
        pychoral_release(&part_type, &part);
        if (!(good || wrong(&stage, wanted, number)) || !step(&stage, wanted))
            return 1;
    }
    return 1;
}

// ---- dice ----

static const PychoralType list_int = {
    .kind = PYCHORAL_LIST, .size = sizeof(void *), .name = "list[int]",
    .element = &pychoral_type_int,
};
static const PychoralType list_list_int = {
    .kind = PYCHORAL_LIST, .size = sizeof(void *), .name = "list[list[int]]", .element = &list_int,
};

// A die, or the clock in microseconds: what a durable role must have again.
static bool chance(Stage *stage, bool is_clock, PychoralInt *value)
{
    const char *name = is_clock ? "clock" : "die";
    bool is_there;
    if (!pychoral_replayed(stage->role, name, &pychoral_type_int, value, &is_there))
        return false;
    if (is_there)
        return true;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *value = pychoral_int(is_clock ? now.tv_sec * 1000000L + now.tv_nsec / 1000
                                   : (now.tv_nsec * 2654435761L) & 0x3fffffff);
    return pychoral_record(stage->role, name, &pychoral_type_int, value);
}

static bool throw_dice(Stage *stage, PychoralList **pair)
{
    PychoralInt die, clock;
    if (!chance(stage, false, &die) || !chance(stage, true, &clock))
        return false;
    *pair = pychoral_list_new(&list_int, 2);
    return *pair && pychoral_list_append(*pair, &die) && pychoral_list_append(*pair, &clock);
}

static int64_t sum_of(const PychoralList *pair)
{
    int64_t sum = 0;
    for (size_t i = 0; i < pair->count; i++) {
        PychoralInt item;
        pychoral_list_get(pair, i, &item);
        sum += item.small;
    }
    return sum;
}

static bool dice_turn(Stage *stage, PychoralList *thrown, int64_t *sum)
{
    PychoralList *pair = NULL;
    long came = 0;
    bool good = throw_dice(stage, &pair);
    if (good) {
        *sum += sum_of(pair);
        good = pychoral_send(stage->role, 0, 1, &list_int, &pair) &&
               receive_int(stage, 0, 2, &came);
    }
    if (good && came != *sum)
        good = wrong(stage, (long)*sum, came);
    if (pair && !pychoral_list_append(thrown, &pair))
        pychoral_release(&list_int, &pair);
    return good;
}

static int dice_alice(PychoralRole *role)
{
    Stage stage = stage_of(role);
    int64_t sum = 0;
    PychoralList *thrown = pychoral_list_new(&list_list_int, 10);
    PychoralList *none = pychoral_list_new(&list_int, 0);
    bool good = thrown && none;
    for (long number = 0; good && goes_on(&stage, number); number++)
        good = step(&stage, number) && dice_turn(&stage, thrown, &sum);
    good = good && pychoral_send(role, 0, 1, &list_int, &none) &&
           pychoral_send(role, 0, 3, &list_list_int, &thrown);
    pychoral_release(&list_list_int, &thrown);
    pychoral_release(&list_int, &none);
    return good ? 0 : 1;
}

static int dice_bob(PychoralRole *role)
{
    Stage stage = stage_of(role);
    int64_t sum = 0;
    PychoralList *came = pychoral_list_new(&list_list_int, 10), *pair = NULL, *all = NULL;
    bool good = came != NULL, more = good;
    for (long number = 0; more; number++) {
        good = pychoral_receive(role, 0, 1, &list_int, &pair);
        more = good && pair->count > 0;
        if (!more)
            break;
        sum += sum_of(pair);
        more = good = step(&stage, number) && pychoral_list_append(came, &pair) &&
                      send_int(&stage, 0, 2, (long)sum);
    }
    if (good)
        pychoral_release(&list_int, &pair);
    good = good && pychoral_receive(role, 0, 3, &list_list_int, &all);
    if (good && !pychoral_equal(&list_list_int, &came, &all))
        good = wrong(&stage, (long)came->count, (long)all->count);
    pychoral_release(&list_list_int, &came);
    pychoral_release(&list_list_int, &all);
    return good ? 0 : 1;
}

// ---- whim ----

static int whim_alice(PychoralRole *role)
{
    Stage stage = stage_of(role);
    bool good = true;
    for (long number = 0; good && goes_on(&stage, number); number++) {
        struct timespec now;            // not recorded
        long came = 0;
        clock_gettime(CLOCK_REALTIME, &now);
        good = step(&stage, number) && send_int(&stage, 0, 1, now.tv_nsec) &&
               receive_int(&stage, 0, 2, &came);
    }
    return good ? 0 : 1;
}

static int whim_bob(PychoralRole *role)
{
    Stage stage = stage_of(role);
    bool good = true;
    for (long number = 0; good && goes_on(&stage, number); number++) {
        long came = 0;
        good = receive_int(&stage, 0, 1, &came) && step(&stage, number) &&
               send_int(&stage, 0, 2, number);
    }
    return good ? 0 : 1;
}

// ---- values ----

static const PychoralType dict_str_int = {
    .kind = PYCHORAL_DICT, .size = sizeof(void *), .name = "dict[str, int]",
    .element = &pychoral_type_int, .key = &pychoral_type_str,
};
static const PychoralType dict_int_str = {
    .kind = PYCHORAL_DICT, .size = sizeof(void *), .name = "dict[int, str]",
    .element = &pychoral_type_str, .key = &pychoral_type_int,
};
static const PychoralType list_float = {
    .kind = PYCHORAL_LIST, .size = sizeof(void *), .name = "list[float]",
    .element = &pychoral_type_float,
};
static const PychoralType tuple_int = {
    .kind = PYCHORAL_SEQUENCE, .size = sizeof(void *), .name = "tuple[int, ...]",
    .element = &pychoral_type_int,
};
static const PychoralType set_int = {
    .kind = PYCHORAL_SET, .size = sizeof(void *), .name = "set[int]",
    .element = &pychoral_type_int,
};

// Of the same values as in endpoint.py, in order: a row and how many of it.
static const struct {
    const PychoralType *type;
    int count;
} samples[] = {
    {&pychoral_type_float, 5}, {&pychoral_type_int, 9}, {&pychoral_type_bool, 1},
    {&pychoral_type_str, 3}, {&pychoral_type_bytes, 1}, {&dict_str_int, 1}, {&dict_int_str, 1},
    {&list_int, 1}, {&list_float, 1}, {&list_int, 1}, {&tuple_int, 1}, {&set_int, 1},
    {&pychoral_type_complex, 1}, {&pychoral_type_none, 1}, {&answer, 1}, {&part_type, 1},
    {&pychoral_type_ndarray, 7},
};

static int values_bob(PychoralRole *role)
{
    for (size_t at = 0; at < sizeof samples / sizeof *samples; at++) {
        for (int left = samples[at].count; left > 0; left--) {
            _Alignas(16) char value[64];
            if (!pychoral_receive(role, 0, 1, samples[at].type, value))
                return 1;
            bool sent = pychoral_send(role, 0, 2, samples[at].type, value);
            pychoral_release(samples[at].type, value);
            if (!sent)
                return 1;
        }
    }
    return 0;
}

// ---- programs ----

static const char *const pair[] = {"Alice", "Bob"}, *const reversed[] = {"Bob", "Alice"},
                  *const three[] = {"Alice", "Bob", "Carol"};
static const PychoralPeer alice_only[] = {{"Alice", false}}, bob_only[] = {{"Bob", false}},
                          bob_carol[] = {{"Bob", false}, {"Carol", false}},
                          alice_carol[] = {{"Alice", false}, {"Carol", false}},
                          alice_bob[] = {{"Alice", false}, {"Bob", false}};

static const struct {
    const char *play, *role;
    const char *const *roles;
    size_t role_count;
    const PychoralPeer *peers;
    size_t peer_count;
    int (*body)(PychoralRole *role);
} plays[] = {
    {"stream", "Alice", pair, 2, bob_only, 1, stream_alice},
    {"stream", "Bob", pair, 2, alice_only, 1, stream_bob},
    {"upstream", "Alice", reversed, 2, bob_only, 1, stream_alice},
    {"upstream", "Bob", reversed, 2, alice_only, 1, stream_bob},
    {"trio", "Alice", three, 3, bob_carol, 2, trio_alice},
    {"trio", "Bob", three, 3, alice_carol, 2, trio_bob},
    {"trio", "Carol", three, 3, alice_bob, 2, trio_carol},
    {"wait", "Alice", three, 3, bob_carol, 2, wait_alice},
    {"wait", "Bob", three, 3, alice_only, 1, wait_bob},
    {"wait", "Carol", three, 3, alice_only, 1, wait_carol},
    {"burst", "Alice", pair, 2, bob_only, 1, burst},
    {"burst", "Bob", pair, 2, alice_only, 1, burst},
    {"branch", "Alice", pair, 2, bob_only, 1, branch_alice},
    {"branch", "Bob", pair, 2, alice_only, 1, branch_bob},
    {"dice", "Alice", pair, 2, bob_only, 1, dice_alice},
    {"dice", "Bob", pair, 2, alice_only, 1, dice_bob},
    {"whim", "Alice", pair, 2, bob_only, 1, whim_alice},
    {"whim", "Bob", pair, 2, alice_only, 1, whim_bob},
    {"values", "Bob", pair, 2, alice_only, 1, values_bob},
};

static void hash_of(const char *text, char hexadecimal[65])
{
    uint8_t digest[32];
    PychoralSha256 sha;
    pychoral_sha256_start(&sha);
    pychoral_sha256_add(&sha, text, strlen(text));
    pychoral_sha256_end(&sha, digest);
    pychoral_hex(digest, sizeof digest, hexadecimal);
}

static int run(size_t number, int argc, char **argv)
{
    const char *play = plays[number].play, *other = getenv("FAULTS_PROTOCOL");
    char protocol[65], source[40], places[9][48];
    PychoralSite sites[9];
    hash_of(other != NULL ? other : play, protocol);
    snprintf(source, sizeof source, "%s.pyc", play);
    for (uint32_t site = 1; site <= 9; site++) {
        snprintf(places[site - 1], sizeof places[0], "%s:%u0", source, (unsigned)site);
        sites[site - 1] = (PychoralSite){site, places[site - 1]};
    }
    PychoralProgram program = {
        .role = plays[number].role, .roles = plays[number].roles,
        .role_count = plays[number].role_count, .protocol = protocol, .source = source,
        .sites = sites, .site_count = 9, .peers = plays[number].peers,
        .peer_count = plays[number].peer_count, .parameters = parameters,
        .parameter_count = sizeof parameters / sizeof *parameters, .body = plays[number].body,
    };
    return pychoral_main(&program, argc, argv);
}

int main(int argc, char **argv)
{
    for (size_t at = 0; argc > 2 && at < sizeof plays / sizeof *plays; at++) {
        if (strcmp(argv[1], plays[at].play) == 0 && strcmp(argv[2], plays[at].role) == 0) {
            argv[2] = argv[0];
            return run(at, argc - 2, argv + 2);
        }
    }
    fprintf(stderr, "usage: faults_endpoint PLAY ROLE [OPTION...]\n");
    return 2;
}
