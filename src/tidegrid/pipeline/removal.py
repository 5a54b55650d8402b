"""Removal: what a generation leaves behind, taken away by threads of their own."""

from __future__ import annotations

import gc
import shutil
import threading
from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from tidegrid import kafka, logs
from tidegrid.contract import topics
from tidegrid.kafka.connection import Connection
from tidegrid.pipeline.generation import Generation
from tidegrid.retry import Retry

_log = logs.get("pipeline")

#: Seconds between the receipt that ends a generation and the removal of its topics, in which the
#: tables let go of them.
_GRACE = 3.0


class Removals:
    """Removes topics and checkpoints of the generations of one flow that no longer run."""

    def __init__(
        self,
        connection: Connection,
        flow: str,
        folder: Path,
        running: Callable[[], Collection[int]],
        copy: str,
    ) -> None:
        self._connection = connection
        self._flow = flow
        self._folder = folder
        self._running = running
        self._copy = copy
        self._threads = ThreadPoolExecutor(4, "removal")
        self._pending: list[Future[None]] = []
        self._closing = threading.Event()
        #: Whether this is the pipeline that leads, which removes all topics.
        self.of_topics = False
        #: Generations that are over and may still run.
        self.stopping: set[Generation] = set()

    def later(self, number: int, generation: Generation | None) -> None:
        """Stop a generation that is over, and remove it a little later."""
        if generation is not None:
            self.stopping.add(generation)
        self._pending = [f for f in self._pending if not f.done()]
        self._pending.append(self._threads.submit(self._remove, number, generation))

    @property
    def busy(self) -> bool:
        """Whether something is still to be removed."""
        return not all(f.done() for f in self._pending)

    def orphans(self, only: int | None = None) -> None:
        """Remove what belongs to no generation that runs: of one, or of all.

        The second of a pair removes its own topics of one: where brokers make a topic that is
        written to, those that the other one has removed may be there again.
        """
        running = set(self._running())
        prefix = f"{topics.PREFIX}{self._flow}."

        def orphan(name: str) -> bool:
            number = number_of(name)
            return number not in {*running, -1} and only in (None, number)

        names = kafka.names(self._connection) if self.of_topics or only is not None else []
        own = [n for n in names if n.startswith(prefix)]
        own = [n for n in own if self.of_topics or topics.copy_of(n) == self._copy]
        old = [n for n in own if orphan(n.removeprefix(prefix))]
        if old:
            kafka.delete_topics(self._connection, old)
        for folder in self._folder.iterdir() if self._folder.exists() else ():
            if orphan(folder.name):
                shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """Leave what is still to be removed to the next start."""
        self._closing.set()
        self._threads.shutdown(cancel_futures=True)

    def _remove(self, number: int, generation: Generation | None) -> None:
        if generation is not None:
            while not generation.stop():
                if self._closing.is_set():
                    return
            self.stopping.discard(generation)
        del generation
        retry, wait = Retry(), _GRACE
        while not self._closing.wait(wait):
            try:
                self.orphans(only=number)
                break
            except Exception:
                wait = retry.wait()
                _log.exception(
                    "%s generation %d could not be removed; again in %.0f s",
                    self._flow,
                    number,
                    wait,
                    extra={"flow": self._flow, "generation": number},
                )
        # Python lets go of what refers to itself when it likes, and Spark's JVM keeps every plan
        # that Python still holds: a megabyte for each generation.
        gc.collect()


def number_of(name: str) -> int:
    """Return the generation that a topic or folder belongs to; -1 if it is none of ours."""
    head = name.partition(".")[0]
    return int(head) if head.isdigit() else -1
