"""The sample positions: repeatable, lively, late and bad where they say so, and their history."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from datetime import datetime
from functools import cache
from itertools import count, islice, pairwise, takewhile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tidegrid.errors import MachineError
from tidegrid.feed import history, pace
from tidegrid.feed.bad import huge
from tidegrid.feed.event import Event
from tidegrid.feed.instruments import ALLOTMENTS, SECTORS, SOURCES, instruments
from tidegrid.feed.positions import BAD, Positions

SECOND = 10**9
START = 1_760_000_000 * SECOND
STEP = SECOND // 100
DAY = 24 * 3600 * SECOND
GOOD = {"symbol": "AURX", "event_ts": START // 10**6, "price": 12.5, "qty": 10, "op": "U"}


class Clock:
    """A clock that goes on by 10 ms each time it is read."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        """Return the time."""
        self.now += STEP
        return self.now


def book(seed: int = 7, symbols: int = 50, bad_ratio: float = 0.0, after: int = 0) -> Positions:
    return Positions(seed, symbols, bad_ratio, after, Clock())


def changes(number: int, bad_ratio: float = 0.0, symbols: int = 50) -> list[Event]:
    return list(islice(book(symbols=symbols, bad_ratio=bad_ratio).changes(), number))


@cache
def records() -> list[dict[str, Any]]:
    """Return what a book of 100 symbols has at first, and 20,000 changes of it."""
    positions = book(symbols=100)
    events = [*positions.everything(), *islice(positions.changes(), 20_000)]
    return [json.loads(e.value or b"") for e in events]


def nanos(written: object) -> int:
    """Read a time in any of its forms; anything else is a ValueError."""
    if isinstance(written, str):
        return round(datetime.fromisoformat(written).timestamp() * 10**6) * 1000
    if type(written) is not int:
        raise ValueError(written)
    for unit in (10**9, 10**6, 10**3, 1):
        if written * unit < 10**19:
            return written * unit
    raise ValueError(written)


def usable(value: bytes | None, now: int = START) -> bool:
    """Judge a record by the description of the source alone, not by how the pipeline does it."""

    def refuse(word: str) -> None:
        raise ValueError(word)

    if len(value or b"") > 65536:
        return False
    try:
        fields = json.loads((value or b"").decode("utf-8"), parse_constant=refuse)
        if not isinstance(fields, dict) or nanos(fields["event_ts"]) > now + DAY:
            return False
    except ValueError:
        return False
    if not isinstance(fields.get("symbol"), str) or not fields["symbol"].strip():
        return False
    numbers = [fields.get(name) for name in ("price", "qty", "pnl", "mtm")]
    right = (n is None or (type(n) in (int, float) and math.isfinite(n)) for n in numbers)
    return all(right) and fields.get("op", "U") in ("I", "U", "D")


def test_the_same_seed_gives_the_same_events() -> None:
    one, other = book(bad_ratio=0.1), book(bad_ratio=0.1)
    assert list(one.everything()) == list(other.everything())
    assert list(islice(one.changes(), 2000)) == list(islice(other.changes(), 2000))


def test_only_times_depend_on_the_clock() -> None:
    def timeless(start: int) -> list[dict[str, Any]]:
        clock = count(start, 7 * SECOND)
        events = islice(Positions(7, 50, 0, clock=lambda: next(clock)).changes(), 500)
        found = [json.loads(e.value or b"") for e in events]
        times = ("event_ts", "event_time", "tradingDate")
        return [{n: v for n, v in fields.items() if n not in times} for fields in found]

    assert timeless(START) == timeless(START + 3 * DAY)


def test_another_seed_gives_other_events() -> None:
    assert list(book(7).everything()) != list(book(8).everything())
    assert list(islice(book(7).changes(), 100)) != list(islice(book(8).changes(), 100))


def test_a_later_run_has_the_same_positions_but_other_changes() -> None:
    first, later = book(), book(after=1000)
    begun = [(e.key, json.loads(e.value or b"")["pnl"]) for e in first.everything()]
    assert begun == [(e.key, json.loads(e.value or b"")["pnl"]) for e in later.everything()]
    assert list(islice(book().changes(), 100)) != list(islice(later.changes(), 100))


@pytest.mark.parametrize("number", [1, 300, 3000])
def test_there_are_as_many_symbols_as_asked_for(number: int) -> None:
    found = instruments(7, number)
    assert len({i.symbol for i in found}) == len({i.position for i in found}) == number
    assert all(re.fullmatch(r"[A-Z]{4,5}", i.symbol) for i in found)


def test_symbols_spread_over_sectors_exchanges_desks_and_source_systems() -> None:
    found = instruments(7, 300)
    assert {i.sector for i in found} == set(SECTORS)
    assert {i.allotment for i in found} == set(ALLOTMENTS)
    assert {i.source for i in found} == set(SOURCES)
    assert all(i.exchange in i.sector.exchanges for i in found)
    assert all(re.fullmatch(r"[A-Z0-9]{9}", i.cusip) for i in found)
    assert all(re.fullmatch(rf"[A-Z]{{2}}{i.cusip}\d", i.isin) for i in found)
    assert 20 < len({i.code for i in found}) < 60


def test_every_position_begins_once_and_a_moment_ago() -> None:
    events = list(book(bad_ratio=1.0).everything())
    assert all(usable(e.value) for e in events)
    assert len({e.key for e in events}) == len(events) == 50
    for event in events:
        fields = json.loads(event.value or b"")
        assert fields["op"] == "I"
        assert START - 31 * SECOND < nanos(fields["event_ts"]) < START


def test_a_record_is_keyed_by_its_symbol_and_has_every_field() -> None:
    names = (
        "event_ts symbol price qty op _source_system allotment instrumentCode positionId pnl mtm "
        "isin cusip tradingDate event_time"
    )
    for event in changes(200):
        fields = json.loads(event.value or b"")
        assert list(fields) == names.split()
        assert event.key == fields["symbol"].encode()
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", fields["tradingDate"])
        assert 0 <= nanos(fields["event_ts"]) - nanos(fields["event_time"]) + 10**6 < SECOND


def test_a_symbol_stays_with_its_source_system_and_desk() -> None:
    names = ("symbol", "_source_system", "allotment", "instrumentCode", "positionId", "isin")
    assert len({tuple(fields[n] for n in names) for fields in records()}) == 100


def test_prices_walk_in_small_steps_and_some_move_far() -> None:
    prices: dict[str, list[float]] = {}
    for fields in records():
        prices.setdefault(fields["symbol"], []).append(fields["price"])
    assert all(len(set(p)) > 5 for p in prices.values())
    assert all(b == pytest.approx(a, rel=0.01) for p in prices.values() for a, b in pairwise(p))
    assert all(1 < min(p) < max(p) < 5000 for p in prices.values())
    moved = [p[-1] / p[0] - 1 for p in prices.values()]
    assert max(moved) > 0.02
    assert min(moved) < -0.02
    assert all(abs(m) < 0.5 for m in moved)


def test_gains_and_losses_follow_the_price() -> None:
    assert all(fields["qty"] > 0 or fields["op"] == "D" for fields in records())
    for name in ("pnl", "mtm"):
        above = sum(fields[name] > 0 for fields in records()) / len(records())
        assert 0.1 < above < 0.9, name
    # What is held before an event, times the move of the price, is what it gains.
    before: dict[str, dict[str, Any]] = {}
    for fields in records():
        last = before.get(fields["symbol"])
        if last is not None and fields["op"] == "U":
            held = last["mtm"] / last["price"]
            gain = held * (fields["price"] - last["price"])
            assert fields["pnl"] - last["pnl"] == pytest.approx(gain, abs=0.05)
        before[fields["symbol"]] = fields


def test_a_position_begins_is_updated_and_ends_and_begins_again() -> None:
    ops: dict[str, str] = {}
    for fields in records():
        ops[fields["symbol"]] = ops.get(fields["symbol"], "") + fields["op"]
    assert all(re.fullmatch("I(U*DI)*U*D?", o) for o in ops.values())
    counts = Counter(fields["op"] for fields in records())
    assert counts["U"] / len(records()) > 0.98
    assert counts["D"] > 20
    assert sum("DI" in o for o in ops.values()) > 10


def test_times_come_in_every_form_and_mostly_in_millis() -> None:
    def form(written: object) -> str:
        if isinstance(written, int):
            return str(len(str(written)))
        return "Z" if str(written).endswith("Z") else str(written)[-6:]

    forms = Counter(form(fields["event_ts"]) for fields in records())
    assert set(forms) == {"13", "16", "19", "Z", "+02:00", "-05:00", "+05:30"}
    assert 0.7 < forms["13"] / len(records()) < 0.9


def test_some_changes_come_seconds_late_and_a_few_come_minutes_late() -> None:
    clock = Clock()
    late = [
        (clock.now - nanos(json.loads(e.value or b"")["event_ts"])) / SECOND
        for e in islice(Positions(7, 50, 0, clock=clock).changes(), 10_000)
    ]
    assert all(-0.001 < seconds < 1201 for seconds in late)
    assert 0.03 < sum(0.1 < s < 10 for s in late) / len(late) < 0.07
    assert 0.001 < sum(s > 100 for s in late) / len(late) < 0.006


def test_without_bad_records_every_change_is_usable() -> None:
    assert all(usable(e.value) for e in changes(3000))


@pytest.mark.parametrize("ratio", [0.01, 0.1])
def test_about_the_asked_share_of_changes_is_bad(ratio: float) -> None:
    number = 5000
    bad = sum(not usable(e.value) for e in changes(number, ratio))
    assert abs(bad - number * ratio) < 4 * math.sqrt(number * ratio * (1 - ratio))


@pytest.mark.parametrize("spoil", [*BAD, huge])
def test_a_bad_record_is_bad(spoil: Any) -> None:
    assert usable(json.dumps(GOOD).encode())
    assert not usable(spoil(GOOD)), spoil(GOOD)


def kind_of_bad(value: bytes | None) -> str:
    """Name what is wrong with a record, for a test that all of it comes."""
    if not value:
        return "tombstone" if value is None else "empty"
    if len(value) > 65536:
        return "huge"
    try:
        fields = json.loads(value)
    except UnicodeDecodeError:
        return "not UTF-8"
    except ValueError:
        return "not JSON" if value.startswith(b"{not") else "truncated"
    if not isinstance(fields, dict):
        return type(fields).__name__
    if not fields.get("symbol"):
        return f"symbol {fields.get('symbol', 'missing')!r}"
    if fields["op"] == "X":
        return "op"
    if isinstance(fields["price"], str) or not math.isfinite(fields["price"]):
        return f"price {fields['price']}"
    return "no time" if isinstance(fields["event_ts"], str) else "future"


def test_every_kind_of_bad_record_comes() -> None:
    events = changes(600, bad_ratio=1.0)
    assert not any(usable(e.value) for e in events)
    assert all(e.key for e in events)
    seen = Counter(kind_of_bad(e.value) for e in events)
    kinds = {
        *("tombstone", "empty", "huge", "not UTF-8", "not JSON", "truncated", "list", "int"),
        *("symbol None", "symbol ''", "symbol 'missing'", "op", "no time", "future"),
        *("price 12,50", "price nan", "price inf"),
    }
    assert set(seen) == kinds
    assert seen["huge"] < 0.05 * len(events)


def test_a_steady_pace_is_the_rate() -> None:
    assert list(islice(pace.steady(4), 5)) == [0, 0.25, 0.5, 0.75, 1]


@pytest.mark.parametrize("seed", [7, 8, 9])
@pytest.mark.parametrize("rate", [1, 100])
def test_bursts_come_at_the_rate_on_average(rate: int, seed: int) -> None:
    minutes = 10 if rate == 100 else 100
    dues = list(takewhile(lambda due: due < minutes * 60, pace.bursts(rate, seed)))
    assert dues == sorted(dues)
    assert len(dues) / (minutes * 60) == pytest.approx(rate, rel=0.12)


def test_bursts_have_calm_and_busy_seconds() -> None:
    dues = takewhile(lambda due: due < 300, pace.bursts(100, 7))
    seconds = Counter(int(due) for due in dues)
    assert sum(n < 70 for n in seconds.values()) > 100
    assert sum(n > 300 for n in seconds.values()) > 5


def test_the_history_can_be_read_back(tmp_path: Path) -> None:
    traded = instruments(7, 300)
    folder = tmp_path / "home" / "symbols"
    assert history.write(folder, traded)
    table = pq.read_table(folder)
    assert table.column_names == ["symbol", "sector", "exchange", "updated_at"]
    rows = sorted(table.to_pylist(), key=lambda row: row["updated_at"])
    newest = {row["symbol"]: (row["sector"], row["exchange"]) for row in rows}
    right = {i.symbol: (i.sector.name, i.exchange) for i in traded}
    assert newest.items() <= right.items()
    assert 0.01 <= 1 - len(newest) / len(right) <= 0.03
    twice = [s for s, n in Counter(row["symbol"] for row in rows).items() if n == 2]
    assert 5 <= len(twice) <= 20
    times = {(row["symbol"], row["updated_at"]) for row in rows}
    assert len(times) == len(rows)
    assert all(row["updated_at"].tzinfo is not None for row in rows)


def test_the_history_is_written_only_when_it_differs(tmp_path: Path) -> None:
    assert history.write(tmp_path, instruments(7, 60))
    first = (tmp_path / history.FILE).stat().st_ino
    assert not history.write(tmp_path, instruments(7, 60))
    assert (tmp_path / history.FILE).stat().st_ino == first
    assert history.write(tmp_path, instruments(8, 60))
    assert [path.name for path in tmp_path.iterdir()] == [history.FILE]


def test_a_history_that_cannot_be_written_says_where_and_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "symbols").write_text("a file, not a folder")
    with pytest.raises(MachineError, match=r"symbols\.parquet.*positions\.history"):
        history.write(tmp_path / "symbols", instruments(7, 60))
