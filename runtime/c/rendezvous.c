// rendezvous.c - where the peers are, and what keeps the links private.

#define _DEFAULT_SOURCE 1               // getentropy

#include "rendezvous.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#include "address.h"
#include "durable.h"
#include "file.h"
#include "price.h"
#include "reachability.h"
#include "room.h"
#include "sha256.h"

// Of roles without a manifest. Measured: more bytes on their way than the caches hold cost a third
// of the time of messages of 1 KiB.
enum { WINDOW_MESSAGES = 8192, WINDOW_BYTES = 2 << 20, LINGER_MS = 1000 };

static int index_of(const PychoralProgram *program, const char *role)
{
    for (size_t i = 0; i < program->role_count; i++)
        if (strcmp(program->roles[i], role) == 0)
            return (int)i;
    return -1;
}

// --- the manifest ---

static void append_name(char *names, size_t room, const char *name)
{
    size_t size = strlen(names);
    snprintf(names + size, room - size, "%s%s", size > 0 ? ", " : "", name);
}

static bool other_roles(const PychoralRole *role, PychoralFault *fault)
{
    char there[200] = "", here[200] = "";
    for (size_t i = 0; i < role->manifest.role_count; i++)
        append_name(there, sizeof there, role->manifest.roles[i].name);
    for (size_t i = 0; i < role->program->role_count; i++)
        append_name(here, sizeof here, role->program->roles[i]);
    return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED,
                              "%.200s has the roles %s, but the program has %s",
                              role->settings->manifest, there, here);
}

static bool check_roles(PychoralRole *role, PychoralFault *fault)
{
    const PychoralManifest *manifest = &role->manifest;
    bool same = manifest->role_count == role->program->role_count;
    size_t keys = 0;
    for (size_t i = 0; i < manifest->role_count; i++) {
        same = same && strcmp(manifest->roles[i].name, role->program->roles[i]) == 0;
        keys += manifest->roles[i].has_key;
    }
    if (!same)
        return other_roles(role, fault);
    if (keys != 0 && keys != manifest->role_count)
        return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED,
                                  "%s must give every role its own key, or no role a key",
                                  role->settings->manifest);
    return true;
}

// A folder stands for the file in it that is meant.
static void path_in(const char *path, const char *file, char *text, size_t size)
{
    bool folder = pychoral_is_directory(path);
    snprintf(text, size, "%s%s%s", path, folder ? "/" : "", folder ? file : "");
}

static bool read_key(PychoralRole *role, const char *manifest, const uint8_t *known,
                     PychoralFault *fault)
{
    char path[1400], folder[1000], name[300];
    snprintf(folder, sizeof folder, "%s", manifest);
    char *slash = strrchr(folder, '/');
    snprintf(name, sizeof name, "%.290s.key", role->name);
    if (slash)
        slash[slash == folder] = 0;     // "/" stays
    else
        strcpy(folder, ".");
    path_in(role->settings->key ? role->settings->key : folder, name, path, sizeof path);
    return pychoral_key_read(path, role->name, known, role->secret, fault);
}

static bool read_manifest(PychoralRole *role, PychoralFault *fault)
{
    char path[1000];
    if (!role->settings->manifest)
        return true;
    path_in(role->settings->manifest, "manifest.json", path, sizeof path);
    if (!pychoral_manifest_read(path, &role->manifest, fault) || !check_roles(role, fault))
        return false;
    const PychoralManifestRole *own = pychoral_manifest_role(&role->manifest, role->name);
    role->has_keys = role->has_secret = own && own->has_key;
    return !role->has_keys || read_key(role, path, own->key, fault);
}

// --- keys at the meeting place ---

static bool make_keys(PychoralRole *role, bool serves, PychoralFault *fault)
{
    char public[PYCHORAL_KEY_TEXT], secret[PYCHORAL_KEY_TEXT];
    if (role->has_secret)
        return true;
    if (zmq_curve_keypair(public, secret) != 0)
        return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED, "this libzmq has no CURVE");
    role->has_secret = zmq_z85_decode(role->secret, secret) &&
                       pychoral_place_publish_key(&role->place, public, serves, fault);
    pychoral_key_forget(secret, sizeof secret);
    return role->has_secret;
}

static bool role_of_key(void *who, const uint8_t key[32], char *name, size_t size)
{
    const PychoralRole *role = who;
    const PychoralManifest *manifest = &role->manifest;
    char wanted[PYCHORAL_KEY_TEXT], known[100];
    for (size_t i = 0; i < manifest->role_count; i++) {
        if (!manifest->roles[i].has_key || memcmp(manifest->roles[i].key, key, 32) != 0)
            continue;
        snprintf(name, size, "%s", manifest->roles[i].name);
        return true;
    }
    if (role->place.path[0] == 0 || !zmq_z85_encode(wanted, key, 32))
        return false;
    for (size_t i = 0; i < role->program->role_count; i++) {
        if (!pychoral_place_key_of(&role->place, (int)i, false, known, sizeof known) ||
            strcmp(known, wanted) != 0)
            continue;
        snprintf(name, size, "%s", role->program->roles[i]);
        return true;
    }
    return false;
}

const uint8_t *pychoral_rendezvous_key(PychoralLink *link, uint8_t *room)
{
    PychoralRole *role = link->role;
    char text[100];
    PychoralFault fault = {0};
    const PychoralManifestRole *entry = pychoral_manifest_role(&role->manifest, link->peer);
    if (entry)
        return entry->has_key ? entry->key : NULL;
    int index = index_of(role->program, link->peer);
    if (!link->at_meeting ||
        !pychoral_place_key_of(&role->place, index, true, text, sizeof text) ||
        strlen(text) != PYCHORAL_KEY_TEXT - 1 || !zmq_z85_decode(room, text))
        return NULL;
    bool had = role->has_secret;
    if (!make_keys(role, false, &fault) ||
        (!had && !pychoral_sockets_use(role->sockets, role->secret)))
        return NULL;
    return room;
}

bool pychoral_rendezvous_is_alive(const PychoralLink *link)
{
    int index = index_of(link->role->program, link->peer);
    return !link->at_meeting || pychoral_place_is_alive(&link->role->place, index);
}

// --- where ---

static bool at_meeting(PychoralLink *link, int index, PychoralFault *fault)
{
    PychoralRole *role = link->role;
    if (role->place.path[0] == 0 &&
        !pychoral_place_enter(&role->place, role->program->protocol, role->run, role->name,
                              index_of(role->program, role->name), role->settings->journal != NULL,
                              fault))
        return false;
    pychoral_place_address(&role->place, index, link->address, sizeof link->address);
    link->at_meeting = true;
    return true;
}

static bool place_link(PychoralLink *link, PychoralFault *fault)
{
    const PychoralRole *role = link->role;
    const PychoralSettings *settings = role->settings;
    const PychoralPeerSettings *said = &settings->peers[link->index];
    int mine = index_of(role->program, role->name), other = index_of(role->program, link->peer);
    const char *address = said->dial;
    link->dials = said->dial || (other < mine && !said->listen);
    if (link->dials && !address)
        address = said->peer_address;
    if (!link->dials && settings->bind)
        address = settings->bind;
    int where = link->dials ? other : mine;
    if (!address && settings->manifest)
        address = role->manifest.roles[where].address;
    if (!address)
        return at_meeting(link, where, fault);
    if (strlen(address) >= sizeof link->address)
        return pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE, "the address %.80s... is too long",
                                  address);
    strcpy(link->address, address);
    return true;
}

// Refuses to send in the clear where that is not allowed, or not asked for.
static bool check_private(const PychoralLink *link, bool has_keys, PychoralFault *fault)
{
    const char *address = link->address;
    const PychoralRole *role = link->role;
    if (has_keys || strncmp(address, "inproc://", 9) == 0)
        return true;
    if (role->program->peers[link->index].secure)
        return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED,
                                  "the channel to %s must be secure, but %s has no keys: "
                                  "give --manifest and --key (see pychoralc keygen)",
                                  link->peer, address);
    if (!pychoral_address_is_local(address) && !role->settings->plain)
        return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED,
                                  "%s leaves this machine unencrypted: give --manifest and --key, "
                                  "or give --plain to allow it",
                                  address);
    if (strncmp(address, "ipc://", 6) == 0 && !role->settings->plain &&
        !pychoral_address_is_private(address))
        return pychoral_fault_set(fault, PYCHORAL_EXIT_REFUSED,
                                  "%s is not in a directory that only you can enter: use one with "
                                  "mode 700, or give --plain to allow it",
                                  address);
    return true;
}

// --- configurations ---

static uint64_t seed(void)
{
    uint64_t number = 0;
    if (getentropy(&number, sizeof number) != 0)
        number = (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32;
    return number;
}

static void set_intervals(PychoralConfig *config, const PychoralSettings *settings)
{
    double connect = settings->connect_timeout;
    if (settings->timeout > 0 && (connect <= 0 || settings->timeout < connect))
        connect = settings->timeout;
    if (connect > 0)
        config->connect = (uint32_t)(connect < 4e6 ? connect * 1000 : 4e9);
    if (settings->lost_after > 0)
        config->lost = (uint32_t)(settings->lost_after < 4e6 ? settings->lost_after * 1000 : 4e9);
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_hash(const char *hex, uint8_t hash[32], PychoralFault *fault)
{
    bool good = strlen(hex) == 64;
    for (int i = 0; good && i < 32; i++) {
        int high = digit(hex[2 * i]), low = digit(hex[2 * i + 1]);
        good = high >= 0 && low >= 0;
        hash[i] = (uint8_t)(high << 4 | low);
    }
    return good || pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE,
                                      "the program's protocol is not 64 hexadecimal digits");
}

// Once the role is in its place: who cannot be there must leave the journal to who is.
static bool make_durable(PychoralRole *role, PychoralConfig *config, PychoralFault *fault)
{
    if (!role->settings->journal)
        return true;
    if (!pychoral_durable_open(role, config->hash, fault))
        return false;
    config->durable = true;
    config->incarnation = pychoral_durable_incarnation(role);
    return true;
}

static bool configure(PychoralRole *role, PychoralConfig *config, PychoralFault *fault)
{
    struct timespec now;
    PychoralSha256 sha;
    uint8_t digest[32];
    clock_gettime(CLOCK_REALTIME, &now);
    pychoral_sha256_start(&sha);
    pychoral_sha256_add(&sha, role->run, strlen(role->run));
    pychoral_sha256_end(&sha, digest);
    *config = pychoral_config_default();
    config->beats = true;
    config->me = role->name;
    config->run_name = role->run;
    config->window_messages = WINDOW_MESSAGES;
    config->window_bytes = WINDOW_BYTES;
    memcpy(config->run_id, digest, sizeof config->run_id);
    config->incarnation = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
    set_intervals(config, role->settings);
    if (role->settings->manifest) {
        config->max_message = role->manifest.message;
        config->window_bytes = role->manifest.window_bytes;
        config->window_messages = role->manifest.window_messages;
    }
    return read_hash(role->program->protocol, config->hash, fault);
}

// --- opening ---

static bool place_links(PychoralRole *role, PychoralFault *fault)
{
    bool all_here = true, any_secure = false;
    for (size_t i = 0; i < role->program->peer_count; i++) {
        PychoralLink *link = &role->links[i];
        link->role = role;
        link->index = (int)i;
        link->peer = role->program->peers[i].name;
        if (!place_link(link, fault))
            return false;
        all_here = all_here && link->at_meeting;
        any_secure = any_secure || role->program->peers[i].secure;
    }
    if (any_secure && all_here && !role->has_keys) {
        if (!make_keys(role, true, fault))
            return false;
        role->has_keys = true;
    }
    for (size_t i = 0; i < role->program->peer_count; i++)
        if (!check_private(&role->links[i], role->has_keys, fault))
            return false;
    return true;
}

static bool open_links(PychoralRole *role, const PychoralConfig *common, PychoralFault *fault)
{
    for (size_t i = 0; i < role->program->peer_count; i++) {
        PychoralLink *link = &role->links[i];
        PychoralAgreement agreed = link->config.agreed;
        link->config = *common;
        link->config.agreed = agreed;
        link->config.peer = link->peer;
        link->config.dials = link->dials;
        link->config.seed = seed();
        link->config.crc = !pychoral_address_is_local(link->address) && !role->has_keys;
        if (!pychoral_link_open(link, fault))
            return false;
    }
    return true;
}

static bool listen_at(const PychoralLink *link, PychoralFault *fault)
{
    const PychoralRole *role = link->role;
    char address[PYCHORAL_ADDRESS_SIZE];
    if (!role->settings->journal && pychoral_probe_listens(link->address))
        return pychoral_fault_set(fault, PYCHORAL_EXIT_USAGE,
                                  "cannot listen at %s: a program listens there already",
                                  link->address);
    if (!role->settings->journal || !link->at_meeting)
        return pychoral_sockets_listen(role->sockets, link->address, fault);
    pychoral_place_bindable(&role->place, address, sizeof address);
    return pychoral_sockets_listen(role->sockets, address, fault) &&
           pychoral_place_lead(&role->place, fault);
}

// What was measured: libzmq's threads and the handler of keys; a socket with its monitor, one that
// listens or one for each that is dialled; the connections; what is opened while one is made anew.
static int descriptors_of(const PychoralRole *role, bool all)
{
    enum { BASE = 6, SPARE = 6, LISTENER = 4, DIALLED = 4, ACCEPTED = 1 };
    int count = 0;
    bool listens = false;
    for (size_t i = 0; i < role->program->peer_count; i++) {
        listens = listens || !role->links[i].dials;
        count += role->links[i].dials ? DIALLED : ACCEPTED;
    }
    if (!all)                           // to speak to one after the other
        return BASE + (listens ? LISTENER + ACCEPTED : DIALLED);
    return BASE + SPARE + count + (listens ? LISTENER : 0);
}

static bool open_sockets(PychoralRole *role, void *context, const PychoralConfig *common,
                         PychoralFault *fault)
{
    const PychoralLink *listening = NULL;
    PychoralSocketSetup setup = {
        .context = context,
        .secret = role->has_secret ? role->secret : NULL,
        .keys_at_listener = role->has_keys,
        .role_of = role_of_key,
        .who = role,
        .max_message = common->max_message,
        .window_messages = common->window_messages,
        .links = (int)role->program->peer_count,
    };
    role->sockets = pychoral_sockets_new(&setup, fault);
    if (!role->sockets)
        return false;
    for (size_t i = 0; i < role->program->peer_count; i++)
        if (!role->links[i].dials)
            listening = &role->links[i];
    return !listening || listen_at(listening, fault);
}

bool pychoral_rendezvous_open(PychoralRole *role, void *context, PychoralFault *fault)
{
    PychoralConfig common;
    role->place.lock = -1;
    if (!read_manifest(role, fault))
        return false;
    role->run = role->settings->run        ? role->settings->run
                : role->manifest.run != NULL ? role->manifest.run : "";
    if (!configure(role, &common, fault) || !place_links(role, fault))
        return false;
    role->is_placed = true;
    uint64_t usual = 4 * common.max_message;
    if (usual < PYCHORAL_PRICE_LEAST)
        usual = PYCHORAL_PRICE_LEAST;
    role->max_decoded = role->settings->max_decoded ? role->settings->max_decoded : usual;
    return (context || (pychoral_room_make(descriptors_of(role, true), fault) &&
                        pychoral_room_for_threads(fault))) &&
           open_sockets(role, context, &common, fault) && make_durable(role, &common, fault) &&
           open_links(role, &common, fault);
}

// Where descriptors are few, those who dial are told, one after the other; where nobody can come,
// those who are dialled.
static void give_up(PychoralRole *role, bool dialled, const char *why)
{
    for (size_t i = 0; i < role->program->peer_count; i++)
        if (role->links[i].dials == dialled)
            pychoral_fault_set(&role->links[i].failure, PYCHORAL_EXIT_PEER_LOST, "%s", why);
}

bool pychoral_rendezvous_farewell(PychoralRole *role, void *context, const char *why)
{
    PychoralConfig common;
    PychoralFault fault = {0};
    bool far = false, listens = false;
    if (role->place.path[0])
        pychoral_place_mark(&role->place, why, &fault);
    for (size_t i = 0; i < role->program->peer_count; i++) {
        far = far || !role->links[i].at_meeting;
        listens = listens || !role->links[i].dials;
    }
    if (!far || !configure(role, &common, &fault))
        return false;
    common.window_messages = 0;         // which says that it cannot start
    if (!role->sockets && pychoral_room_make(descriptors_of(role, false), &fault) &&
        pychoral_room_for_threads(&fault)) {
        if (open_sockets(role, context, &common, &fault) && listens)
            give_up(role, true, why);
    }
    if (role->sockets && !role->place.path[0] && !pychoral_sockets_listens(role->sockets))
        give_up(role, false, why);
    const PychoralLink *first = role->links, *last = first + role->program->peer_count - 1;
    return role->sockets &&
           (last->machine || (!first->machine && open_links(role, &common, &fault)));
}

bool pychoral_rendezvous_mark(const PychoralLink *link, char *why, size_t size)
{
    const PychoralRole *role = link->role;
    return link->at_meeting && pychoral_place_mark_of(&role->place,
                                                      index_of(role->program, link->peer), why,
                                                      size);
}

void pychoral_rendezvous_close(PychoralRole *role)
{
    for (size_t i = 0; role->sockets && i < role->program->peer_count; i++)
        if (role->links[i].dials)
            pychoral_sockets_linger(role->sockets, (int)i,
                                    pychoral_link_linger(&role->links[i], LINGER_MS));
    pychoral_sockets_free(role->sockets, true);
    role->sockets = NULL;
    for (size_t i = 0; i < role->program->peer_count; i++)
        pychoral_link_close(&role->links[i]);
    pychoral_place_leave(&role->place);
    pychoral_manifest_free(&role->manifest);
    pychoral_key_forget(role->secret, sizeof role->secret);
}
