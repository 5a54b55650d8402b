"""A source by itself: `latest`, the newest record of each key, and `events`, the last ones.

Guarantees: every record causes one row, for all views at once, except one in the backlog whose row
a newer one replaces. A record that comes late changes nothing but the event list, under a Kafka key
of its own. A delete takes its row away and stays in the state, so that an older record that comes
later does not bring the row back.
State: with a `latest`, the columns of two records for each key, the newest and the last. Keys do
not expire. Without one, the last record of each slot of the event list.
"""

from __future__ import annotations

from tidegrid.contract.declaration.types import Source
from tidegrid.pipeline import sql
from tidegrid.pipeline.plan import Plan


class Alone:
    """The rows of one source that no other is joined to."""

    def __init__(self, plan: Plan, number: int, source: Source) -> None:
        """Make it; `number` is that of its family."""
        self._plan = plan
        self._source = source
        self._newest = f"newest_{number}"
        self._of = f"of_{plan.number(source.name)}"
        self._latest = plan.letters("latest", source.name)
        self._events = plan.letters("events", source.name)

    @property
    def state(self) -> dict[str, str]:
        """What is kept of each group, and how it is made of its records."""
        if not self._latest:
            return {}
        newest = f"struct(record.at, record.id, record.{self._of} AS columns)"
        mine = f"record.source = {self._plan.number(self._source.name)}"
        return {self._newest: f"max(CASE WHEN {mine} THEN {newest} END)"}

    def group(self) -> tuple[str, dict[str, str]]:
        """Return the key of a record's group, and what the record brings into it."""
        values = self._plan.values(self._source)
        place = {"ts": "ts", "tg_id": "id", "partition": "partition", "offset": "offset"}
        gone = {"tg_gone": "CASE WHEN gone THEN true END"} if self._source.deletes else {}
        columns = sql.struct({**values, **place, **gone})
        slots = self._plan.slots(self._source.name)
        slot = f"concat(partition, '/', offset % {slots})"
        key = sql.key_text([values[n] for n in self._source.key]) if self._latest else slot
        return key, {self._of: columns}

    def row_of_record(self) -> tuple[str, str]:
        """Return the Kafka key and the row of the record that was merged last."""
        record = f"record.{self._of}"
        if not self._latest:
            return "concat('e:', key)", self._row(f"'{self._events}'", record)
        late_key = f"concat('e:', {sql.slot('record', self._plan.slots(self._source.name))})"
        is_newest = f"{self._newest}.id = record.id"
        key = f"CASE WHEN {is_newest} THEN concat('l:', key) ELSE {late_key} END"
        both, events = f"'{self._latest}{self._events}'", f"'{self._events}'"
        return key, self._row(f"CASE WHEN {is_newest} THEN {both} ELSE {events} END", record)

    def row_of_backlog(self) -> tuple[str, str]:
        """Return the Kafka key and the row of a key after a backlog; none without a `latest`."""
        # All of the state is used: what is not would not be kept, and the real-time query needs it.
        if not self._latest:
            return "CASE WHEN record IS NULL THEN key END", self._row("''", f"record.{self._of}")
        row = self._row(f"'{self._latest}'", f"{self._newest}.columns")
        written = self._plan.was_read(self._newest, self._source)
        is_due = f"record IS NOT NULL AND NOT {written}"
        return f"CASE WHEN {is_due} THEN concat('l:', key) END", row

    def _row(self, shows: str, columns: str) -> str:
        topic = f"concat('\"topic\":', {sql.json_text(self._source.topic)})"
        return sql.row(shows, topic, f"concat(',', {sql.to_the_end(columns)})")
