"""The positions flow: the newest event of each position, and buckets of trades per symbol.

One query reads the source: it decodes, rejects, enriches with the history of symbols, and groups
each event twice: by the position it is about, where the newest by `event_ts` counts, and by symbol,
source system and five seconds of event time, where trades are counted and summed.

Guarantees: every source record causes at least one row, except one in the backlog whose row a newer
one replaces; the values of a row are a function of the set of records merged.
State is bounded: one entry for each position, and the buckets of the longest window, which the
watermark removes.
What callers get wrong: an event that is older than the longest window when it comes, or more than a
minute ahead of the clock, is in no bucket; it is still the newest event of its position.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from tidegrid.contract import sources
from tidegrid.contract.sources import JSON_NAMES, MOST_AHEAD, Source
from tidegrid.contract.views import BUCKET_SECONDS, POSITION_KEYS
from tidegrid.pipeline import decode, position_rows, times
from tidegrid.pipeline.records import TIE, TS

#: An event this much ahead of its arrival is a matter of clocks, and so is an arrival this much
#: ahead of our clock; what is further ahead would move the watermark over events that are right.
_AHEAD = 60_000
#: Epoch milliseconds at the moment, for each record: Spark's own clock stands still in a batch.
_CLOCK = "cast(java_method('java.lang.System', 'currentTimeMillis') as bigint)"


@dataclass(frozen=True)
class Plan:
    """What one generation reads and writes."""

    topic: str
    encoding: str
    keys: tuple[str, ...]
    event_list: int
    max_value_bytes: int
    #: The longest window that is looked at, in seconds.
    window: int
    #: When the generation was begun, in epoch milliseconds: what is older than the window then is
    #: in no bucket.
    born: int
    #: Topic by changelog name.
    out: dict[str, str]

    @property
    def source(self) -> Source:
        """What the records look like."""
        return sources.positions(self.keys)

    @property
    def ring(self) -> int:
        """How many buckets of a symbol are kept: some more than the window has."""
        return (self.window + 300) // BUCKET_SECONDS


def rows(raw: DataFrame, history: DataFrame, plan: Plan) -> DataFrame:
    """Turn raw records into rows (topic, key, value) for Kafka."""
    return position_rows.of_record(_state(raw, history, plan), plan)


def backlog(raw: DataFrame, history: DataFrame, plan: Plan) -> DataFrame:
    """Return the rows of a backlog, and fill the state that `rows` goes on from."""
    return position_rows.of_backlog(_state(raw, history, plan), plan)


def _state(raw: DataFrame, history: DataFrame, plan: Plan) -> DataFrame:
    return (
        _grouped(_events(raw, history, plan), plan)
        # The group of a position has no time, and so never ends.
        .withWatermark("bucket", f"{plan.window + 2 * _AHEAD // 1000} seconds")
        .groupBy("kind", "key", "bucket")
        .agg(
            F.expr("max(position)").alias("newest"),
            F.expr("count(price)").alias("trades"),
            F.expr("sum(price)").alias("px_sum"),
            F.expr("sum(qty)").alias("qty_sum"),
            F.expr("sum(price * qty)").alias("notional"),
            F.expr("min(deal)").alias("first"),
            F.expr("max(deal)").alias("last"),
            F.expr("last(position)").alias("position"),
            F.expr("last(cause)").alias("cause"),
        )
    )


def _events(raw: DataFrame, history: DataFrame, plan: Plan) -> DataFrame:
    """Decode the records and say what is wrong with those that cannot be used."""
    source = plan.source
    text = decode.text("value", plan.encoding)
    # Each step copies a record: as few as there are things to be worked out only once.
    parsed = raw.selectExpr(
        "partition",
        "offset",
        "value",
        f"{TS} as ts",
        f"{TIE} as tie",
        f"{text} as json",
        f"{decode.parse(text, source)} as p",
    ).selectExpr(
        "*",
        # What wrote the record may have a clock that is fast.
        f"case when ts > {plan.born} then least(ts, {_CLOCK} + {_AHEAD}) else {plan.born} end "
        "as seen",
        f"{times.nanos('p.event_ts')} as event_ts",
        f"{times.nanos('p.event_time')} as event_time",
        "upper(coalesce(p.op, 'U')) as op",
    )
    at = f"coalesce(event_ts, event_time, ts * {times.NANOS_PER_MILLI})"
    ahead = {"event_ts": "event_ts", "event_time": "event_time", "timestamp": at}
    limit = plan.max_value_bytes
    latest = f"(seen + {MOST_AHEAD}) * {times.NANOS_PER_MILLI}"
    wrong = {
        "op not in ('I', 'U', 'D')": "concat('op: expected I, U or D, got ', left(op, 20))",
        "p.event_ts is not null and event_ts is null": "'event_ts: not a time'",
        "p.event_time is not null and event_time is null": "'event_time: not a time'",
        **{
            f"{time} > {latest}": f"'{name}: more than a day in the future'"
            for name, time in ahead.items()
        },
    }
    good = decode.clearly_good("value", "json", "p", source, limit)
    also_good = " and ".join(f"not ({condition})" for condition in wrong)
    why = decode.reason("value", "json", "p", source, plan.encoding, limit)
    also_why = " ".join(f"when {condition} then {text}" for condition, text in wrong.items())
    symbol = "case when trim(p.symbol) <> '' then trim(p.symbol) end"
    checked = parsed.selectExpr(
        "*",
        f"case when not ({good} and {also_good}) "
        f"then coalesce({why}, case {also_why} end) end as reason",
        f"{symbol} as symbol",
        f"{at} as at",
    )
    return checked.join(F.broadcast(history), "symbol", "left")


def _grouped(events: DataFrame, plan: Plan) -> DataFrame:
    """Give each event to the groups it belongs to; bad ones to as many as their list is long."""
    texts = {name: f"p.{JSON_NAMES.get(name, name)}" for name in POSITION_KEYS}
    texts.update({name: f"trim({texts[name]})" for name in plan.keys})
    texts["symbol"] = "symbol"
    system = texts["sourceSystem"] = "nullif(trim(p._source_system), '')"
    # Each part with its length before it, so that no two keys look the same.
    parts = (f"length({texts[name]}), ':', {texts[name]}" for name in plan.keys)
    key = texts[plan.keys[0]] if len(plan.keys) == 1 else f"concat({', '.join(parts)})"
    position = (
        f"struct(at, tie, ts, op, {key} as key, "
        f"{', '.join(f'{text} as {name}' for name, text in texts.items())}, "
        "p.price as price, p.qty as qty, p.pnl as pnl, p.mtm as mtm, event_time, sector, exchange)"
    )
    bucket = f"(at div {times.NANOS_PER_MILLI} div {1000 * BUCKET_SECONDS})"
    start = f"timestamp_millis({bucket} * {1000 * BUCKET_SECONDS})"
    oldest = f"(seen - {1000 * plan.window + _AHEAD}) * {times.NANOS_PER_MILLI}"
    newest = f"(seen + {_AHEAD}) * {times.NANOS_PER_MILLI}"
    deal = (
        "reason is null and op <> 'D' and symbol is not null and p.price is not null "
        f"and p.qty is not null and at between {oldest} and {newest}"
    )
    about = (
        f"struct(tie, ts, symbol, {system} as sourceSystem, reason, "
        f"case when reason is not null then {decode.snippet('value')} end as snippet)"
    )
    by_position = _group(
        kind="case when reason is null then 'l' else 'r' end",
        key=f"case when reason is null then {key} "
        f"else concat_ws('/', partition, offset % {plan.event_list}) end",
        position=f"case when reason is null then {position} end",
        # A position says itself where it came from.
        cause=f"case when reason is not null then {about} end",
    )
    by_time = _group(
        kind="'b'",
        key=f"concat(length(symbol), ':', symbol, coalesce({system}, ''))",
        bucket=start,
        price="p.price",
        qty="p.qty",
        deal="struct(at, tie, p.price as price)",
        cause=about,
    )
    both = f"case when {deal} then array({by_position}, {by_time}) else array({by_position}) end"
    # No array is empty. `explode` would still make each one twice: first to leave out empty ones.
    exploded = events.selectExpr(f"{both} as groups").selectExpr("explode_outer(groups) as g")
    return exploded.selectExpr("g.*")


_GROUP = {
    "kind": "string",
    "key": "string",
    "bucket": "timestamp",
    "position": "",
    "price": "double",
    "qty": "double",
    "deal": "struct<at: bigint, tie: bigint, price: double>",
    "cause": "",
}


def _group(**given: str) -> str:
    values = (
        f"{given.get(name) or (f'cast(null as {kind})' if kind else 'null')} as {name}"
        for name, kind in _GROUP.items()
    )
    return f"struct({', '.join(values)})"
