// agreeing.c - the values that a role and its peers must have been given alike; contracts in
// agreeing.h.

#include "agreeing.h"

#include <stdlib.h>
#include <string.h>

#include "../role.h"
#include "../sha256.h"
#include "short_repr.h"
#include "generated.h"
#include "process.h"
#include "str.h"

static bool names_peer(const PychoralParameter *parameter, const char *peer)
{
    const char *const *name = parameter->agreed;
    while (name != NULL && *name != NULL && strcmp(*name, peer) != 0)
        name++;
    return name != NULL && *name != NULL;
}

// The value of a parameter; its default is made once. NULL: that raised.
static const void *value_of(PychoralRole *role, size_t parameter)
{
    const PychoralParameter *each = &role->program->parameters[parameter];
    void **value = &role->settings->values[parameter];
    if (*value != NULL)
        return *value;
    void *made = pychoral_allocate_zeroed(1, each->row->size);
    each->make_default(made);
    if (pychoral_raised == NULL)
        return *value = made;
    free(made);
    return NULL;
}

static bool digest_of(PychoralRole *role, const PychoralParameter *parameter, const void *value,
                      uint8_t digest[32])
{
    PychoralSha256 sha;
    PychoralFault fault = {0};
    if (!pychoral_encode(&role->writer, parameter->row, value, &fault))
        return pychoral_role_fail(role, PYCHORAL_EXIT_USAGE, "%s: %s", parameter->name, fault.text);
    pychoral_sha256_start(&sha);
    for (size_t i = 0; i < role->writer.count; i++)
        pychoral_sha256_add(&sha, role->writer.frames[i].data, role->writer.frames[i].size);
    pychoral_sha256_end(&sha, digest);
    return true;
}

static bool tell(PychoralRole *role, size_t parameter, PychoralAgreed *out)
{
    const PychoralParameter *each = &role->program->parameters[parameter];
    const void *value = value_of(role, parameter);
    *out = (PychoralAgreed){.name = each->name};
    if (value == NULL || !digest_of(role, each, value, out->digest))
        return false;
    if (role->settings->secret[parameter])
        return true;
    PYCHORAL_OWNED(str) PychoralStr *text =
        pychoral_short_repr(each->row, value, PYCHORAL_SHOWN_MAX);
    if (text == NULL)
        return false;
    snprintf(out->text, sizeof out->text, "%s", text->data);
    return true;
}

static int by_name(const void *one, const void *other)
{
    return strcmp(((const PychoralAgreed *)one)->name, ((const PychoralAgreed *)other)->name);
}

static void agree(PychoralRole *role)
{
    const PychoralProgram *program = role->program;
    for (size_t i = 0; i < program->peer_count; i++) {
        PychoralLink *link = &role->links[i];
        size_t count = 0;
        link->agreed = pychoral_allocate_zeroed(program->parameter_count + 1,
                                                sizeof *link->agreed);
        for (size_t j = 0; j < program->parameter_count; j++)
            if (names_peer(&program->parameters[j], program->peers[i].name) &&
                !tell(role, j, &link->agreed[count++]))
                return;
        qsort(link->agreed, count, sizeof *link->agreed, by_name);
        link->config.agreed = (PychoralAgreement){link->agreed, count};
    }
}

bool pychoral_agree(PychoralRole *role)
{
    return pychoral_act_before(role, agree) && role->fault.status == 0;
}
