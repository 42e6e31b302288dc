"""One end of what an engineer would write by hand over pyzmq: the yardstick of bench_runtime.py.

    bare.py A|B ADDRESS [--second] [--lent] [--keys SERVER,PUBLIC,SECRET] --size N --rounds N
            --messages N

A listens with a ROUTER, B dials with a DEALER. Prints what the endpoints of endpoints.pyc print.
`--second`: B sends first, in the round trips and in the stream, as in bare.c. `--lent`: with
`copy=False`. Keys (Z85): CURVE.
"""

import argparse
import sys
import time

import zmq

WARM = 200
HIGH_WATER = 1024 + 64


def listen(socket: "zmq.Socket[bytes]", peer: bytes, given: argparse.Namespace) -> None:
    data = b"x" * given.size
    send, receive, more = socket.send, socket.recv, zmq.SNDMORE

    def trips(count: int) -> list[float]:
        times = []
        for _ in range(count):
            began = time.perf_counter()
            send(peer, more)
            send(data)
            receive()
            receive()
            times.append(time.perf_counter() - began)
        return sorted(times)

    def stream(count: int) -> None:
        for _ in range(count):
            send(peer, more)
            send(data)

    trips(WARM)
    print("trip", trips(given.rounds)[given.rounds // 2])
    stream(WARM)
    before = time.process_time()
    stream(given.messages)
    receive()
    receive()
    print("cpu", time.process_time() - before)


def dial(socket: "zmq.Socket[bytes]", given: argparse.Namespace) -> None:
    send, receive = socket.send, socket.recv
    for _ in range(WARM + given.rounds):
        send(receive())
    for _ in range(WARM):
        receive()
    began = time.process_time()
    for _ in range(given.messages):
        receive()
    send(b"done")
    print("cpu", time.process_time() - began)


def ask(socket: "zmq.Socket[bytes]", given: argparse.Namespace) -> None:
    """B sends first."""
    data, copy = bytes(given.size), not given.lent
    times = []
    for _ in range(WARM + given.rounds):
        began = time.perf_counter()
        socket.send(data, copy=copy)
        socket.recv(copy=copy)
        times.append(time.perf_counter() - began)
    print("trip", sorted(times[WARM:])[given.rounds // 2])
    for _ in range(WARM):
        socket.send(data, copy=copy)
    began = time.process_time()
    for _ in range(given.messages):
        socket.send(data, copy=copy)
    socket.recv(copy=copy)
    print("cpu", time.process_time() - began)


def answer(socket: "zmq.Socket[bytes]", given: argparse.Namespace) -> None:
    """The other end of `ask`; what comes goes back."""
    copy = not given.lent
    for _ in range(WARM + given.rounds):
        peer = socket.recv()
        data = socket.recv(copy=copy)
        socket.send(peer, zmq.SNDMORE)
        socket.send(data, copy=copy)
    for number in range(-WARM, given.messages):
        if number == 0:
            began = time.process_time()
        peer = socket.recv()
        data = socket.recv(copy=copy)
    socket.send(peer, zmq.SNDMORE)
    socket.send(data, copy=copy)
    print("cpu", time.process_time() - began)


def use_keys(socket: "zmq.Socket[bytes]", given: argparse.Namespace) -> None:
    server, public, secret = given.keys.encode().split(b",")
    socket.curve_secretkey = secret
    socket.curve_publickey = public
    if given.role == "A":
        socket.curve_server = True
    else:
        socket.curve_serverkey = server


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("role", choices=("A", "B"))
    parser.add_argument("address")
    for name in ("size", "rounds", "messages"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--second", action="store_true")
    parser.add_argument("--lent", action="store_true")
    parser.add_argument("--keys", default="")
    given = parser.parse_args()
    context = zmq.Context()
    socket = context.socket(zmq.ROUTER if given.role == "A" else zmq.DEALER)
    socket.set_hwm(HIGH_WATER)
    if given.keys:
        use_keys(socket, given)
    if given.role == "A":
        socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
        socket.bind(given.address)
    else:
        socket.connect(given.address)
    if given.second:
        (answer if given.role == "A" else ask)(socket, given)
    elif given.role == "A":
        peer, _ = socket.recv_multipart()
        listen(socket, peer, given)
    else:
        socket.send(b"hello")
        dial(socket, given)
    socket.close(1000)
    context.term()
    return 0


if __name__ == "__main__":
    sys.exit(main())
