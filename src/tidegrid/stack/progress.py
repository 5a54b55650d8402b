"""Progress: how far a generation is that is being built, by what the parts report of it."""

from __future__ import annotations

from tidegrid.contract import receipts
from tidegrid.contract.health import Health
from tidegrid.contract.receipts import Receipt


class Progress:
    """Records read of a generation, how fast, and how long it will take at that."""

    def __init__(self, birth: Receipt) -> None:
        self._birth = birth
        self._total = receipts.to_read(birth)
        self._read = 0
        self._at = 0.0
        self._per_second = 0.0
        #: How many records are read in bulk now.
        self._bulk = 0

    def take(self, report: Health) -> None:
        """Enter a report of a part."""
        whom = (self._birth.flow, self._birth.generation)
        mine = [f for f in report.figures if (f.flow, f.generation) == whom]
        if report.part == "pipeline":
            self._bulk = sum(int(f.value) for f in mine if f.measure == "bulk")
        counted = [f.value for f in mine if f.measure == "events"]
        if not counted:
            return
        read = min(int(sum(counted)), self._total)
        if self._at and report.at > self._at:
            self._per_second = (read - self._read) / (report.at - self._at)
        self._read, self._at = read, report.at

    def text(self) -> str:
        """Return it in one line."""
        words = f"generation {self._birth.generation}: "
        if self._bulk:
            # How far it is nobody knows before it ends.
            return f"{words}reading {self._bulk:,} of {self._total:,} records in bulk"
        if not self._at:
            return f"{words}waiting for the tables"
        if self._read >= self._total:
            return f"{words}all {self._total:,} records read; waiting for the last rows"
        if not self._read:
            return f"{words}reading {self._total:,} records"
        words += f"{self._read:,} of {self._total:,} records read"
        if self._per_second <= 0:
            return words
        left = (self._total - self._read) / self._per_second
        return f"{words}, {self._per_second:,.0f}/s, about {left:.0f} s left"
