// descriptor.c - connections of libzmq's, by their descriptors; contracts in descriptor.h.

#define _DEFAULT_SOURCE 1               // SO_COOKIE

#include "descriptor.h"

#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static uint64_t cookie_of(int file)
{
    uint64_t cookie;
    socklen_t size = sizeof cookie;
    return file >= 0 && getsockopt(file, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

PychoralDescriptor pychoral_descriptor_of(int file)
{
    return (PychoralDescriptor){.file = file, .cookie = cookie_of(file)};
}

void pychoral_descriptor_end(const PychoralDescriptor *descriptor)
{
    int own = dup(descriptor->file);    // nobody else closes it; if there is none left, be quick
    int file = own >= 0 ? own : descriptor->file;
    if (descriptor->cookie != 0 && cookie_of(file) == descriptor->cookie)
        shutdown(file, SHUT_RDWR);
    if (own >= 0)
        close(own);
}

// Beats are too small to be found waiting, but for a moment: what waits and moves is a message.
static void notice_moves(PychoralDescriptor *descriptor, uint64_t acked, uint64_t now)
{
    int waits = 0;
    if (acked != descriptor->acked && ioctl(descriptor->file, SIOCOUTQ, &waits) == 0 && waits > 0)
        descriptor->moved_at = now;
    descriptor->acked = acked;
}

void pychoral_descriptor_end_silent(PychoralDescriptor *descriptor, uint64_t now, uint32_t silence)
{
    struct tcp_info info;
    socklen_t size = sizeof info;
    if (descriptor->cookie == 0 ||
        getsockopt(descriptor->file, IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
        return;
    notice_moves(descriptor, info.tcpi_bytes_acked, now);
    if (info.tcpi_last_data_recv >= silence && now - descriptor->moved_at >= silence)
        pychoral_descriptor_end(descriptor);
}
