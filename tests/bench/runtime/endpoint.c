// endpoint.c - what is measured against bare.c: the same between two endpoints on the C runtime,
// written as the compiler writes them.
//
//     endpoint A --kind KIND --size N --rounds N --messages N [--paced N] --bind ADDRESS
//     endpoint B --kind KIND --size N --rounds N --messages N [--paced N] --connect A=ADDRESS
//
// KIND is `bytes`, `ints` (64 bits each, whatever the size) or `array` (float64 of N bytes).

#include <string.h>

#include "measure.h"
#include "pychoral.h"

enum { PEER = 0 };

static const PychoralParameter PARAMETERS[] = {
    {.name = "kind", .type = "str", .standard = "bytes"},
    {.name = "size", .type = "int", .standard = "1"},
    {.name = "rounds", .type = "int", .standard = "1000"},
    {.name = "messages", .type = "int", .standard = "1000"},
    {.name = "paced", .type = "int", .standard = "0"}};

typedef union {
    PychoralInt number;
    PychoralBytes *bytes;
    PychoralArray *array;
} Value;

static int64_t number_of(const PychoralRole *role, size_t parameter)
{
    return strtoll(pychoral_argument(role, parameter), NULL, 10);
}

static bool is_kind(const PychoralRole *role, const char *kind)
{
    return strcmp(pychoral_argument(role, 0), kind) == 0;
}

static const PychoralType *type_of(const PychoralRole *role)
{
    return is_kind(role, "array")  ? &pychoral_type_ndarray
           : is_kind(role, "ints") ? &pychoral_type_int
                                   : &pychoral_type_bytes;
}

static Value make(const PychoralRole *role)
{
    Value value = {.number = pychoral_int(42)};
    size_t size = (size_t)number_of(role, 1);
    if (is_kind(role, "array")) {
        uint64_t shape = size / 8;
        value.array = pychoral_array_new(PYCHORAL_FLOAT64, 1, &shape);
        memset(pychoral_array_writable(value.array), 0, size);
    } else if (!is_kind(role, "ints")) {
        char *text = calloc(size + 1, 1);
        value.bytes = pychoral_bytes_new(text, size);
        free(text);
    }
    return value;
}

static bool put(PychoralRole *role, const PychoralType *type, const Value *value)
{
    return pychoral_send(role, PEER, 1, type, value);
}

static bool get(PychoralRole *role, const PychoralType *type)
{
    Value value;
    if (!pychoral_receive(role, PEER, 1, type, &value))
        return false;
    pychoral_release(type, &value);
    return true;
}

static bool round_trips(PychoralRole *role, const PychoralType *type, Value *value, bool first)
{
    int64_t count = number_of(role, 2);
    double *trips = malloc(sizeof *trips * (size_t)(count + 1));
    bool good = true;
    for (int64_t i = -WARM_UP; good && i < count; i++) {
        double start = clock_seconds();
        good = first ? put(role, type, value) && get(role, type)
                     : get(role, type) && put(role, type, value);
        if (i >= 0)
            trips[i] = clock_seconds() - start;
    }
    if (good && first)
        print_median(trips, count);
    free(trips);
    return good;
}

static bool one_way(PychoralRole *role, const PychoralType *type, Value *value, bool first)
{
    int64_t count = number_of(role, 3);
    double start = 0, cpu_start = 0;
    for (int64_t i = -WARM_UP; i < count; i++) {
        if (i == 0) {
            start = clock_seconds();
            cpu_start = cpu_seconds();
        }
        if (first ? !put(role, type, value) : !get(role, type))
            return false;
    }
    if (first ? !get(role, type) : !put(role, type, value))
        return false;
    if (count > 0)
        print_cpu(cpu_start, start);
    return true;
}

// A message each millisecond; the longest that the other end waited for one.
static bool paced(PychoralRole *role, bool first)
{
    int64_t count = number_of(role, 4);
    double gap = 0, last = 0;
    Value number = {.number = pychoral_int(1)};
    for (int64_t i = 0; i < count; i++) {
        if (first)
            nanosleep(&(struct timespec){0, 1000 * 1000}, NULL);
        if (first ? !put(role, &pychoral_type_int, &number)
                  : !get(role, &pychoral_type_int))
            return false;
        double now = clock_seconds();
        if (i > 0 && now - last > gap)
            gap = now - last;
        last = now;
    }
    if (count > 0 && !first)
        printf("gap %.9f\n", gap);
    return true;
}

static int talk(PychoralRole *role, bool first)
{
    const PychoralType *type = type_of(role);
    Value value = make(role);
    bool good = round_trips(role, type, &value, first) && one_way(role, type, &value, first) &&
                paced(role, first);
    pychoral_release(type, &value);
    return good ? 0 : 1;
}

static int body_of_a(PychoralRole *role)
{
    return talk(role, false);
}

static int body_of_b(PychoralRole *role)
{
    return talk(role, true);
}

static const char *const ROLES[] = {"A", "B"};
static const PychoralSite SITES[] = {{1, "bench.pyc:1"}};
static const PychoralPeer TO_B[] = {{"B", false}}, TO_A[] = {{"A", false}};

#define PROGRAM(name, peer_list, function)                                                       \
    {.role = (name), .roles = ROLES, .role_count = 2,                                            \
     .protocol = "be9c8b0b2a0e4f63b1d8f1d0a9c3e57712345678900000000000000000000001",              \
     .source = "bench.pyc", .sites = SITES, .site_count = 1, .peers = (peer_list),               \
     .peer_count = 1, .parameters = PARAMETERS, .parameter_count = 5, .body = (function)}

static const PychoralProgram A = PROGRAM("A", TO_B, body_of_a);
static const PychoralProgram B = PROGRAM("B", TO_A, body_of_b);

int main(int argc, char **argv)
{
    const PychoralProgram *program = argc > 1 && strcmp(argv[1], "A") == 0 ? &A : &B;
    return pychoral_main(program, argc - 1, argv + 1);
}
