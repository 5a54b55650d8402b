"""Ports of this machine."""

from __future__ import annotations

import random
import socket

from tidegrid.errors import MachineError

_OURS = range(20_000, 32_000)
_given: set[int] = set()


def require_free(port: int, setting: str, host: str = "127.0.0.1") -> None:
    """Fail with one clear line if something listens on a port already."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as e:
            raise MachineError(
                f"port {port} on {host} is in use ({e.strerror}): "
                f"stop what listens there, or set {setting} to another"
            ) from e


def free_port() -> int:
    """Return a port that nothing listens on, another one each time.

    It is below those that systems give to outgoing connections: one of them could take it before
    whoever asked for it listens there.
    """
    while True:
        port = random.choice(_OURS)  # noqa: S311  - no secret
        if port not in _given and _is_free(port):
            _given.add(port)
            return port


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
