"""The history of symbols as a Parquet file: the sector and the exchange of each."""

from __future__ import annotations

import io
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tidegrid.errors import MachineError
from tidegrid.feed.instruments import Instrument

FILE = "symbols.parquet"
_SCHEMA = pa.schema(
    [
        ("symbol", pa.string()),
        ("sector", pa.string()),
        ("exchange", pa.string()),
        ("updated_at", pa.timestamp("us", tz="UTC")),
    ]
)
#: One symbol in so many has no row, so that there are unknown ones; one has moved and has two.
_UNKNOWN, _MOVED = 50, 25
_BEGIN = datetime(2024, 1, 2, tzinfo=UTC)


def rows(instruments: Iterable[Instrument]) -> list[dict[str, object]]:
    """Return the rows of the history; of several rows of a symbol the newest is right."""
    found = []
    for number, instrument in enumerate(instruments):
        if number % _UNKNOWN == 7:
            continue
        updated = _BEGIN + timedelta(days=number % 365)
        if number % _MOVED == 3:
            before = next(e for e in instrument.sector.exchanges if e != instrument.exchange)
            found.append(_row(instrument, before, updated))
            updated += timedelta(days=200)
        found.append(_row(instrument, instrument.exchange, updated))
    return found


def _row(instrument: Instrument, exchange: str, updated: datetime) -> dict[str, object]:
    return {
        "symbol": instrument.symbol,
        "sector": instrument.sector.name,
        "exchange": exchange,
        "updated_at": updated,
    }


def write(folder: Path, instruments: Iterable[Instrument]) -> bool:
    """Write the history into a folder, and return whether it was not there like this already.

    Who reads the folder meanwhile finds the old file or the new one, never a part.
    """
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows(instruments), schema=_SCHEMA), buffer)
    path = folder / FILE
    # Readers of Parquet folders skip names that begin with a dot.
    beside = folder / f".{FILE}"
    try:
        if path.exists() and path.read_bytes() == buffer.getvalue():
            return False
        folder.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(buffer.getvalue())
        beside.replace(path)
    except OSError as e:
        raise MachineError(
            f"the sample history of symbols cannot be written to {path}: {e.strerror}; make room "
            "or let the feed write there, or set positions.history to a history of your own"
        ) from e
    return True
