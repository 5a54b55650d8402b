"""Retry: how long to wait before another try at what has failed."""

from __future__ import annotations


class Retry:
    """Waits, in seconds, that are twice as long each time, up to a longest one."""

    def __init__(self, first: float = 1.0, longest: float = 30.0) -> None:
        self._first = self._next = first
        self._longest = longest

    def wait(self, well: float = 0) -> float:
        """Return how long to wait before the next try.

        It is the first wait again after it went well for longer than the longest one.
        """
        if well > self._longest:
            self.restore()
        found = self._next
        self._next = min(2 * found, self._longest)
        return found

    def restore(self) -> None:
        """Begin with the first wait again."""
        self._next = self._first
