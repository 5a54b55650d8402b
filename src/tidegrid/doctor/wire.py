"""One request of Kafka's protocol, by hand: which logins a listener takes.

A listener answers it before any login, so it tells apart what a client library reports as one and
the same broken connection. https://kafka.apache.org/protocol#The_Messages_SaslHandshake
"""

from __future__ import annotations

import socket
import struct
from dataclasses import dataclass

_SASL_HANDSHAKE, _VERSION = 17, 1
_CORRELATION = 0x71DE
#: What a listener answers when it takes no login at all.
_ILLEGAL_SASL_STATE = 34
_LARGEST = 65536


class NotKafka(Exception):  # noqa: N818  - an answer, not a failure here
    """What listens there did not answer as a broker does."""


@dataclass(frozen=True)
class Listener:
    """What a listener of a broker said of itself."""

    #: The SASL mechanisms it takes; none if it takes no login, None if it would not say.
    mechanisms: tuple[str, ...] | None


def ask(channel: socket.socket) -> Listener:
    """Ask a listener which logins it takes, on a connection that is new."""
    channel.sendall(request())
    (size,) = struct.unpack(">i", _read(channel, 4))
    if not 10 <= size <= _LARGEST:
        raise NotKafka
    return parse(_read(channel, size))


def request() -> bytes:
    """Return a handshake for a mechanism without a name, which no listener has."""
    body = struct.pack(">hhihh", _SASL_HANDSHAKE, _VERSION, _CORRELATION, -1, 0)
    return struct.pack(">i", len(body)) + body


def parse(answer: bytes) -> Listener:
    """Read the answer."""
    try:
        correlation, error, count = struct.unpack_from(">ihi", answer)
        if correlation != _CORRELATION:
            raise NotKafka
        names, at = [], 10
        for _ in range(count):
            (length,) = struct.unpack_from(">h", answer, at)
            names.append(answer[at + 2 : at + 2 + length].decode())
            at += 2 + length
    except (struct.error, UnicodeDecodeError) as e:
        raise NotKafka from e
    return Listener(() if error == _ILLEGAL_SASL_STATE else tuple(names))


def _read(channel: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        part = channel.recv(size - len(found))
        if not part:
            raise NotKafka
        found += part
    return found
