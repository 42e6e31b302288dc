"""Writes runtime/vectors/frames.json: frames of every kind, with what they say (PROTOCOL.md 1).

    PYTHONPATH=runtime/python python3 tests/runtime/frame_vectors.py

An object a vector: `name`, `frames` (hex), and, if the frames are well-formed, the fields of the
header and `body` by the names of the page.  Both languages read them, and write the same bytes from
the fields (test_frame.py, tests/unit-runtime/test_vectors.c).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pychoral import frame as wire

FILE = Path(__file__).resolve().parents[2] / "runtime/vectors/frames.json"
SESSION = 0x0123456789ABCDEF
LAST = (1 << 64) - 1

GREETING = wire.Greeting(
    2, 2, bytes(range(32)), bytes(range(100, 116)), 3, 17, 8 << 20, 1024, 1, 256 << 20,
    bytes(range(8)), "Client", "Service", "Lauf 7",
)


def header(
    kind: int,
    site: int = 0,
    label: int = 0,
    seq: int = 0,
    ack: int = 0,
    limit: int = 0,
    flags: int = 0,
    extra: bytes = b"",
    session: int = SESSION,
) -> bytes:
    if kind in (wire.HELLO, wire.REFUSE):
        session = 0
    start = wire.head(kind, flags, wire.HEADER + len(extra))
    packed = wire.pack_header(start, site, label, session.to_bytes(8, "big"), seq, ack, limit)
    return packed + extra


def sound() -> dict[str, list[bytes]]:
    """Frames that are well-formed."""
    hello = wire.write_greeting(GREETING)
    large = wire.write_greeting(GREETING._replace(
        lowest=0, highest=65535, incarnation=LAST, expected=LAST, window_bytes=LAST,
        window_messages=(1 << 32) - 1, max_message=LAST, durable=0, role="R" * 300,
        peer="Größe", run=""))
    more = [header(wire.DATA, 3, 0, 5, 4, 900, wire.MORE), b"value", b"", b"buffer"]
    data = header(wire.DATA, 7, 0, 1, 0, 1024)
    return {
        "hello": [header(wire.HELLO, limit=1024) + hello],
        "welcome": [header(wire.WELCOME, ack=16, limit=1040) + hello],
        "hello with the largest numbers": [header(wire.HELLO, ack=LAST, limit=LAST) + large],
        "refuse": [header(wire.REFUSE) + wire.write_refusal(4, "no such run")],
        "refuse without a text": [header(wire.REFUSE) + wire.write_refusal(9, "")],
        "refuse with a text that is cut": [
            header(wire.REFUSE) + wire.write_refusal(6, "x" * 499 + "é")],
        "data": [data + b"\x93\x01\x02\x03"],
        "data without a payload": [data],
        "data of 4 KiB": [data + bytes(4096)],
        "data in further frames": more,
        "data with a longer header": [header(wire.DATA, 7, 0, 2, 1, 9, extra=b"later") + b"\xc0"],
        "data with the largest numbers": [
            header(wire.DATA, (1 << 32) - 1, 0, LAST >> 1, LAST, LAST, session=LAST) + b"\xc3"],
        "data with a CRC": wire.sealed([data + b"\xc2"], wire.HEADER),
        "further frames with a CRC": wire.sealed(more, wire.HEADER),
        "a longer header with a CRC": wire.sealed(
            [header(wire.DATA, 7, 0, 2, 1, 9, extra=b"later") + b"\xc0"], wire.HEADER + 5),
        "select": [header(wire.SELECT, 8, 2, 3, 2, 1026)],
        "select without a site": [header(wire.SELECT, 0, 0, 4, 2, 1026)],
        "ack": [header(wire.ACK, ack=12, limit=1030)],
        "ack with a CRC": wire.sealed([header(wire.ACK, ack=12, limit=1030)], wire.HEADER),
        "ping": [header(wire.PING, 9) + wire.write_progress(77, 1, "Service")],
        "pong": [header(wire.PONG) + wire.write_progress(LAST, 3, "")],
        "end": [header(wire.END, seq=9, ack=8, limit=1032) + b"\0\0"],
        "end with a status": [header(wire.END, seq=9, ack=8, limit=1032) + b"\xff\xff"],
        "error": [header(wire.ERROR, seq=10, ack=8, limit=1032)
                  + wire.write_failure("Service", "ValueError", "not a number: ½")],
        "error with texts that are cut": [header(wire.ERROR, seq=10)
                                          + wire.write_failure("R" * 600, "é" * 251, "")],
    }


def unsound() -> dict[str, list[bytes]]:
    """Frames that are not well-formed."""
    data = header(wire.DATA, 7, 0, 1, 0, 1024) + b"\xc0"
    hello = wire.write_greeting(GREETING)
    sealed = wire.sealed([data], wire.HEADER)[0]
    string = wire.string
    return {
        "nothing": [b""],
        "a header that is cut": [data[:47]],
        "another magic": [b"CHZ2" + data[4:]],
        "kind 0": [header(0)],
        "kind 11": [header(11)],
        "an unknown flag": [data[:5] + b"\4" + data[6:]],
        "a header that is too short": [data[:6] + b"\0\x2f" + data[8:]],
        "a header longer than the frame": [data[:6] + b"\1\0" + data[8:]],
        "data without a number": [header(wire.DATA, 7) + b"\xc0"],
        "a number that is too large": [header(wire.DATA, 7, 0, 1 << 63) + b"\xc0"],
        "ack with a number": [header(wire.ACK, seq=1)],
        "ack with a body": [header(wire.ACK) + b"x"],
        "ack with a site": [header(wire.ACK, 3)],
        "data with a label": [header(wire.DATA, 7, 1, 1) + b"\xc0"],
        "select with a body": [header(wire.SELECT, 7, 1, 1) + b"\xc0"],
        "end with a site": [header(wire.END, 1, 0, 1) + b"\0\0"],
        "end of one byte": [header(wire.END, seq=1) + b"\0"],
        "end of three bytes": [header(wire.END, seq=1) + b"\0\0\0"],
        "further frames without the flag": [data, b"more"],
        "the flag without further frames": [header(wire.DATA, 7, 0, 1, flags=wire.MORE)],
        "a payload and further frames": [header(wire.DATA, 7, 0, 1, flags=wire.MORE) + b"x", b"y"],
        "select in further frames": [header(wire.SELECT, 7, 0, 1, flags=wire.MORE), b"y"],
        "a wrong CRC": [sealed[:-1] + b"\xc1"],
        "a CRC that is cut": [header(wire.ACK, flags=wire.CRC) + b"\0\0\0"],
        "hello with a session": [header(wire.WELCOME)[:4] + b"\1" + header(wire.WELCOME)[5:]
                                 + hello],
        "hello that is cut": [header(wire.HELLO) + hello[:-1]],
        "hello with something behind": [header(wire.HELLO) + hello + b"x"],
        "hello without a role": [header(wire.HELLO)
                                 + wire.write_greeting(GREETING._replace(role=""))],
        "hello with an unknown bit": [header(wire.HELLO)
                                      + wire.write_greeting(GREETING._replace(durable=2))],
        "hello with a NUL in a name": [header(wire.HELLO)
                                       + wire.write_greeting(GREETING._replace(role="A\0B"))],
        "refuse of one byte": [header(wire.REFUSE) + b"\0"],
        "refuse that is too long": [header(wire.REFUSE) + b"\0\1" + b"x" * 501],
        "refuse that is no UTF-8": [header(wire.REFUSE) + b"\0\1\xff"],
        "refuse with an ack": [header(wire.REFUSE, ack=1) + b"\0\1"],
        "ping in a fifth state": [header(wire.PING) + bytes(8) + b"\4\0\0"],
        "ping that is cut": [header(wire.PING) + bytes(8) + b"\1\0"],
        "error with a string that is too long": [
            header(wire.ERROR, seq=1) + string(b"x" * 501) + string(b"") + string(b"")],
        "error with a surrogate": [
            header(wire.ERROR, seq=1) + string(b"\xed\xa0\x80") + string(b"") + string(b"")],
        "error with an overlong character": [
            header(wire.ERROR, seq=1) + string(b"\xc0\xaf") + string(b"") + string(b"")],
        "error with a character beyond Unicode": [
            header(wire.ERROR, seq=1) + string(b"\xf4\x90\x80\x80") + string(b"") + string(b"")],
        "error of two strings": [header(wire.ERROR, seq=1) + string(b"") + string(b"")],
    }


def fields(frames: list[bytes]) -> dict[str, Any]:
    """What the header and the body say."""
    parsed = wire.parse(frames)
    assert parsed is not None, frames[0].hex()
    said: dict[str, Any] = {
        "kind": wire.NAMES[parsed.kind], "flags": parsed.flags, "site": parsed.site,
        "label": parsed.label, "session": int.from_bytes(parsed.session, "big"),
        "seq": parsed.seq, "ack": parsed.ack, "limit": parsed.limit,
        "header": wire.HEADER + len(parsed.extra),
    }
    if isinstance(parsed.body, tuple):
        body = parsed.body._asdict()
        said["body"] = {
            key: int.from_bytes(value, "big") if key == "nonce"
            else value.hex() if isinstance(value, bytes) else value
            for key, value in body.items()
        }
    elif parsed.body is not None:
        said["body"] = {"status": parsed.body}
    return said


def vectors() -> list[dict[str, Any]]:
    right = [{"name": name, "frames": [each.hex() for each in frames], "valid": True}
             | fields(frames) for name, frames in sound().items()]
    wrong = [{"name": name, "frames": [each.hex() for each in frames], "valid": False}
             for name, frames in unsound().items()]
    return right + wrong


def text() -> str:
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in vectors())
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
