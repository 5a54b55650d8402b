"""The rows of the positions flow: one for each group that an event changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from tidegrid.contract.views import BUCKET_SECONDS, POSITIONS
from tidegrid.pipeline.decode import quoted
from tidegrid.pipeline.records import columns, offset, partition, slot

if TYPE_CHECKING:
    from tidegrid.pipeline.positions import Plan

_COLUMNS = {changelog.name: changelog.columns for changelog in POSITIONS.changelogs}


def of_record(state: DataFrame, plan: Plan) -> DataFrame:
    """Return the rows (topic, key, value) that the record merged last causes."""
    # An event that came late changes nothing but the list of events, under a Kafka key of its own.
    is_newest = "newest.tie = position.tie"
    late_key = f"concat('e:', {slot('position', plan.event_list)})"
    key = f"case when {is_newest} then concat('l:', position.key) else {late_key} end"
    shows = f"case when {is_newest} then 'le' else 'e' end"
    return _written(state, plan, "position", key, shows)


def of_backlog(state: DataFrame, plan: Plan) -> DataFrame:
    """Return the rows after a backlog: of each position, each bucket, and of rejects."""
    # What is not used is not kept, and the real-time query needs all of the state: so all is used.
    key = "case when position is null then null else concat('l:', newest.key) end"
    return _written(state, plan, "newest", key, "'l'")


def _written(state: DataFrame, plan: Plan, position: str, key: str, shows: str) -> DataFrame:
    bucket = "(unix_millis(bucket))"
    ring = f"({bucket} div {1000 * BUCKET_SECONDS}) % {plan.ring}"
    by_kind = {
        "l": ("positions", key, _position(plan, position, shows)),
        "b": ("buckets", f"concat('b:', key, '/', {ring})", _bucket(plan, bucket, ring)),
        "r": (
            "rejects",
            f"concat('P:', {slot('cause', plan.event_list)})",
            _row("rejects", plan, "cause", reason="cause.reason", value="cause.snippet"),
        ),
    }

    def case(part: int) -> str:
        whens = (f"when '{kind}' then {row[part]}" for kind, row in by_kind.items())
        return f"case kind {' '.join(whens)} end"

    topics = " ".join(
        f"when '{kind}' then {quoted(plan.out[row[0]])}" for kind, row in by_kind.items()
    )
    return state.selectExpr(
        f"case kind {topics} end as topic", f"{case(1)} as key", f"{case(2)} as value"
    )


def _position(plan: Plan, position: str, shows: str) -> str:
    names = (n for n in _COLUMNS["positions"] if n not in ("topic", "partition", "offset"))
    given = {name: f"{position}.{name}" for name in names}
    given.update(shows=shows, event_ts=f"{position}.at")
    return _row("positions", plan, position, **given)


def _bucket(plan: Plan, bucket: str, ring: str) -> str:
    return _row(
        "buckets",
        plan,
        "cause",
        symbol="cause.symbol",
        sourceSystem="cause.sourceSystem",
        ring=ring,
        bucket=bucket,
        trades="trades",
        px_sum="px_sum",
        qty_sum="qty_sum",
        notional="notional",
        first="first.price",
        firstTs="first.at",
        firstTie="first.tie",
        last="last.price",
        lastTs="last.at",
        lastTie="last.tie",
    )


def _row(changelog: str, plan: Plan, record: str, **given: str) -> str:
    values = {
        "topic": quoted(plan.topic),
        "partition": partition(record),
        "offset": offset(record),
        "ts": f"{record}.ts",
        **given,
    }
    return f"to_json(struct({columns(_COLUMNS[changelog], values)}))"
