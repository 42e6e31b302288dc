"""TCP ports for tests that run at the same time: no two processes are given the same one.

A port is below those that the system gives out by itself, and is reserved for as long as the
process lives by a socket in Linux's abstract namespace, which no crash leaves behind.
"""

import random
import socket

FIRST, END = 20_000, 32_000
_reserved: "list[socket.socket]" = []


def is_free(family: socket.AddressFamily, host: str, port: int) -> bool:
    try:
        with socket.socket(family) as probe:
            probe.bind((host, port))
    except OSError:
        return False
    return True


HAS_IPV6 = is_free(socket.AF_INET6, "::1", 0)


def free_port() -> int:
    while True:
        port = random.SystemRandom().randrange(FIRST, END)
        reservation = socket.socket(socket.AF_UNIX)
        try:
            reservation.bind(f"\0pychoral-test-port-{port}")
        except OSError:
            reservation.close()
            continue
        if not is_free(socket.AF_INET, "127.0.0.1", port) \
                or HAS_IPV6 and not is_free(socket.AF_INET6, "::1", port):
            reservation.close()
            continue
        _reserved.append(reservation)
        return port


def free_address() -> str:
    return f"tcp://127.0.0.1:{free_port()}"
