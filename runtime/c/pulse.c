// pulse.c - when something last came over a connection; contracts in pulse.h.

#define _DEFAULT_SOURCE 1               // struct tcp_info, SO_COOKIE

#include "pulse.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <sys/socket.h>

static bool read_info(int file, struct tcp_info *info)
{
    socklen_t size = sizeof *info;
    return getsockopt(file, IPPROTO_TCP, TCP_INFO, info, &size) == 0;
}

static bool read_cookie(int file, uint64_t *cookie)
{
    socklen_t size = sizeof *cookie;
    return getsockopt(file, SOL_SOCKET, SO_COOKIE, cookie, &size) == 0;
}

uint64_t pychoral_pulse_cookie(int file)
{
    struct tcp_info info;
    uint64_t cookie;
    return file >= 0 && read_info(file, &info) && read_cookie(file, &cookie) ? cookie : 0;
}

void pychoral_pulse_check(int file, uint64_t cookie, uint32_t silence)
{
    struct tcp_info info;
    uint64_t now;
    if (cookie != 0 && read_info(file, &info) && info.tcpi_last_data_recv >= silence &&
        read_cookie(file, &now) && now == cookie)
        shutdown(file, SHUT_RDWR);
}
