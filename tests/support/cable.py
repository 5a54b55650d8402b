"""A cable between a browser and a server, which can be pulled out."""

from __future__ import annotations

import contextlib
import socket
import threading


class Cable:
    """Forwards connections to a port of this machine while it is plugged in."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._plugged = True
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def pull(self) -> None:
        """Drop all connections, and refuse new ones."""
        self._plugged = False
        for side in list(self._open):
            with contextlib.suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)
            side.close()
        self._open.clear()

    def plug(self) -> None:
        """Forward again."""
        self._plugged = True

    def close(self) -> None:
        """End it for good."""
        self._listener.close()
        self.pull()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if not self._plugged:
                    near.close()
                    continue
                try:
                    far = socket.create_connection(("127.0.0.1", self._target))
                except OSError:
                    near.close()
                    continue
                self._open |= {near, far}
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._forward, args=(one, other), daemon=True).start()

    def _forward(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        for side in (one, other):
            with contextlib.suppress(OSError):
                side.close()
            self._open.discard(side)
