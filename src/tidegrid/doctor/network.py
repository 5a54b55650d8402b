"""The network: from a host's name to an open connection."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass

from tidegrid.doctor.findings import Answer, Problem, Steps

#: Seconds to wait for a connection, and for each answer on it.
TIMEOUT_SECONDS = 5.0


@dataclass(frozen=True)
class Place:
    """Something to connect to, and the setting that names it."""

    host: str
    port: int
    setting: str

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def places(addresses: str, setting: str) -> list[Place]:
    """Return the places in a list of HOST:PORT with commas."""
    found = []
    for address in addresses.split(","):
        host, _, port = address.strip().rpartition(":")
        found.append(Place(host.strip("[]"), int(port), setting))
    return found


def reach(steps: Steps, place: Place) -> str:
    """Take the steps up to an open connection, and return the name of the last one."""
    name, tcp = f"name {place.host}", f"tcp {place}"
    steps.take(name, "resolving the name", lambda: resolve(place))
    steps.take(tcp, "connecting", lambda: _tcp(place), after=[name])
    return tcp


def resolve(place: Place) -> Answer[None]:
    """Look a host up."""
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    except (socket.gaierror, UnicodeError) as e:
        why = e.strerror if isinstance(e, OSError) else "not a host name"
        raise Problem(
            f"{place.host} does not resolve: {why}",
            f"check the spelling in {place.setting}, and this machine's DNS, VPN or /etc/hosts",
        ) from e
    addresses = dict.fromkeys(str(entry[4][0]) for entry in found)
    return Answer(", ".join(addresses), None)


@contextlib.contextmanager
def connected(place: Place) -> Iterator[socket.socket]:
    """Connect, or say what is in the way."""
    try:
        channel = socket.create_connection((place.host, place.port), TIMEOUT_SECONDS)
    except ConnectionRefusedError as e:
        raise Problem(
            f"{place} refuses connections: nothing listens there",
            f"start it, or correct {place.setting}",
        ) from e
    except TimeoutError as e:
        raise Problem(
            f"{place} does not answer in {TIMEOUT_SECONDS:.0f} s",
            f"a firewall, a missing VPN, or another address: check {place.setting}",
        ) from e
    except OSError as e:
        raise Problem(
            f"{place} cannot be reached: {e.strerror or e}",
            f"check the network of this machine, and {place.setting}",
        ) from e
    with channel:
        yield channel


def _tcp(place: Place) -> Answer[None]:
    began = time.monotonic()
    with connected(place):
        return Answer(f"open, {(time.monotonic() - began) * 1000:.0f} ms", None)
