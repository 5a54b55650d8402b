"""The screens of the positions flow: what depends on the clock, or on the whole table.

They are worked out some times a second, not in every update cycle: the eye sees no more, and what
they would take is what a new price needs to be on the screen at once. A swap changes all of them in
the update cycle in which it changes the views. `All` as a source system is the total over all.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from deephaven import agg, empty_table, merge, time_table
from deephaven.experimental import time_window
from deephaven.table import Table

from tidegrid.settings import Positions
from tidegrid.tables.stable import StableViews

ALL = "All"
_TOP = 20
_EACH_SIDE = 10
_NANOS = 1_000_000_000
#: Seconds between two times that they are worked out.
_EVERY = 0.5
#: What is summed over buckets; the others are found by their times.
_SUMS = ("trades", "px_sum", "qty_sum", "notional")
_FIRST = ("first", "firstTs", "firstTie")
_LAST = ("last", "lastTs", "lastTie")
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
    "trades",
    "avg_px=px_sum / trades",
    "qty_sum",
    "notional",
    "vwap=qty_sum == 0 ? NULL_DOUBLE : notional / qty_sum",
    "first",
    "last",
    "change=last - first",
    "change_pct=first == 0 ? NULL_DOUBLE : 100 * (last - first) / first",
    "generation",
]


def screens(stable: StableViews, positions: Positions) -> dict[str, Table]:
    """Return the tables to export, by name; `gold_buckets` among them without what is too old."""
    # In turns, so that no cycle has to do all of it.
    latest = _calm(stable, "gold_latest", _EVERY / 2, _LATEST).update_view(_INSTRUMENT)
    long = _recent(_calm(stable, "gold_buckets", _EVERY), positions.kpi_long_seconds)
    short = _recent(long, positions.kpi_short_seconds)
    short_sums, long_sums = _sums(short), _sums(long)
    short_all, short_by = _kpi(_over_sources(short_sums)), _kpi(short_sums, "sourceSystem")
    return {
        "gold_buckets": long,
        "gold_kpi_5m": short_all,
        "gold_kpi_5m_by_source": short_by,
        "gold_kpi_15m": _kpi(_over_sources(long_sums)),
        "gold_kpi_15m_by_source": _kpi(long_sums, "sourceSystem"),
        "gold_trend": _by_source(_trend(long)),
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
            agg.sum_(list(_SUMS)),
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
            agg.sum_(list(_SUMS)),
            # Their hints say one column to order by; they take several.
            agg.sorted_first(firsts, [first]),  # type: ignore[arg-type]
            agg.sorted_last(lasts, [last]),  # type: ignore[arg-type]
        ],
        by=["symbol", "generation"],
    )


def _kpi(sums: Table, *by: str) -> Table:
    # No view: what is found by its time lies in the table of buckets, which may let go of it.
    return sums.select(["symbol", *by, *_KPI])


def _trend(buckets: Table) -> Table:
    return buckets.agg_by(
        agg.sum_(["trades", "notional"]), by=["sourceSystem", "bucket", "generation"]
    )


def _by_source(trend: Table) -> Table:
    total = trend.agg_by(agg.sum_(["trades", "notional"]), by=["bucket", "generation"])
    names = ["sourceSystem", "bucket", "trades", "notional", "generation"]
    both = [_named(total), trend.where("!isNull(sourceSystem)")]
    return merge([t.view(names) for t in both]).sort("bucket")


def _named(total: Table) -> Table:
    """Call a total one over all source systems."""
    return total.update_view(f"sourceSystem=`{ALL}`")


def _totals(latest: Table, kpi: Table, kpi_by: Table) -> Table:
    """Return one row for each source system, and one for all."""
    columns = ["sourceSystem", "positions", "pnl", "mtm"]
    moves = ["trades", "notional", "gainers", "losers"]
    positions, traded = _sums_of(latest), _moves_of(kpi_by)
    by = positions.where("!isNull(sourceSystem)").natural_join(
        traded, ["sourceSystem", "generation"], moves
    )
    # With a row of its own, so that there are totals before there is a position.
    one = empty_table(1).view(f"sourceSystem=`{ALL}`")
    everything = one.natural_join(
        _named(_sums_of(latest, by=[])), "sourceSystem", ["positions", "pnl", "mtm", "generation"]
    ).natural_join(_named(_moves_of(kpi, by=[])), "sourceSystem", moves)
    names = [*columns, *moves, "generation"]
    return merge([everything.view(names), by.view(names)]).view(
        [
            "sourceSystem",
            *(f"{n}=isNull({n}) ? 0L : {n}" for n in ("positions", "trades", "gainers", "losers")),
            *(f"{n}=isNull({n}) ? 0.0 : {n}" for n in ("notional", "pnl", "mtm")),
            "generation",
        ]
    )


def _sums_of(latest: Table, by: list[str] | None = None) -> Table:
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
            "notional",
            "gainers=change > 0 ? 1L : 0L",
            "losers=change < 0 ? 1L : 0L",
        ]
    )
    sums = agg.sum_(["trades", "notional", "gainers", "losers"])
    return marked.agg_by(sums, by=[*keys, "generation"])


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
    by = known.where("!isNull(sourceSystem)").agg_by(sums, ["sourceSystem", group, "generation"])
    total = _named(known.agg_by(sums, [group, "generation"]))
    names = ["sourceSystem", group, "pnl", "mtm", "positions", "generation"]
    both = merge([total.view(names), by.view(names)]).where("!isNull(pnl)")
    return both.update_view("outcome=pnl >= 0 ? `Gain` : `Loss`")


def _pnl_by_instrument(latest: Table) -> Table:
    """Return, of each source system, the instruments that gained and those that lost most."""
    every = _pnl(latest, "instrument")
    highest = every.sort_descending("pnl").head_by(_EACH_SIDE, ["sourceSystem"])
    others = every.where_not_in(highest, ["sourceSystem", "instrument"])
    lowest = others.sort("pnl").head_by(_EACH_SIDE, ["sourceSystem"])
    return merge([highest, lowest])
