"""Keyed: small tables of our own, with one row for each key, and how they are made of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deephaven import dtypes, input_table, new_table
from deephaven.column import InputColumn, bool_col, double_col, int_col, long_col, string_col
from deephaven.dtypes import DType
from deephaven.table import Table
from deephaven.table_factory import InputTable

_COLUMNS = {
    dtypes.string: string_col,
    dtypes.int64: long_col,
    dtypes.int32: int_col,
    dtypes.double: double_col,
    dtypes.bool_: bool_col,
}
Row = tuple[object, ...]


class Keyed:
    """A small table of our own, with one row for each key."""

    def __init__(self, columns: Mapping[str, DType], keys: Sequence[str]) -> None:
        self._columns = dict(columns)
        self._keys = list(keys)
        self.input: InputTable = input_table(col_defs=self._columns, key_cols=self._keys)
        self._held: dict[Row, Row] = {}

    @property
    def table(self) -> Table:
        """The table for viewers, who cannot write to it."""
        return self.input.view(list(self._columns))

    def put(self, rows: Sequence[Row]) -> None:
        """Write rows; those that are there already are left alone."""
        self._write(rows, [])

    def change(self, start: Row, rows: Sequence[Row], *, wait: bool = True) -> None:
        """Write all rows there shall be whose keys begin like that; the others of these go.

        It waits for the update cycle in which they are there, or leaves that to Deephaven.
        """
        wanted = {row[: len(self._keys)] for row in rows}
        others = [key for key in self._held if key[: len(start)] == start and key not in wanted]
        self._write(rows, others, wait=wait)

    def drop(self, *start: object) -> None:
        """Remove the rows whose keys begin like that."""
        self.change(start, [])

    def remove(self, *key: object) -> None:
        """Remove a row that somebody else may have written."""
        self.input.delete(table_of({k: self._columns[k] for k in self._keys}, [key]))

    def _write(self, rows: Sequence[Row], gone: Sequence[Row], *, wait: bool = True) -> None:
        table = self.input
        add, delete = (table.add, table.delete) if wait else (table.add_async, table.delete_async)
        news = {row[: len(self._keys)]: row for row in rows}
        news = {key: row for key, row in news.items() if self._held.get(key) != row}
        if news:
            add(table_of(self._columns, list(news.values())))
            self._held.update(news)
        if gone:
            delete(table_of({k: self._columns[k] for k in self._keys}, gone))
            for key in gone:
                del self._held[key]


def table_of(columns: Mapping[str, DType], rows: Sequence[Row]) -> Table:
    """Return a table of columns with those types, and rows."""
    made: list[InputColumn] = [
        _COLUMNS[kind](name, [row[n] for row in rows])
        for n, (name, kind) in enumerate(columns.items())
    ]
    return new_table(made)
