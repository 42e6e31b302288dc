// main.c - runs schedules by seed: sim [--count N] [--seed S] [--seconds T] [--quiet]
//
//     --most N          stops after so many seeds that break a rule
//     --replay SEED     one schedule, written as PROTOCOL.md section 4 has it, outputs as comments
//     --shorten SEED    leaves out the steps that do not matter, and writes what is left
//     --schedules       writes the inputs of all, separated by `---`, for both drivers
//
// A seed that breaks a rule is printed; the exit status is 1 then.

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim.h"

typedef struct Options {
    uint64_t count, seed, only, most;
    double seconds;
    bool replay, shorten, schedules, quiet;
} Options;

static void usage(void)
{
    fprintf(stderr, "usage: sim [--count N] [--seed S] [--seconds T] [--quiet] [--schedules] "
                    "[--most N] [--replay SEED] [--shorten SEED]\n");
    exit(2);
}

static uint64_t fresh_seed(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return mix((uint64_t)now.tv_sec, (uint64_t)now.tv_nsec) >> 16;
}

static Options parse(int argc, char **argv)
{
    Options options = {.count = 20000, .seed = 1, .most = 20};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--schedules") == 0)
            options.schedules = true;
        else if (strcmp(argv[i], "--quiet") == 0)
            options.quiet = true;
        else if (value == NULL)
            usage();
        else if (strcmp(argv[i], "--count") == 0)
            options.count = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            options.seed = strcmp(argv[++i], "fresh") == 0 ? fresh_seed()
                                                           : strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--most") == 0)
            options.most = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--seconds") == 0)
            options.seconds = strtod(argv[++i], NULL);
        else if (strcmp(argv[i], "--replay") == 0 || strcmp(argv[i], "--shorten") == 0) {
            options.replay = true;
            options.shorten = strcmp(argv[i], "--shorten") == 0;
            options.only = strtoull(argv[++i], NULL, 10);
        } else
            usage();
    }
    return options;
}

// Runs one schedule; what it broke, or "".
static void run(World *world, uint64_t seed, Arena *arena, const bool *skipped, FILE *record)
{
    arena_reset(arena);
    world_start(world, seed, arena, record);
    for (unsigned step = 0; step < world->steps && world->broken[0] == '\0'; step++)
        if (skipped == NULL || !skipped[step])
            world_step(world, step);
    if (record != NULL)
        fprintf(record, "# calm\n");
    if (world->broken[0] == '\0')
        world_calm_down(world);
    world_end(world);
}

// ---- shortening ----

// Leaves out blocks of steps as long as something is still broken.
static void shorten(World *world, uint64_t seed, Arena *arena, bool *skipped)
{
    run(world, seed, arena, NULL, NULL);
    unsigned steps = world->steps;
    for (unsigned size = steps / 2; size >= 1; size /= 2)
        for (unsigned from = 0; from < steps; from += size) {
            bool before[STEPS_MAX];
            memcpy(before, skipped, sizeof before);
            for (unsigned i = from; i < from + size && i < steps; i++)
                skipped[i] = true;
            run(world, seed, arena, skipped, NULL);
            if (world->broken[0] == '\0')
                memcpy(skipped, before, sizeof before);
        }
}

static int replay(const Options *options, World *world, Arena *arena)
{
    bool skipped[STEPS_MAX] = {false};
    if (options->shorten)
        shorten(world, options->only, arena, skipped);
    run(world, options->only, arena, skipped, stdout);
    fprintf(stderr, "seed %llu: %s\n", (unsigned long long)options->only,
            world->broken[0] != '\0' ? world->broken : "no rule broken");
    return world->broken[0] != '\0';
}

// ---- many ----

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int run_many(const Options *options, World *world, Arena *arena)
{
    double start = cpu_seconds();
    uint64_t done = 0, bad = 0;
    for (; done < options->count && bad < options->most; done++) {
        if (options->seconds > 0 && done % 64 == 0 && cpu_seconds() - start > options->seconds)
            break;
        run(world, options->seed + done, arena, NULL, options->schedules ? stdout : NULL);
        if (options->schedules)
            puts("---");
        if (world->broken[0] == '\0')
            continue;
        bad++;
        fprintf(stderr, "seed %llu: %s\n", (unsigned long long)(options->seed + done),
                world->broken);
    }
    double spent = cpu_seconds() - start;
    if (!options->quiet)
        fprintf(stderr, "%llu schedules from seed %llu, %llu broke a rule; %.0f a second\n",
                (unsigned long long)done, (unsigned long long)options->seed,
                (unsigned long long)bad, spent > 0 ? (double)done / spent : 0);
    return bad > 0;
}

int main(int argc, char **argv)
{
    static World world;
    Options options = parse(argc, argv);
    Arena *arena = arena_new();
    int status = options.replay ? replay(&options, &world, arena)
                                : run_many(&options, &world, arena);
    arena_free(arena);
    return status;
}
