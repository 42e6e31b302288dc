// reachability.c - asking a listener which mechanism it has; contracts in reachability.h.

#define _DEFAULT_SOURCE 1               // getaddrinfo

#include "reachability.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "role.h"

enum {
    ANSWER_MS = 250,
    HOST_SIZE = 256,
    MECHANISM_AT = 12,                  // in a greeting of ZMTP
    MECHANISM_END = MECHANISM_AT + PYCHORAL_MECHANISM_SIZE - 1,
};

static bool wait_for(int file, short events, uint64_t deadline)
{
    uint64_t now = pychoral_now();
    struct pollfd polled = {.fd = file, .events = events};
    return now < deadline && poll(&polled, 1, (int)(deadline - now)) == 1;
}

// A stream to an address, connected; -1 if there is none.
static int connect_to(int family, const struct sockaddr *address, socklen_t size,
                      uint64_t deadline)
{
    int error = 0;
    socklen_t error_size = sizeof error;
    int file = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0)
        return -1;
    if (connect(file, address, size) == 0 ||
        (errno == EINPROGRESS && wait_for(file, POLLOUT, deadline) &&
         getsockopt(file, SOL_SOCKET, SO_ERROR, &error, &error_size) == 0 && error == 0))
        return file;
    close(file);
    return -1;
}

static int connect_tcp(const char *text, uint64_t deadline)
{
    char host[HOST_SIZE];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    const char *colon = strrchr(text, ':');
    bool has_brackets = text[0] == '[';
    size_t length = colon != NULL ? (size_t)(colon - text) : 0;
    if (length <= 2u * has_brackets || length >= sizeof host)
        return -1;
    memcpy(host, text + has_brackets, length);
    host[length - 2u * has_brackets] = '\0';
    if (getaddrinfo(host, colon + 1, &hints, &found) != 0)
        return -1;
    int file = -1;
    for (const struct addrinfo *each = found; each != NULL && file < 0; each = each->ai_next)
        file = connect_to(each->ai_family, each->ai_addr, each->ai_addrlen, deadline);
    freeaddrinfo(found);
    return file;
}

static int connect_ipc(const char *path, uint64_t deadline)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(path);
    if (length >= sizeof address.sun_path)
        return -1;
    memcpy(address.sun_path, path, length);
    if (path[0] != '@')
        return connect_to(AF_UNIX, (const struct sockaddr *)&address, sizeof address, deadline);
    address.sun_path[0] = '\0';         // a name without a file
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    return connect_to(AF_UNIX, (const struct sockaddr *)&address, size, deadline);
}

static bool receive(int file, uint8_t *bytes, size_t size, uint64_t deadline)
{
    while (size > 0 && wait_for(file, POLLIN, deadline)) {
        ssize_t part = recv(file, bytes, size, 0);
        if (part <= 0)
            return false;
        bytes += part;
        size -= (size_t)part;
    }
    return size == 0;
}

bool pychoral_probe_mechanism(const char *address, char mechanism[PYCHORAL_MECHANISM_SIZE])
{
    static const uint8_t beginning[] = {0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 0};  // ZMTP 3.0
    uint8_t greeting[MECHANISM_END];
    uint64_t deadline = pychoral_now() + ANSWER_MS;
    int file = strncmp(address, "tcp://", 6) == 0   ? connect_tcp(address + 6, deadline)
               : strncmp(address, "ipc://", 6) == 0 ? connect_ipc(address + 6, deadline)
                                                    : -1;
    if (file < 0)
        return false;
    bool good = send(file, beginning, sizeof beginning, MSG_NOSIGNAL) == sizeof beginning &&
                receive(file, greeting, sizeof greeting, deadline) && greeting[0] == 0xFF;
    close(file);
    memcpy(mechanism, greeting + MECHANISM_AT, good ? PYCHORAL_MECHANISM_SIZE - 1 : 0);
    mechanism[good ? PYCHORAL_MECHANISM_SIZE - 1 : 0] = '\0';
    return good;
}

bool pychoral_probe_listens(const char *address)
{
    int file = strncmp(address, "ipc://", 6) == 0
                   ? connect_ipc(address + 6, pychoral_now() + ANSWER_MS) : -1;
    if (file >= 0)
        close(file);
    return file >= 0;
}
