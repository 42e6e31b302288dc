// bench_codec.c - the codec of values against a fixed layout written by hand, in one run.
//
// Rounds are interleaved: each case runs the hand-written form, then the codec, many times over;
// the least of all rounds counts, as only noise adds. Prints one line a case: nanoseconds of both
// and their ratio. `bench_codec ROUNDS (25) PART-OF-A-NAME`.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "codec.h"
#include "value_types.h"

enum { ITEMS = 1000, BYTES = 1 << 20 };

typedef struct ByHand {
    int64_t key, count;
    double score;
    char name[24];
    uint32_t name_size;
    bool active;
} ByHand;

// What the cases work on.
typedef struct Bench {
    PychoralWriter writer;
    PychoralFrame frame[2];
    size_t frames;
    unsigned char wire[2 * BYTES];
    int64_t ints[ITEMS];
    double floats[ITEMS];
    ByHand record;
    _Alignas(16) char value[64];
    const PychoralType *type;
    const void *sink;
    size_t size, room;
} Bench;

typedef void Run(Bench *b);

static const PychoralType *type_named(const char *expression)
{
    for (size_t i = 0; i < value_type_count; i++)
        if (strcmp(value_types[i].expression, expression) == 0)
            return value_types[i].type;
    fprintf(stderr, "bench_codec: no type %s\n", expression);
    exit(EXIT_FAILURE);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// The compiler must take the memory at `at` for read and changed.
static void touch(void *at) { __asm__ volatile("" : : "g"(at) : "memory"); }

// ---- by hand: a layout that both ends know, with the checks that memory safety needs ----

enum { RECORD_SIZE = 29, INTS_SIZE = 8 * ITEMS };

static void check(bool holds)
{
    if (!holds)
        exit(EXIT_FAILURE);
}

static void hand_encode_int(Bench *b)
{
    check(b->room >= 8);
    memcpy(b->wire, &b->record.key, 8);
    b->size = 8;
    touch(b->wire);
}

static void hand_decode_int(Bench *b)
{
    check(b->size == 8);
    memcpy(&b->record.key, b->wire, 8);
    touch(&b->record);
}

static void hand_encode_record(Bench *b)
{
    const ByHand *r = &b->record;
    unsigned char *at = b->wire;
    check(b->room >= RECORD_SIZE + (size_t)r->name_size);
    memcpy(at, &r->key, 8);
    memcpy(at + 8, &r->score, 8);
    memcpy(at + 16, &r->count, 8);
    at[24] = r->active;
    memcpy(at + 25, &r->name_size, 4);
    memcpy(at + RECORD_SIZE, r->name, r->name_size);
    b->size = RECORD_SIZE + r->name_size;
    touch(b->wire);
}

static void take_record(const Bench *b, ByHand *r, char *name)
{
    const unsigned char *at = b->wire;
    memcpy(&r->key, at, 8);
    memcpy(&r->score, at + 8, 8);
    memcpy(&r->count, at + 16, 8);
    r->active = at[24] != 0;
    memcpy(name, at + RECORD_SIZE, r->name_size);
    touch(r);
}

static void take_size(const Bench *b, ByHand *r)
{
    check(b->size >= RECORD_SIZE);
    memcpy(&r->name_size, b->wire + 25, 4);
    check(r->name_size <= sizeof r->name && b->size == RECORD_SIZE + (size_t)r->name_size);
}

static void hand_decode_record(Bench *b)
{
    take_size(b, &b->record);
    take_record(b, &b->record, b->record.name);
}

// As the codec gives it: an object and a string that live on.
static void hand_decode_owned(Bench *b)
{
    ByHand *r = malloc(sizeof *r);
    check(r != NULL);
    take_size(b, r);
    char *name = malloc((size_t)r->name_size + 1);
    check(name != NULL);
    take_record(b, r, name);
    touch(name);
    free(name);
    free(r);
}

static void hand_encode_ints(Bench *b)
{
    check(b->room >= INTS_SIZE);
    memcpy(b->wire, b->ints, INTS_SIZE);
    touch(b->wire);
}

static void hand_decode_ints(Bench *b)
{
    memcpy(b->ints, b->wire, INTS_SIZE);
    touch(b->ints);
}

// As the codec gives it: a list that lives on.
static void hand_decode_owned_ints(Bench *b)
{
    int64_t *items = malloc(INTS_SIZE);
    check(items != NULL);
    memcpy(items, b->wire, INTS_SIZE);
    touch(items);
    free(items);
}

static void hand_encode_bytes(Bench *b)
{
    memcpy(b->wire, b->wire + BYTES, BYTES);
    touch(b->wire);
}

static void hand_point(Bench *b)
{
    b->sink = b->wire;
    touch(b);
}

// ---- the codec ----

static void encode(Bench *b)
{
    PychoralFault fault;
    if (!pychoral_encode(&b->writer, b->type, b->value, &fault)) {
        fprintf(stderr, "bench_codec: %s\n", fault.text);
        exit(EXIT_FAILURE);
    }
    touch(b->writer.data);
}

static void decode(Bench *b)
{
    PychoralFault fault;
    _Alignas(16) char value[64];
    if (!pychoral_decode(b->type, b->frame, b->frames, value, &fault)) {
        fprintf(stderr, "bench_codec: %s\n", fault.text);
        exit(EXIT_FAILURE);
    }
    touch(value);
    pychoral_release(b->type, value);
}

// ---- values ----

static void set_int(Bench *b)
{
    b->type = type_named("int");
    *(PychoralInt *)b->value = pychoral_int(123456789);
}

static void set_record(Bench *b)
{
    b->type = type_named("Record");
    void *record = pychoral_object_new(b->type);
    PychoralStr *name = pychoral_str_new("twelve bytes", 12);
    if (record == NULL || name == NULL)
        exit(EXIT_FAILURE);
    const PychoralField *fields = b->type->fields;
    char *at = record;
    *(PychoralInt *)(at + fields[0].offset) = pychoral_int(123456789);
    *(PychoralStr **)(at + fields[1].offset) = name;
    *(double *)(at + fields[2].offset) = 0.75;
    *(bool *)(at + fields[3].offset) = true;
    *(PychoralInt *)(at + fields[4].offset) = pychoral_int(5);
    memcpy(b->value, &record, sizeof record);
    b->record = (ByHand){.key = 123456789, .score = 0.75, .name_size = 12, .active = true};
    hand_encode_record(b);
}

static void set_list(Bench *b, const char *expression)
{
    b->type = type_named(expression);
    PychoralList *list = pychoral_list_new(b->type, ITEMS);
    for (int i = 0; i < ITEMS && list != NULL; i++) {
        PychoralInt number = pychoral_int(i * 1000003L);
        double real = i * 0.75;
        bool floats = b->type->element->kind == PYCHORAL_FLOAT;
        pychoral_list_append(list, floats ? (void *)&real : (void *)&number);
    }
    memcpy(b->value, &list, sizeof list);
}

static void set_ints(Bench *b) { set_list(b, "list[int]"); }

static void set_floats(Bench *b) { set_list(b, "list[float]"); }

static void set_bytes(Bench *b)
{
    b->type = type_named("bytes");
    PychoralBytes *bytes = pychoral_bytes_new(b->wire, BYTES);
    memcpy(b->value, &bytes, sizeof bytes);
}

static void set_array(Bench *b)
{
    uint64_t shape = BYTES / sizeof(double);
    b->type = type_named("ndarray");
    PychoralArray *array = pychoral_array_new(PYCHORAL_FLOAT64, 1, &shape);
    if (array == NULL)
        exit(EXIT_FAILURE);
    memset(pychoral_array_writable(array), 0, BYTES);
    memcpy(b->value, &array, sizeof array);
}

// The frames that `decode` reads: what the value is on the wire.
static void set_frames(Bench *b)
{
    encode(b);
    b->frames = b->writer.count;
    for (size_t i = 0; i < b->frames; i++) {
        PychoralFrame *frame = &b->frame[i];
        *frame = b->writer.frames[i];
        frame->owner = pychoral_buffer_new(frame->size);
        if (frame->owner == NULL)
            exit(EXIT_FAILURE);
        memcpy(frame->owner->data, frame->data, frame->size);
        frame->data = frame->owner->data;
    }
}

typedef struct Case {
    const char *name;
    void (*set)(Bench *b);
    Run *hand, *codec;
    int times;
} Case;

static const Case CASES[] = {
    {"int encode", set_int, hand_encode_int, encode, 100000},
    {"int decode", set_int, hand_decode_int, decode, 100000},
    {"record encode", set_record, hand_encode_record, encode, 50000},
    {"record decode", set_record, hand_decode_record, decode, 50000},
    {"record decode, both on the heap", set_record, hand_decode_owned, decode, 50000},
    {"1,000 ints encode", set_ints, hand_encode_ints, encode, 5000},
    {"1,000 ints decode", set_ints, hand_decode_ints, decode, 5000},
    {"1,000 ints decode, both on the heap", set_ints, hand_decode_owned_ints, decode, 5000},
    {"1,000 floats encode", set_floats, hand_encode_ints, encode, 5000},
    {"1,000 floats decode", set_floats, hand_decode_ints, decode, 5000},
    {"1 MiB bytes encode (lent)", set_bytes, hand_encode_bytes, encode, 50},
    {"1 MiB bytes decode (borrowed)", set_bytes, hand_point, decode, 5000},
    {"1 MiB float64 array encode (lent)", set_array, hand_encode_bytes, encode, 50},
    {"1 MiB float64 array decode (borrowed)", set_array, hand_point, decode, 5000},
};

static double time_of(Bench *b, Run *run, int times)
{
    double start = now();
    for (int i = 0; i < times; i++)
        run(b);
    return (now() - start) / times;
}

static void measure(Bench *b, const Case *each, int rounds)
{
    double hand = 1e18, codec = 1e18;
    memset(b->wire, 0, sizeof b->wire);
    b->room = sizeof b->wire;
    b->size = 8;
    each->set(b);
    set_frames(b);
    for (int i = 0; i < rounds; i++) {
        double one = time_of(b, each->hand, each->times);
        double other = time_of(b, each->codec, each->times);
        hand = one < hand ? one : hand;
        codec = other < codec ? other : codec;
    }
    printf("%-40s %10.1f %10.1f %8.2f\n", each->name, hand, codec, codec / hand);
    pychoral_writer_clear(&b->writer);
    for (size_t i = 0; i < b->frames; i++)
        pychoral_buffer_release(b->frame[i].owner);
    pychoral_release(b->type, b->value);
}

int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : 25;
    Bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL)
        return EXIT_FAILURE;
    printf("%-40s %10s %10s %8s\n", "ns", "by hand", "codec", "ratio");
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        if (count < 3 || strstr(CASES[i].name, arguments[2]) != NULL)
            measure(bench, &CASES[i], rounds);
    free(bench);
    return EXIT_SUCCESS;
}
