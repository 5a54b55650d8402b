"""The tables that the cards of a page show, and whether they have what a card needs of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tidegrid.contract.declaration.combine import combined, is_one_row
from tidegrid.contract.declaration.problems import below, quoted
from tidegrid.contract.declaration.section import Section
from tidegrid.contract.declaration.tables import Shape
from tidegrid.contract.declaration.types import Flow, Totals, Window


@dataclass(frozen=True)
class Tables:
    """The tables that cards may show, and those that could not be read."""

    flow: Flow
    known: Mapping[str, Shape]
    unread: Collection[str]

    def title(self, name: str) -> str:
        """Return what a table is called where people read it."""
        declared = self.flow.views.get(name) or self.flow.screens.get(name)
        return declared.title if declared is not None and declared.title else name

    def label(self, column: str) -> str:
        """Return what a column is called where people read it."""
        style = self.flow.columns.get(column)
        return style.label if style is not None and style.label else column

    def check(self, card: Section, key: str, name: str) -> None:
        """Note that a table is not there, or is not shown to anybody."""
        screens = self.flow.screens
        there = [*self.flow.views, *(s.name for s in screens.values() if not s.hidden), "rejects"]
        if name in screens and name not in there:
            card.wrong(key, f"{quoted(name)} is hidden", "take `hidden` away from the screen")
        elif name not in there and name not in self.unread:
            card.problems.missing(card.at(key), "there is no table", name, there)

    def check_columns(
        self, card: Section, key: str, names: Iterable[str], tables: Iterable[str]
    ) -> None:
        """Note the columns that a table of a card does not have."""
        for name in names:
            for table in tables:
                if name and table in self.known and name not in self.known[table].columns:
                    what, there = f"{quoted(table)} has no column", self.known[table].columns
                    card.problems.missing(card.at(key), what, name, there)

    def check_choice(self, card: Section, key: str, column: str, tables: Iterable[str]) -> None:
        """Note that a column whose values a viewer chooses from has times."""
        times = any(self.known[t].columns.get(column) == "time" for t in tables if t in self.known)
        if times and not card.problems.lenient:
            what = f"{quoted(column)} is of type time"
            card.wrong(key, what, "take a column with texts, numbers, or true and false")

    def check_figure(
        self, card: Section, key: str, columns: Iterable[str], tables: Iterable[str]
    ) -> None:
        """Note the columns of a tile that have no one value while nothing is chosen."""
        for table in tables:
            # What runs already is not stopped by a check that is newer.
            lenient = card.problems.lenient or table not in self.known
            if lenient or is_one_row(self.flow, table, self.known):
                continue
            together = combined(self.flow, table, self.known)
            for column in columns:
                if column in self.known[table].columns and column not in together:
                    what = f"{quoted(column)} is another one in each row of {quoted(table)}"
                    card.wrong(key, what, self._to_one_row(table))

    def _to_one_row(self, name: str) -> str:
        """Return what to do about a table that has a row for each of some things."""
        screen, shape = self.flow.screens.get(name), self.known[name]
        first = "show a count, a sum, a min or a max"
        if isinstance(screen, Window | Totals) and shape.key and len(shape.key) == 1:
            return f'{first}, or give {below("screens", name)} rollup = "{shape.key[0]}"'
        return f"{first}, or a table with one row, such as totals without by"

    def table(self, card: Section, key: str, *columns: str) -> str:
        """Return another table of a card, which must have these columns; empty if there is none."""
        if name := card.text(key):
            self.check(card, key, name)
            self.check_columns(card, key, columns, [name])
        return name
