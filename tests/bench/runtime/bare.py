"""One end of what an engineer would write by hand over pyzmq: the yardstick of bench_runtime.py.

    bare.py A|B ADDRESS --size N --rounds N --messages N

A listens with a ROUTER, B dials with a DEALER. Prints what the endpoints of endpoints.pyc print.
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


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("role", choices=("A", "B"))
    parser.add_argument("address")
    for name in ("size", "rounds", "messages"):
        parser.add_argument(f"--{name}", type=int, required=True)
    given = parser.parse_args()
    context = zmq.Context()
    socket = context.socket(zmq.ROUTER if given.role == "A" else zmq.DEALER)
    socket.set_hwm(HIGH_WATER)
    if given.role == "A":
        socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
        socket.bind(given.address)
        peer, _ = socket.recv_multipart()
        listen(socket, peer, given)
    else:
        socket.connect(given.address)
        socket.send(b"hello")
        dial(socket, given)
    socket.close(1000)
    context.term()
    return 0


if __name__ == "__main__":
    sys.exit(main())
