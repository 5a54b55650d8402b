"""Shared: tables that are made once for all who ask for the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import dataclass

from deephaven.liveness_scope import LivenessScope
from deephaven.table import Table

from tidegrid.tables.scopes import new_scope


@dataclass(frozen=True)
class _Made:
    table: Table
    scope: LivenessScope
    #: The keys of what it was made of.
    of: frozenset[Hashable]


class Shared:
    """Tables by what they are; each is let go when nothing that is kept is made of it."""

    def __init__(self) -> None:
        self._made: dict[Hashable, _Made] = {}
        self._asked: list[set[Hashable]] = []
        self._dropped: list[_Made] = []

    def get(self, key: Hashable, make: Callable[[], Table]) -> Table:
        """Return the table of that key, made now if it is not there."""
        if self._asked:
            self._asked[-1].add(key)
        if key not in self._made:
            self._asked.append(set())
            try:
                with new_scope() as scope:
                    table = make()
            finally:
                of = self._asked.pop()
            self._made[key] = _Made(table, scope, frozenset(of))
        return self._made[key].table

    def __iter__(self) -> Iterator[Hashable]:
        return iter(list(self._made))

    def keep(self, keys: Collection[Hashable]) -> None:
        """Let go of everything that those keys are not made of."""
        needed: set[Hashable] = set()
        ahead = [key for key in keys if key in self._made]
        while ahead:
            key = ahead.pop()
            if key not in needed:
                needed.add(key)
                ahead += [k for k in self._made[key].of if k in self._made]
        self._dropped += [self._made.pop(key) for key in set(self._made) - needed]
        while self._dropped:
            self._dropped.pop().scope.release()

    def drop_failed(self) -> None:
        """Have tables that are dead made again when asked for, and let go of them with `keep`.

        Not at once: whoever asks for one by its name has it until the new one has that name.
        """
        for key, made in list(self._made.items()):
            if made.table.j_table.isFailed():
                self._dropped.append(self._made.pop(key))
