"""Ports of this machine."""

from __future__ import annotations

import socket

from tidegrid.errors import MachineError


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
    """Return a port that nothing listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
