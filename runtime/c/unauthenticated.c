// unauthenticated.c - connections that have not greeted; contracts in unauthenticated.h.
//
// When the monitor's event is read, libzmq may have closed the descriptor, and it may be that of
// another file of this process: only a connection to the listener's address is watched.

#include "unauthenticated.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { GREET_MS = 5000 };               // the dialler's own handshake takes two seconds

static bool is_port_of(const char *address, in_port_t port)
{
    const char *colon = strrchr(address, ':');
    return strncmp(address, "tcp://", 6) == 0 && strtol(colon + 1, NULL, 10) == ntohs(port);
}

static bool is_path_of(const char *address, const struct sockaddr_un *name, socklen_t size)
{
    size_t length = size - offsetof(struct sockaddr_un, sun_path);
    char path[sizeof name->sun_path + 1] = "";
    if (size <= offsetof(struct sockaddr_un, sun_path) || strncmp(address, "ipc://", 6) != 0)
        return false;
    memcpy(path, name->sun_path, length < sizeof path ? length : sizeof path - 1);
    if (path[0] == '\0')
        path[0] = '@';                  // a name without a file
    return strcmp(address + 6, path) == 0;
}

// Whether this end of a connection is where the address says.
static bool is_at(int file, const char *address)
{
    struct sockaddr_storage name;
    socklen_t size = sizeof name;
    if (getsockname(file, (struct sockaddr *)&name, &size) != 0)
        return false;
    if (name.ss_family == AF_INET)
        return is_port_of(address, ((const struct sockaddr_in *)&name)->sin_port);
    if (name.ss_family == AF_INET6)
        return is_port_of(address, ((const struct sockaddr_in6 *)&name)->sin6_port);
    return name.ss_family == AF_UNIX &&
           is_path_of(address, (const struct sockaddr_un *)&name, size);
}

void pychoral_unauthenticated_add(PychoralUnauthenticated *s, int file, uint64_t now)
{
    pychoral_unauthenticated_forget(s, file);
    if (s->count == s->room && s->room < PYCHORAL_STRANGERS_MOST) {
        size_t room = s->room != 0 ? s->room * 2 : 16;
        PychoralStranger *all = realloc(s->all, room * sizeof *all);
        if (all != NULL) {
            s->all = all;
            s->room = room;
        }
    }
    if (s->count < s->room && is_at(file, s->address))
        s->all[s->count++] = (PychoralStranger){pychoral_descriptor_of(file), now};
}

void pychoral_unauthenticated_forget(PychoralUnauthenticated *s, int file)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->all[i].descriptor.file == file) {
            s->all[i] = s->all[--s->count];
            return;
        }
}

void pychoral_unauthenticated_dismiss(PychoralUnauthenticated *s, uint64_t now)
{
    for (size_t i = 0; i < s->count;) {
        if (now < s->all[i].since + GREET_MS) {
            i++;
            continue;
        }
        pychoral_descriptor_end(&s->all[i].descriptor);
        s->all[i] = s->all[--s->count];
    }
}

void pychoral_unauthenticated_free(PychoralUnauthenticated *s)
{
    free(s->all);
    *s = (PychoralUnauthenticated){0};
}
