"""The positions flow with real parts: latest, deletes, rolling windows, tops and P&L."""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from tests.support.browser import read_view, watch_generations, when_shown
from tests.support.stack import POSITIONS, SHORT, Stack, eventually
from tests.support.worlds import live, sent
from tidegrid import kafka
from tidegrid.errors import SwapError

_KPI = ["symbol", "trades", "avg_px", "qty_sum", "notional", "vwap", "first", "last", "change"]
KPIS = ("gold_kpi_5m", "gold_kpi_15m")
_numbers = itertools.count(1)


def latest(page: Page, prefix: str, *columns: str) -> dict[str, list[Any]]:
    """Return columns of the latest positions whose symbols begin like that."""
    rows = read_view(page, "gold_latest", ["symbol", *columns])
    return {row[0]: row[1:] for row in rows if row[0].startswith(prefix)}


def kpis(page: Page, view: str, prefix: str) -> dict[str, list[Any]]:
    rows = read_view(page, view, _KPI)
    return {row[0]: row[1:] for row in rows if row[0].startswith(prefix)}


def wait_for_kpis(page: Page, view: str, prefix: str, wanted: dict[str, list[Any]]) -> None:
    eventually(f"{view} {wanted}", lambda: _close(kpis(page, view, prefix), wanted))


def send(stack: Stack, *events: dict[str, object]) -> None:
    for event in events:
        stack.produce(POSITIONS, event)
    stack.flush()


def test_tops_are_the_highest_and_the_largest_moves(stack: Stack, signed_in: Page) -> None:
    """Its prices and moves are larger than those that any other test leaves."""
    at = time.time()
    for n in range(30):
        base = {"symbol": f"top.{n:02d}", "qty": 1, "_source_system": "tops"}
        send(stack, {**base, "price": 1.0, "event_ts": at - 5, "pnl": 100.0 * (n - 15)})
        event = {**base, "price": 1e9 * (n - 14), "event_ts": at, "pnl": 100.0 * (n - 15)}
        send(stack, event)
    for n in range(20):
        symbol = {"symbol": f"top.high.{n:02d}", "price": 1e12 + n, "_source_system": "highs"}
        send(stack, {**symbol, "event_ts": at})
    top = [[f"top.high.{n:02d}", 1e12 + n] for n in range(19, -1, -1)]
    eventually("20 prices", lambda: read_view(signed_in, "top_by_px", ["symbol", "price"]) == top)
    moves = [[f"top.{n:02d}", "up"] for n in range(29, 19, -1)]
    moves += [[f"top.{n:02d}", "down"] for n in range(10)]
    columns = ["symbol", "direction"]
    eventually("10 up, 10 down", lambda: read_view(signed_in, "top_movers", columns) == moves)
    columns = ["sourceSystem", "instrument", "pnl", "outcome"]
    rows = [r[1:] for r in read_view(signed_in, "pnl_by_instrument", columns) if r[0] == "tops"]
    wanted = [*range(29, 19, -1), *range(10)]
    assert [r[0] for r in rows] == [f"top.{n:02d}" for n in wanted]
    assert [r[2] for r in rows] == ["Gain" if n >= 15 else "Loss" for n in wanted]
    gone = [f"top.{n:02d}" for n in range(30)] + [f"top.high.{n:02d}" for n in range(20)]
    send(stack, *({"symbol": name, "op": "D", "event_ts": at + 1} for name in gone))


def test_latest_is_right_for_late_events_deletes_and_returns(stack: Stack, signed_in: Page) -> None:
    at = time.time()
    new = {"symbol": "late.A", "price": 2.0, "qty": 1, "event_ts": at}
    send(stack, new, {**new, "price": 1.0, "event_ts": at - 3})
    eventually("the newer", lambda: latest(signed_in, "late.", "price") == {"late.A": [2.0]})

    def events() -> list[list[Any]]:
        rows = read_view(signed_in, "gold_stream_raw", ["symbol", "price"])
        return [r for r in rows if r[0] == "late.A"]

    eventually("both in the list", lambda: sorted(r[1] for r in events()) == [1.0, 2.0])
    send(stack, {"symbol": "late.A", "op": "D", "event_ts": at + 1})
    eventually("the row gone", lambda: latest(signed_in, "late.") == {})
    # A late event does not bring it back, a newer one does.
    send(stack, {**new, "price": 7.0, "event_ts": at + 0.5})
    eventually("the late event", lambda: len(events()) == 4)
    assert latest(signed_in, "late.") == {}
    send(stack, {**new, "op": "I", "price": 3.0, "event_ts": at + 2})
    eventually("the row back", lambda: latest(signed_in, "late.", "price") == {"late.A": [3.0]})


def test_a_rolling_window_falls_as_time_passes_with_no_new_events(
    stack: Stack, signed_in: Page
) -> None:
    at = time.time()
    trade = {"symbol": "roll.A", "qty": 2}
    # One that leaves the short window soon, and one that stays for a while.
    send(stack, {**trade, "price": 10, "event_ts": at - SHORT + 10})
    send(stack, {**trade, "price": 13, "event_ts": at - SHORT / 3})
    both = [2, 11.5, 4, 46, 11.5, 10, 13, 3]
    for view in KPIS:
        wait_for_kpis(signed_in, view, "roll.", {"roll.A": both})
    one = [1, 13, 2, 26, 13, 13, 13, 0]
    eventually(
        "the first out of the window",
        lambda: kpis(signed_in, "gold_kpi_5m", "roll.").get("roll.A") == one,
        30,
    )
    assert kpis(signed_in, "gold_kpi_15m", "roll.")["roll.A"] == both
    eventually("an empty window", lambda: kpis(signed_in, "gold_kpi_5m", "roll.") == {}, SHORT + 10)


_event = st.fixed_dictionaries(
    {
        "symbol": st.sampled_from("ABC"),
        "price": st.integers(-40, 400).map(lambda n: n / 4),
        "qty": st.integers(-20, 40).map(float),
        "op": st.sampled_from(["I", "U", "U", "U", "D"]),
        "ago": st.integers(0, 10_000),
        "pnl": st.integers(-1000, 1000).map(lambda n: n / 10),
        "mtm": st.integers(-1000, 1000).map(float),
        "_source_system": st.sampled_from(["one", "two", ""]),
        "allotment": st.sampled_from(["desk 1", "desk 2"]),
    }
)


@given(events=st.lists(_event, min_size=1, max_size=40))
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_every_screen_is_what_a_recomputation_from_the_events_gives(
    stack: Stack, signed_in: Page, events: list[dict[str, Any]]
) -> None:
    mark = f"prop{next(_numbers)}."
    now = int(time.time() * 1000)
    sent = [
        {
            **{k: v for k, v in e.items() if k != "ago"},
            "symbol": mark + e["symbol"],
            "_source_system": e["_source_system"] and mark + e["_source_system"],
            "instrumentCode": mark + e["symbol"],
            "event_ts": now - e["ago"],
        }
        for e in events
    ]
    send(stack, *sent)
    # One partition for each symbol, so the order of sending is that of the offsets.
    order = sorted(sent, key=lambda e: e["event_ts"])
    newest = {e["symbol"]: e for e in order}
    alive = {s: e for s, e in newest.items() if e["op"] != "D"}
    wanted = {s: [e["price"], e["qty"], e["pnl"]] for s, e in alive.items()}
    eventually("latest", lambda: latest(signed_in, mark, "price", "qty", "pnl") == wanted, 30)
    trades = defaultdict(list)
    for e in order:
        if e["op"] != "D":
            trades[e["symbol"]].append(e)
    kpi = {s: _recomputed(t) for s, t in trades.items()}
    for view in KPIS:
        wait_for_kpis(signed_in, view, mark, kpi)
    _check_pnl(signed_in, mark, list(alive.values()))
    dealt = [e for e in order if e["op"] != "D"]
    _check_totals(signed_in, mark, list(alive.values()), dealt)


def _recomputed(trades: list[dict[str, Any]]) -> list[float | None]:
    prices = [t["price"] for t in trades]
    qty = sum(t["qty"] for t in trades)
    notional = sum(t["price"] * t["qty"] for t in trades)
    first, last = prices[0], prices[-1]
    count = len(trades)
    vwap = notional / qty if qty else None
    return [count, sum(prices) / count, qty, notional, vwap, first, last, last - first]


def _close(found: dict[str, list[Any]], wanted: dict[str, list[Any]]) -> bool:
    def same(a: float | None, b: float | None) -> bool:
        return a == b or (a is not None and b is not None and abs(a - b) < 1e-9 * max(1, abs(b)))

    return found.keys() == wanted.keys() and all(
        same(a, b) for s in wanted for a, b in zip(found[s], wanted[s], strict=True)
    )


def _check_pnl(page: Page, mark: str, positions: list[dict[str, Any]]) -> None:
    for view, group, field in (
        ("pnl_by_instrument", "instrument", "instrumentCode"),
        ("pnl_by_allotment", "allotment", "allotment"),
    ):
        wanted: dict[tuple[str, str], list[Any]] = {}
        for p in (p for p in positions if p["_source_system"]):
            row = wanted.setdefault((p["_source_system"], p[field]), [0, 0, 0])
            row[:] = [row[0] + _exact(p["pnl"]), row[1] + p["mtm"], row[2] + 1]
        outcome = {
            k: [float(row[0]), *row[1:], "Gain" if row[0] >= 0 else "Loss"]
            for k, row in wanted.items()
        }
        columns = ["sourceSystem", group, "pnl", "mtm", "positions", "outcome"]

        eventually(view, lambda: _rows(page, view, columns, mark) == outcome)  # noqa: B023


def _check_totals(
    page: Page, mark: str, positions: list[dict[str, Any]], dealt: list[dict[str, Any]]
) -> None:
    wanted: dict[Any, list[Any]] = {}
    for system in sorted({e["_source_system"] for e in (*positions, *dealt)} - {""}):
        mine = [p for p in positions if p["_source_system"] == system]
        trades = [t for t in dealt if t["_source_system"] == system]
        moves = []
        for symbol in {t["symbol"] for t in trades}:
            prices = [t["price"] for t in trades if t["symbol"] == symbol]
            moves.append(prices[-1] - prices[0])
        wanted[system, len(mine)] = [
            float(sum(_exact(p["pnl"]) for p in mine)) if mine else None,
            len(trades),
            sum(t["price"] * t["qty"] for t in trades),
            sum(m > 0 for m in moves),
            sum(m < 0 for m in moves),
        ]
    columns = ["sourceSystem", "positions", "pnl", "trades", "notional", "gainers", "losers"]
    eventually("totals", lambda: _rows(page, "gold_totals", columns, mark) == wanted)


def _exact(value: float) -> Decimal:
    return Decimal(repr(value))


def _rows(page: Page, view: str, columns: list[str], mark: str) -> dict[Any, list[Any]]:
    rows = read_view(page, view, columns)
    return {(r[0], r[1]): r[2:] for r in rows if str(r[0]).startswith(mark)}


def test_sums_keep_no_trace_of_what_has_left(stack: Stack, signed_in: Page) -> None:
    event = {"symbol": "trace.A", "allotment": "trace desk", "_source_system": "trace"}
    other = {**event, "symbol": "trace.B"}
    columns = ["sourceSystem", "allotment", "pnl", "outcome"]

    def desk() -> Any:
        found = _rows(signed_in, "pnl_by_allotment", columns, "trace")
        return found.get(("trace", "trace desk"))

    # With doubles a sum of 0 would be -2.8e-17 in the end, and after 1e18 anything.
    for first, second, wanted in (
        (0.1, 0.7, [0.8, "Gain"]),
        (0.1, -1e18, [-1e18, "Loss"]),
        (0.1, 0.7, [0.8, "Gain"]),
        (0.1, 0.0, [0.1, "Gain"]),
        (0.0, 0.0, [0.0, "Gain"]),
    ):
        send(stack, {**event, "pnl": first}, {**other, "pnl": second})
        eventually(f"{wanted}", lambda wanted=wanted: desk() == wanted)  # type: ignore[misc]


def test_a_price_below_zero_that_rises_has_risen(stack: Stack, signed_in: Page) -> None:
    at = time.time()
    for n, price in enumerate((-10, -5)):
        event = {"symbol": "neg.A", "qty": 1, "price": price, "event_ts": at + n}
        send(stack, event)

    def change() -> list[list[Any]]:
        rows = read_view(signed_in, "gold_kpi_5m", ["symbol", "change", "change_pct"])
        return [r for r in rows if r[0] == "neg.A"]

    eventually("half of it gained", lambda: change() == [["neg.A", 5, 50]])


def test_what_has_no_price_before_or_no_pnl_is_neither_a_loss_nor_a_fall(
    stack: Stack, signed_in: Page
) -> None:
    event = {"symbol": "null.A", "qty": 1, "allotment": "null desk", "_source_system": "nulls"}
    at = time.time()
    send(stack, {**event, "price": 0, "event_ts": at - 1}, {**event, "price": 5, "event_ts": at})
    rose = [2, 2.5, 2, 5, 2.5, 0, 5, 5]
    wait_for_kpis(signed_in, "gold_kpi_5m", "null.", {"null.A": rose})
    assert "null.A" not in [r[0] for r in read_view(signed_in, "top_movers", ["symbol"])]
    for view in ("pnl_by_allotment", "pnl_by_instrument"):
        assert "nulls" not in [r[0] for r in read_view(signed_in, view, ["sourceSystem"])]
    totals = _rows(signed_in, "gold_totals", ["sourceSystem", "positions", "pnl", "mtm"], "nulls")
    assert totals == {("nulls", 1): [None, None]}


def test_bad_positions_become_rejects_of_their_flow(stack: Stack, signed_in: Page) -> None:
    stack.produce(POSITIONS, b'{"symbol":"bad.A","price":"a lot"}', key="bad")
    stack.flush()

    def rejects() -> list[list[Any]]:
        rows = read_view(signed_in, "rejects", ["flow", "topic", "reason"])
        return [r for r in rows if r[0] == "positions"]

    wanted = ["positions", POSITIONS, "price: expected a number, got a text"]
    eventually("the reject", lambda: wanted in rejects())


def test_a_swap_of_positions_leaves_the_customers_alone(stack: Stack, signed_in: Page) -> None:
    customers, positions = live(stack), live(stack, "positions")
    send(stack, {"symbol": "before.A", "price": 1, "qty": 1})
    eventually("the old row", lambda: latest(signed_in, "before."))
    kafka.ensure_topics(stack.connection, {"gold.v2": 3}, {})
    for n in range(40):
        stack.produce("gold.v2", {"symbol": f"v2.{n}", "price": 5, "qty": 2})
    stack.flush()
    watched = ["gold_latest", "gold_totals", "gold_kpi_15m"]
    watch_generations(signed_in, watched)
    said = sent(stack, {"positionsTopic": "gold.v2"})
    assert "live" in said[-1]
    assert (live(stack), live(stack, "positions")) == (customers, positions + 1)
    rows = read_view(signed_in, "gold_latest", ["symbol", "topic"])
    assert {r[1] for r in rows} == {"gold.v2"}
    assert len(rows) == 40
    # The screens made of the views go with them.
    eventually("KPIs of the new topic", lambda: len(kpis(signed_in, "gold_kpi_5m", "v2.")) == 40)
    assert kpis(signed_in, "gold_kpi_15m", "before.") == {}
    # In the same update cycle, although those made of positions and those made of buckets are
    # worked out twice a second, a quarter of a second apart.
    shown = when_shown(signed_in)
    times = [shown[name][positions + 1] for name in watched]
    assert max(times) - min(times) < 240
    sent(stack, {"action": "rollback", "flow": "positions"})
    assert (live(stack), live(stack, "positions")) == (customers, positions)
    assert latest(signed_in, "before.")
    assert latest(signed_in, "v2.") == {}
    with pytest.raises(SwapError, match="one of Tidegrid's own"):
        sent(stack, {"positionsTopic": "tidegrid.receipts"})
