// descriptor.c - connections of libzmq's, by their descriptors; contracts in descriptor.h.

#define _DEFAULT_SOURCE 1               // struct tcp_info, SO_COOKIE

#include "descriptor.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

uint64_t pychoral_descriptor_cookie(int file)
{
    uint64_t cookie;
    socklen_t size = sizeof cookie;
    return file >= 0 && getsockopt(file, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

void pychoral_descriptor_end(int file, uint64_t cookie)
{
    int same = file >= 0 && cookie != 0 ? dup(file) : -1;       // it cannot become another's
    if (same < 0)
        return;
    if (pychoral_descriptor_cookie(same) == cookie)
        shutdown(same, SHUT_RDWR);
    close(same);
}

static bool is_silent(int file, uint32_t silence)
{
    struct tcp_info info;
    socklen_t size = sizeof info;
    return getsockopt(file, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
           info.tcpi_last_data_recv >= silence;
}

void pychoral_descriptor_end_silent(int file, uint64_t cookie, uint32_t silence)
{
    if (is_silent(file, silence))
        pychoral_descriptor_end(file, cookie);
}
