"""Screens: the tables about Tidegrid itself, made from the receipts."""

from __future__ import annotations

from deephaven import dtypes, input_table, new_table
from deephaven.column import long_col, string_col
from deephaven.table import Table
from deephaven.table_factory import InputTable

from tidegrid.contract.receipts import Receipt

_STATUS = {
    "flow": dtypes.string,
    "generation": dtypes.int64,
    "usersTopic": dtypes.string,
    "accountsTopic": dtypes.string,
    "positionsTopic": dtypes.string,
    "joinType": dtypes.string,
    "state": dtypes.string,
    "lastApplied": dtypes.string,
}
_GENERATIONS = {
    "flow": dtypes.string,
    "generation": dtypes.int64,
    "state": dtypes.string,
    "at": dtypes.string,
    "sources": dtypes.string,
    "joinType": dtypes.string,
    "reason": dtypes.string,
    "starting": dtypes.string,
    #: The offset of the control message; -1 if there was none.
    "control": dtypes.int64,
    #: Rows of each view, before and after, as text.
    "rows": dtypes.string,
}


class Screens:
    """`orchestrator_status`, one row per flow, and `generations`, one row per receipt."""

    def __init__(self) -> None:
        self._status: InputTable = input_table(col_defs=_STATUS, key_cols=["flow"])
        self._generations: InputTable = input_table(
            col_defs=_GENERATIONS, key_cols=["flow", "generation", "state", "control"]
        )

    @property
    def tables(self) -> dict[str, Table]:
        """The tables by the names they are exported under."""
        return {
            "orchestrator_status": self._status.view(list(_STATUS)),
            "generations": self._generations.sort_descending("at"),
        }

    def show(self, receipt: Receipt, applied: str) -> None:
        """Show a receipt; `applied` is when the live generation took over, or nothing yet.

        The status shows the live generation, and one that is being built only before the first.
        """
        sources = receipt.sources
        self._generations.add(
            new_table(
                [
                    string_col("flow", [receipt.flow]),
                    long_col("generation", [receipt.generation]),
                    string_col("state", [receipt.state]),
                    string_col("at", [receipt.at]),
                    string_col("sources", [", ".join(sources.values())]),
                    string_col("joinType", [receipt.join]),
                    string_col("reason", [receipt.reason]),
                    string_col("starting", [receipt.starting]),
                    long_col("control", [receipt.control]),
                    string_col("rows", [_changes(receipt)]),
                ]
            )
        )
        if receipt.state not in ("building", "caught-up", "live") or (
            applied and receipt.state != "live"
        ):
            return
        self._status.add(
            new_table(
                [
                    string_col("flow", [receipt.flow]),
                    long_col("generation", [receipt.generation]),
                    string_col("usersTopic", [sources.get("users")]),
                    string_col("accountsTopic", [sources.get("accounts")]),
                    string_col("positionsTopic", [sources.get("positions")]),
                    string_col("joinType", [receipt.join]),
                    string_col("state", [receipt.state]),
                    string_col("lastApplied", [applied]),
                ]
            )
        )


def _changes(receipt: Receipt) -> str:
    """Return the rows of each view, before and after, in one line."""
    return ", ".join(
        f"{view} {receipt.before.get(view, 0)} -> {rows}" for view, rows in receipt.rows.items()
    )
