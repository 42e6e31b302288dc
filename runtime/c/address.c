// address.c - addresses; contracts in address.h.

#include "address.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 600 };               // longer than any address of a link

// What stands behind the start of a text; NULL if it starts in another way.
static const char *behind(const char *text, const char *start)
{
    size_t length = strlen(start);
    return strncmp(text, start, length) == 0 ? text + length : NULL;
}

bool pychoral_address_has_kind(const char *text)
{
    static const char *const kinds[] = {"tcp://", "ipc://", "inproc://"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *rest = behind(text, kinds[i]);
        if (rest != NULL && *rest != '\0')
            return true;
    }
    return false;
}

static bool is_port(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    long number = digits >= 1 && digits <= 5 ? strtol(text, NULL, 10) : 0;
    return text[digits] == '\0' && number >= 1 && number <= 65535;
}

const char *pychoral_address_wrong(const char *text)
{
    if (!pychoral_address_has_kind(text))
        return "is not an ipc:// or tcp:// address";
    const char *host = behind(text, "tcp://");
    const char *colon = host != NULL ? strrchr(host, ':') : NULL;
    if (host == NULL)
        return NULL;
    if (colon != NULL && is_port(colon + 1))
        return colon > host ? NULL
             : "has no host: for --bind, tcp://*:PORT listens on all interfaces";
    return "has no port from 1 to 65535";
}

bool pychoral_address_is_local(const char *address)
{
    static const char *const starts[] = {"inproc://", "ipc://", "tcp://localhost:", "tcp://[::1]:"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (behind(address, starts[i]) != NULL)
            return strchr(address, ';') == NULL;
    const char *host = behind(address, "tcp://127.");
    if (host == NULL)
        return false;
    const char *port = host + strspn(host, "0123456789.");
    return port[0] == ':' && port[1 + strspn(port + 1, "0123456789")] == '\0';
}

bool pychoral_address_is_private(const char *address)
{
    struct stat found;
    char folder[PATH_SIZE];
    if (behind(address, "inproc://") != NULL)
        return true;
    const char *path = behind(address, "ipc://");
    if (path == NULL || *path == '@' || *path == '*' || strlen(path) >= sizeof folder)
        return false;
    strcpy(folder, path);
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[slash == folder] = '\0';  // "/" stays
    return stat(slash != NULL ? folder : ".", &found) == 0 && S_ISDIR(found.st_mode) &&
           found.st_uid == geteuid() && (found.st_mode & 0077) == 0;
}
