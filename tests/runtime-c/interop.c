// interop.c - what C and Python endpoints say to each other in every pairing (interop.py is the
// same in Python, matrix.py runs them).
//
//     types    Alice sends each value of a file, Bob sends it back, and both find the bytes that
// the
//              file has when they encode it again. A line: the number of a type in
//              tests/values/types_of_tests.py, a blank, frames in hex with commas between them
//     sizes    bytes of all the sizes where their way over the wire changes, there and back
//     stream   Alice sends 0, 1, 2 ..; after each hundred she selects MORE, at last DONE; Bob
// answers
//              each selection with the sum so far

#include "codec.h"
#include "endpoints.h"
#include "value_types.h"

enum { PEER = 0, MORE = 0, DONE = 1, MAX_FRAMES = 8 };

static const size_t SIZES[] = {0, 1, 4047, 4095, 4096, 4097, 65535, 65536, 65537, 16 << 20};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

static const char *const MEMBERS[] = {"MORE", "DONE"};
static const PychoralType STEP = {.kind = PYCHORAL_ENUM, .size = sizeof(uint32_t), .name = "Step",
                                  .count = 2, .members = MEMBERS};

// --- types ---

typedef struct {
    const PychoralType *type;
    PychoralFrame frames[MAX_FRAMES];
    size_t count;
} Line;

static int digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

// The frame that starts at `*text`; an empty one is `-`.
static PychoralFrame parse_frame(char **text)
{
    size_t digits = strcspn(*text, ",\n");
    PychoralBuffer *buffer = pychoral_buffer_new(digits / 2);
    uint8_t *bytes = buffer->data;
    for (size_t i = 0; i + 1 < digits; i += 2)
        bytes[i / 2] = (uint8_t)(digit((*text)[i]) << 4 | digit((*text)[i + 1]));
    *text += digits;
    return (PychoralFrame){buffer->data, buffer->size, buffer};
}

static bool read_line(FILE *file, Line *line)
{
    char *text = NULL;
    size_t room = 0;
    bool came = getline(&text, &room, file) > 0;
    if (came) {
        char *at;
        line->type = value_types[strtoul(text, &at, 10) % value_type_count].type;
        line->count = 0;
        do {
            at++;
            line->frames[line->count++] = parse_frame(&at);
        } while (*at == ',' && line->count < MAX_FRAMES);
    }
    free(text);
    return came;
}

static void drop_line(Line *line)
{
    for (size_t i = 0; i < line->count; i++)
        pychoral_buffer_release(line->frames[i].owner);
}

// Python's sets have an order of their own, so elements may have changed places.
static bool is_same(const PychoralFrame *a, const PychoralFrame *b)
{
    int64_t counts[256] = {0};
    if (a->size != b->size)
        return false;
    for (size_t i = 0; i < a->size; i++) {
        counts[((const uint8_t *)a->data)[i]]++;
        counts[((const uint8_t *)b->data)[i]]--;
    }
    for (int i = 0; i < 256; i++)
        if (counts[i] != 0)
            return false;
    return true;
}

static bool is_encoded(const Line *line, const void *value)
{
    PychoralWriter writer = {0};
    PychoralFault fault;
    bool same = pychoral_encode(&writer, line->type, value, &fault) && writer.count == line->count;
    for (size_t i = 0; same && i < line->count; i++)
        same = is_same(&writer.frames[i], &line->frames[i]);
    pychoral_writer_clear(&writer);
    return same;
}

// Sends, and if `back` is given, waits for the same to come back.
static bool exchange(PychoralRole *role, const Line *line, void *value, bool alice)
{
    if (alice) {
        bool sent = pychoral_send(role, PEER, 1, line->type, value);
        pychoral_release(line->type, value);
        if (!sent || !pychoral_receive(role, PEER, 2, line->type, value))
            return false;
    } else if (!pychoral_receive(role, PEER, 1, line->type, value)) {
        return false;
    }
    bool good = is_encoded(line, value) ||
                pychoral_raise(role, "AssertionError", "a %s has changed", line->type->name);
    if (good && !alice)
        good = pychoral_send(role, PEER, 2, line->type, value);
    pychoral_release(line->type, value);
    return good;
}

static bool types(PychoralRole *role, bool alice)
{
    FILE *file = fopen(pychoral_argument(role, 1), "r");
    Line line;
    bool good = file || pychoral_raise(role, "OSError", "there are no values");
    while (good && read_line(file, &line)) {
        PychoralFault fault;
        void *value = calloc(1, line.type->size + 1);
        if (alice && !pychoral_decode(line.type, line.frames, line.count, value, &fault))
            good = pychoral_raise(role, "ValueError", "%s", fault.text);
        good = good && exchange(role, &line, value, alice);
        free(value);
        drop_line(&line);
    }
    if (file)
        fclose(file);
    return good;
}

// --- sizes ---

static PychoralBytes *pattern(size_t size)
{
    char *text = malloc(size + 1);
    for (size_t i = 0; i < size; i++)
        text[i] = (char)(i * 31 + (i >> 12));
    PychoralBytes *bytes = pychoral_bytes_new(text, size);
    free(text);
    return bytes;
}

static bool size_there_and_back(PychoralRole *role, size_t size, bool alice)
{
    const PychoralType *type = &pychoral_type_bytes;
    PychoralBytes *wanted = pattern(size), *came = NULL;
    bool good = !alice || pychoral_send(role, PEER, 3, type, &wanted);
    good = good && pychoral_receive(role, PEER, alice ? 4 : 3, type, &came);
    if (good && (came->size != size || memcmp(came->data, wanted->data, size) != 0))
        good = pychoral_raise(role, "AssertionError", "%zu bytes have changed", size);
    good = good && (alice || pychoral_send(role, PEER, 4, type, &came));
    pychoral_release(type, &wanted);
    if (came)
        pychoral_release(type, &came);
    return good;
}

static bool sizes(PychoralRole *role, bool alice)
{
    for (size_t i = 0; i < SIZE_COUNT; i++)
        if (!size_there_and_back(role, SIZES[i], alice))
            return false;
    return true;
}

// --- stream ---

static bool check_sum(PychoralRole *role, int64_t sum)
{
    PychoralInt said;
    if (!pychoral_receive(role, PEER, 7, &pychoral_type_int, &said))
        return false;
    return said.small == sum || pychoral_raise(role, "AssertionError", "the sum is wrong");
}

static bool stream_out(PychoralRole *role, int64_t count)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < count; i++) {
        PychoralInt number = pychoral_int(i);
        sum += i;
        if (!pychoral_send(role, PEER, 5, &pychoral_type_int, &number))
            return false;
        bool last = i + 1 == count;
        if ((i + 1) % 100 != 0 && !last)
            continue;
        if (!pychoral_select(role, PEER, 6, &STEP, last ? DONE : MORE) || !check_sum(role, sum))
            return false;
    }
    return true;
}

static bool stream_in(PychoralRole *role, int64_t count)
{
    PychoralInt number, sum = pychoral_int(0);
    uint32_t label = MORE;
    for (int64_t i = 0; label == MORE; i++) {
        if (!pychoral_receive(role, PEER, 5, &pychoral_type_int, &number))
            return false;
        if (number.small != i)
            return pychoral_raise(role, "AssertionError", "a message is out of order");
        sum.small += i;
        if ((i + 1) % 100 != 0 && i + 1 != count)
            continue;
        if (!pychoral_branch(role, PEER, 6, &STEP, &label) ||
            !pychoral_send(role, PEER, 7, &pychoral_type_int, &sum))
            return false;
    }
    return true;
}

// --- the roles ---

static int play(PychoralRole *role, bool alice)
{
    const char *name = pychoral_argument(role, 0);
    int64_t count = number_argument(role, 2);
    bool good;
    if (strcmp(name, "types") == 0)
        good = types(role, alice);
    else if (strcmp(name, "sizes") == 0)
        good = sizes(role, alice);
    else if (strcmp(name, "all") == 0)
        good = sizes(role, alice) && (alice ? stream_out(role, count) : stream_in(role, count));
    else
        good = alice ? stream_out(role, count) : stream_in(role, count);
    return good ? 0 : 1;
}

static int alice(PychoralRole *role)
{
    return play(role, true);
}

static int bob(PychoralRole *role)
{
    return play(role, false);
}

static const PychoralParameter PARAMETERS[] = {
    {.name = "play", .type = "str", .standard = "all"},
    {.name = "values", .type = "str", .standard = ""},
    {.name = "count", .type = "int", .standard = "1000"}};
static const PychoralSite SITES[] = {
    {1, "interop.pyc:1"}, {2, "interop.pyc:2"}, {3, "interop.pyc:3"}, {4, "interop.pyc:4"},
    {5, "interop.pyc:5"}, {6, "interop.pyc:6"}, {7, "interop.pyc:7"}};

static const Pair PAIR = {
    .source = "interop.pyc",
    .protocol = "1f5c8b0b2a0e4f63b1d8f1d0a9c3e57712345678900000000000000000000002",
    .sites = SITES, .site_count = 7, .parameters = PARAMETERS, .parameter_count = 3,
    .alice = alice, .bob = bob,
};

int main(int argc, char **argv)
{
    return run_pair(&PAIR, argc, argv);
}
