// agreed.c - what both ends must have been given alike (PROTOCOL.md section 1, item 2): three
// schedules in ten have such values, and in some of these one value of the dialler is another.
// Then neither end may ever be up, and what it is told names the value.

#include <string.h>

#include "sim.h"

enum {
    NAME = 28,
    NAMED_MOST = (PYCHORAL_EXTRA_MAX - 4) / (NAME + 2 + 32 + 2),    // names and digests that fit
};

static void name_of(unsigned value, char out[NAME + 1])
{
    snprintf(out, NAME + 1, "v%0*u", NAME - 1, value);
}

static PychoralAgreement given(World *world, unsigned count, unsigned odd)
{
    PychoralAgreed *all = arena_take(world->arena, count * sizeof *all);
    for (unsigned i = 0; i < count; i++) {
        char *name = arena_take(world->arena, NAME + 1);
        Random random = {mix(world->seed, 1000 + i + (i == odd ? 1000 : 0))};
        name_of(i, name);
        memset(&all[i], 0, sizeof all[i]);
        all[i].name = name;
        for (size_t j = 0; j < sizeof all[i].digest; j++)
            all[i].digest[j] = (uint8_t)random_next(&random);
        memset(all[i].text, '0' + (int)random_below(&random, 10),
               random_below(&random, PYCHORAL_SHOWN_MAX + 1));
    }
    return (PychoralAgreement){all, count};
}

void agreed_configure(World *world)
{
    Random random = {mix(world->seed, 2)};
    if (!random_chance(&random, 30))
        return;
    unsigned count = 1 + (random_chance(&random, 85) ? random_below(&random, 4)
                                                     : 40 + random_below(&random, 60));
    world->differs = random_chance(&random, 40);
    world->odd = random_below(&random, count);
    world->roles[LISTENER].config.agreed = given(world, count, count);
    world->roles[DIALLER].config.agreed =
        given(world, count, world->differs ? world->odd : count);
}

static bool says_which(const World *world, const char *text)
{
    char name[NAME + 1];
    name_of(world->odd, name);
    bool named = world->roles[LISTENER].config.agreed.count <= NAMED_MOST;
    return strstr(text, named ? name : "a value is not the same") != NULL;
}

bool agreed_excuses(const World *world, const Process *process)
{
    return world->differs && process->end_code == PYCHORAL_DISAGREED &&
           (process->end_event == PYCHORAL_EVENT_FAULT ||
            process->end_event == PYCHORAL_EVENT_REFUSED);
}

void agreed_check_end(World *world, const Process *process)
{
    if (process->end_code != PYCHORAL_DISAGREED || !process->failed)
        return;
    if (!world->differs && process->end_event != PYCHORAL_EVENT_ABSENT &&
        process->end_event != PYCHORAL_EVENT_GONE)
        broken(world, "%s: ends with a difference where there is none", process->name);
    if (agreed_excuses(world, process) && !says_which(world, process->end_text))
        broken(world, "%s: does not say what differs: %s", process->name, process->end_text);
}

// Somebody says it, unless one failed, died, or left without an answer: of something else.
void agreed_check_outcome(World *world)
{
    bool told = !world->differs;
    for (int role = 0; role < 2; role++) {
        const Role *its = &world->roles[role];
        told |= agreed_excuses(world, its->process) || has_failed(world, role) ||
                its->process->left || its->memory_died || its->incarnations > 1;
    }
    if (!told)
        broken(world, "what differs is told to nobody");
}
