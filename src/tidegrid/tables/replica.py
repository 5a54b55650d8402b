"""Which of several tables processes this one is: all show the same, and one writes the receipts."""

from __future__ import annotations

import itertools
import socket
import uuid
from pathlib import Path
from typing import IO

from tidegrid import logs
from tidegrid.contract import control, health
from tidegrid.errors import KafkaError
from tidegrid.kafka.lease import Lease
from tidegrid.machine.home import name_at, open_place, take_first_free
from tidegrid.settings import Settings

_log = logs.get("tables")


class Replica:
    """This process as a member of the group that gives one of them the lease.

    Nothing that viewers see waits for the lease.
    """

    def __init__(self, settings: Settings) -> None:
        self._connection = settings.connection
        self._part = health.replica(f"{socket.gethostname()}:{settings.tables.port}")
        self._lock, self._member = _place_at(settings.home)
        self._lease: Lease | None = None
        self._led = False

    @property
    def part(self) -> str:
        """The part that it reports as."""
        return "tables" if self._led else self._part

    @property
    def waits(self) -> bool:
        """Whether the group has not said yet who leads."""
        return self._lease is not None and not self._lease.told

    def join(self) -> None:
        """Ask for the lease, once its topic is there; a name that another has is given up."""
        if self._lease is None:
            self._lease = Lease(
                self._connection, self._member, control.GROUP_OF_TABLES, part="tables"
            )

    def leads(self) -> bool:
        """Whether this one writes the receipts now; ask often, and right before writing."""
        if self._lease is None:
            return False
        try:
            leads = self._lease.held()
        except KafkaError:
            self._lease.close()
            self._lease, self._led, self._member = None, False, uuid.uuid4().hex
            raise
        if leads != self._led:
            _log.info("this process writes the receipts %s", "from here on" if leads else "no more")
        self._led = leads
        return leads


def _place_at(home: Path) -> tuple[IO[str] | None, str]:
    """Take the first free place at a home folder, and return the name that goes with it.

    Where nothing can be written, such as in a Deephaven of one's own, the name is a new one.
    """
    try:
        for number in itertools.count(1):
            lock = open_place(home, "tables", number)
            if take_first_free([lock]) is not None:
                return lock, name_at(lock)
            lock.close()
    except OSError as e:
        _log.warning("%s; the lease of a process that was killed comes back after seconds", e)
    return None, uuid.uuid4().hex
