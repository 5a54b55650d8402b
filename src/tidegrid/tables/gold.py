"""The screens of the positions flow: what depends on the clock, or on the whole table.

They are worked out some times a second, not in every update cycle: the eye sees no more, and what
they would take is what a new price needs to be on the screen at once. A swap changes all of them in
the update cycle in which it changes the views. `All` as a source system is the total over all; a
system that is really called so has no rows of its own.

Sums are of decimals, not of doubles: a running sum of doubles keeps a trace of what has left it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from deephaven import agg, empty_table, merge, time_table
from deephaven.experimental import time_window
from deephaven.table import Table

from tidegrid.contract.views import BUCKET_SECONDS
from tidegrid.settings import Positions
from tidegrid.tables.stable import StableViews

ALL = "All"
_TOP = 20
_EACH_SIDE = 10
_NANOS = 1_000_000_000
#: Seconds between two times that they are worked out.
_EVERY = 0.5
#: What is summed over buckets, beside the trades; the others are found by their times.
_AMOUNTS = ("px_sum", "qty_sum", "notional")
_FIRST = ("first", "firstTs", "firstTie")
_LAST = ("last", "lastTs", "lastTie")
#: What belongs to a source system by name.
_OF_A_SYSTEM = f"!isNull(sourceSystem) && !`{ALL}`.equals(sourceSystem)"
_INSTRUMENT = "instrument=isNull(instrumentCode) ? symbol : instrumentCode"
_LATEST = (
    "symbol",
    "price",
    "sector",
    "exchange",
    "sourceSystem",
    "allotment",
    "instrumentCode",
    "pnl",
    "mtm",
    "generation",
)
_KPI = [
    "avg_px=px_sum / trades",
    "vwap=qty_sum == 0 ? NULL_DOUBLE : notional / qty_sum",
    "first",
    "last",
    "change=last - first",
    "change_pct=first == 0 ? NULL_DOUBLE : 100 * (last - first) / abs(first)",
    "generation",
]


def screens(stable: StableViews, positions: Positions) -> dict[str, Table]:
    """Return the tables to export, by name; `gold_buckets` among them without what is too old."""
    # In turns, so that no cycle has to do all of it.
    latest = _exact(_calm(stable, "gold_latest", _EVERY / 2, _LATEST), "pnl", "mtm")
    latest = latest.update_view(_INSTRUMENT)
    buckets = _exact(_calm(stable, "gold_buckets", _EVERY), *_AMOUNTS)
    long = _recent(buckets, positions.kpi_long_seconds)
    short = _recent(long, positions.kpi_short_seconds)
    short_sums, long_sums = _sums(short), _sums(long)
    short_all, short_by = _kpi(_over_sources(short_sums)), _kpi(short_sums, "sourceSystem")
    long_all, long_by = _kpi(_over_sources(long_sums)), _kpi(long_sums, "sourceSystem")
    return {
        "gold_buckets": long.update_view(_doubles(*_AMOUNTS)),
        "gold_kpi_5m": short_all,
        "gold_kpi_5m_by_source": _with_all(short_all, short_by),
        "gold_kpi_15m": long_all,
        "gold_kpi_15m_by_source": _with_all(long_all, long_by),
        "gold_trend": _trend(long),
        "gold_totals": _totals(latest, short_all, short_by),
        "top_by_px": latest.where("!isNull(price)")
        .view(["symbol", "price", "sector", "exchange", "sourceSystem", "generation"])
        .sort_descending("price")
        .head(_TOP),
        "top_movers": _movers(short_all),
        "pnl_by_instrument": _pnl_by_instrument(latest),
        "pnl_by_allotment": _pnl(latest, "allotment"),
    }


def _calm(stable: StableViews, view: str, first: float, columns: Sequence[str] = ()) -> Table:
    """Copy what has changed in a view some times a second, and at once when another build shows."""
    begin = datetime.now(UTC) + timedelta(seconds=first)
    clock = time_table(f"PT{_EVERY}s", begin).view("tick=0L")
    when = merge([stable.active.view("tick=Build"), clock])
    shown = stable.views[view]
    # Deephaven makes no view of a table whose parts may be taken away.
    others = [c for c in shown.column_names if columns and c not in columns]
    chosen = shown.drop_columns(others) if others else shown
    return chosen.snapshot_when(when, initial=True, incremental=True).drop_columns("tick")


def _recent(buckets: Table, seconds: int) -> Table:
    """Keep the buckets that begin in the last seconds, as the clock goes on."""
    inside = time_window(buckets, "bucket", seconds * _NANOS, "inWindow")
    return inside.where("inWindow").drop_columns("inWindow")


def _sums(buckets: Table) -> Table:
    """Sum the buckets of each symbol and source system; no two of them begin at the same time."""
    return buckets.agg_by(
        [
            agg.sum_(["trades", *_AMOUNTS]),
            agg.sorted_first("bucket", list(_FIRST)),
            agg.sorted_last("bucket", list(_LAST)),
        ],
        by=["symbol", "sourceSystem", "generation"],
    )


def _over_sources(sums: Table) -> Table:
    """Sum over the source systems of each symbol."""
    first, *firsts = _FIRST
    last, *lasts = _LAST
    return sums.agg_by(
        [
            agg.sum_(["trades", *_AMOUNTS]),
            # Their hints say one column to order by; they take several.
            agg.sorted_first(firsts, [first]),  # type: ignore[arg-type]
            agg.sorted_last(lasts, [last]),  # type: ignore[arg-type]
        ],
        by=["symbol", "generation"],
    )


def _kpi(sums: Table, *by: str) -> Table:
    # No view: what is found by its time lies in the table of buckets, which may let go of it.
    columns = ["symbol", *by, "trades", *_doubles(*_AMOUNTS), *_KPI]
    return sums.select(columns).drop_columns("px_sum")


def _trend(buckets: Table) -> Table:
    sums, by = agg.sum_(["trades", "notional"]), ["bucket", "generation"]
    each = buckets.agg_by(sums, by=["sourceSystem", *by])
    both = _with_all(each.agg_by(sums, by=by), each)
    return both.update_view(_doubles("notional")).sort("bucket")


def _with_all(total: Table, by_source: Table) -> Table:
    """Return the rows of each source system, and those over all."""
    both = [_named(total), by_source.where(_OF_A_SYSTEM)]
    return merge([t.view(by_source.column_names) for t in both])


def _named(total: Table) -> Table:
    """Call a total one over all source systems."""
    return total.update_view(f"sourceSystem=`{ALL}`")


def _totals(latest: Table, kpi: Table, kpi_by: Table) -> Table:
    """Return one row for each source system, and one for all; a sum of nothing is empty."""
    held, moves = ["positions", "pnl", "mtm"], ["trades", "notional", "gainers", "losers"]
    keys = ["sourceSystem", "generation"]
    positions, traded = _held_of(latest), _moves_of(kpi_by)
    # One may have trades and no position, as when all of them were deleted.
    systems = merge([t.view(keys) for t in (positions, traded)]).select_distinct(keys)
    by = systems.where(_OF_A_SYSTEM).natural_join(positions, keys, held)
    # With a row of its own, so that there are totals before there is a position.
    one = empty_table(1).view(f"sourceSystem=`{ALL}`")
    newest = _named(systems.agg_by(agg.max_("generation")))
    # The page draws what was traded up to now, and its own clock may be wrong.
    clock = time_table(f"PT{BUCKET_SECONDS}s").last_by().view("now=Timestamp")
    everything = (
        one.natural_join(newest, "sourceSystem", "generation")
        .natural_join(_named(_held_of(latest, by=[])), keys, held)
        .natural_join(_named(_moves_of(kpi, by=[])), keys, moves)
        .natural_join(_named(clock), "sourceSystem", "now")
    )
    each = by.natural_join(traded, keys, moves).update_view("now=(Instant)null")
    names = [*keys, *held, *moves, "now"]
    return merge([t.view(names) for t in (everything, each)]).view(
        [
            "sourceSystem",
            "now",
            *(f"{n}=isNull({n}) ? 0L : {n}" for n in ("positions", "trades", "gainers", "losers")),
            "notional=isNull(notional) ? 0.0 : notional.doubleValue()",
            *_doubles("pnl", "mtm"),
            "generation",
        ]
    )


def _held_of(latest: Table, by: list[str] | None = None) -> Table:
    keys = ["sourceSystem"] if by is None else by
    sums = [agg.sum_(["pnl", "mtm"]), agg.count_("positions")]
    return latest.agg_by(sums, by=[*keys, "generation"])


def _moves_of(kpi: Table, by: list[str] | None = None) -> Table:
    keys = ["sourceSystem"] if by is None else by
    marked = kpi.view(
        [
            *keys,
            "generation",
            "trades",
            _decimal("notional"),
            "gainers=change > 0 ? 1L : 0L",
            "losers=change < 0 ? 1L : 0L",
        ]
    )
    sums = agg.sum_(["trades", "notional", "gainers", "losers"])
    return marked.agg_by(sums, by=[*keys, "generation"])


def _exact(table: Table, *names: str) -> Table:
    """Make decimals of doubles, once for all that is summed of them."""
    return table.update([_decimal(name) for name in names])


def _decimal(name: str) -> str:
    """Return the formula of a double as a decimal; what is no number is nothing."""
    wrong = f"isNull({name}) || isNaN({name}) || isInf({name})"
    return f"{name}={wrong} ? null : java.math.BigDecimal.valueOf({name})"


def _doubles(*names: str) -> list[str]:
    """Return the formulas of decimals as doubles."""
    return [f"{name}=isNull({name}) ? NULL_DOUBLE : {name}.doubleValue()" for name in names]


def _movers(kpi: Table) -> Table:
    names = ["symbol", "first", "last", "change", "change_pct", "trades", "generation"]
    # From a price of 0 there is no share of it; and a null counts as less than any number.
    moved = kpi.view(names).where("!isNull(change_pct)")
    up = moved.where("change_pct > 0").sort_descending("change_pct").head(_EACH_SIDE)
    down = moved.where("change_pct < 0").sort("change_pct").head(_EACH_SIDE)
    return merge([up.update_view("direction=`up`"), down.update_view("direction=`down`")])


def _pnl(latest: Table, group: str) -> Table:
    """Return the sums of each group, by source system and over all of them; none without a P&L."""
    sums = [agg.sum_(["pnl", "mtm"]), agg.count_("positions")]
    known = latest.where(f"!isNull({group})")
    by = known.where(_OF_A_SYSTEM).agg_by(sums, ["sourceSystem", group, "generation"])
    total = _named(known.agg_by(sums, [group, "generation"]))
    names = ["sourceSystem", group, "pnl", "mtm", "positions", "generation"]
    both = merge([total.view(names), by.view(names)]).where("!isNull(pnl)")
    return both.update([*_doubles("pnl", "mtm"), "outcome=pnl >= 0 ? `Gain` : `Loss`"])


def _pnl_by_instrument(latest: Table) -> Table:
    """Return, of each source system, the instruments that gained and those that lost most."""
    every = _pnl(latest, "instrument")
    highest = every.sort_descending("pnl").head_by(_EACH_SIDE, ["sourceSystem"])
    others = every.where_not_in(highest, ["sourceSystem", "instrument"])
    lowest = others.sort("pnl").head_by(_EACH_SIDE, ["sourceSystem"])
    return merge([highest, lowest])
