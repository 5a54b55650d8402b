"""Slots: who holds which of Spark's task slots, so that a query starts only when it has room.

Spark refuses a real-time query that does not fit, and does not try again. The slots of a cluster
come and go with its executors, so a query waits here for its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql import SparkSession


class Slots:
    """The slots of a Spark, as queries take them and give them back; safe to use from threads."""

    def __init__(self, total: Callable[[], int], executors: Callable[[], set[str]]) -> None:
        #: Counts the slots there are now.
        self.total = total
        self._executors = executors
        self._there: set[str] = set()
        self._held: dict[object, int] = {}
        self._lock = threading.Lock()

    def lost(self) -> set[str]:
        """Return the executors that are gone since this was last asked."""
        before, self._there = self._there, self._executors()
        return before - self._there

    def take(self, holder: object, wanted: int) -> str:
        """Take slots, and return an empty text; or say what is missing, and take none."""
        with self._lock:
            total = self.total()
            held = sum(self._held.values())
            if wanted > total - held:
                hint = (
                    f"Spark has {total}, and {held} are in use; "
                    "give it more cores, or use topics with fewer partitions"
                    if total
                    else "Spark has none; see that it has workers with free cores, and that they "
                    "reach this machine (pipeline.driver_host)"
                )
                return f"waiting for {wanted} task slots: {hint}"
            self._held[holder] = wanted
            return ""

    def give(self, holder: object) -> None:
        """Give back what was taken, if anything was."""
        with self._lock:
            self._held.pop(holder, None)


@dataclass(frozen=True)
class Engine:
    """A Spark that runs, and its slots."""

    spark: SparkSession
    slots: Slots
