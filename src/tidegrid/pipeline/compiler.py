"""Compiler: a declaration becomes one real-time query, as text with named steps.

Steps: `records`, `parsed`, `fields`, `checked` (see `decode`), `events` (derived columns, what is
used, what is deleted), `groups` (the groups that a record belongs to), `state` (one aggregation)
and `rows` (topic, key and value for Kafka). A long backlog is read by the same steps in bulk, up to
`state`, and other rows are made of it: each key once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import cast

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from tidegrid.contract.declaration.tables import lookups_of
from tidegrid.contract.declaration.types import AsOf, Flow, Join
from tidegrid.contract.layout import events_keep
from tidegrid.contract.receipts import Offsets, Receipt
from tidegrid.contract.views import Types
from tidegrid.pipeline import check, decode, fields, sql
from tidegrid.pipeline.backlog import Bulk
from tidegrid.pipeline.operators import lookup, unused
from tidegrid.pipeline.operators.alone import Alone
from tidegrid.pipeline.operators.buckets import Slices
from tidegrid.pipeline.operators.joined import MISSING, Joined
from tidegrid.pipeline.plan import Plan, lookup_of
from tidegrid.pipeline.query import QuerySpec

resolve = check.resolve


def spec(flow: Flow, birth: Receipt, out: Mapping[str, str], checkpoint: Path) -> QuerySpec:
    """Return the query of a generation; `out` is the topic of each changelog."""
    notes: list[str] = []
    expressions: dict[tuple[str, ...], str] = {}

    def query(spark: SparkSession, since: Offsets | None = None) -> Query:
        if not expressions:
            expressions.update(check.expressions(spark, flow))
        plan = Plan(
            flow,
            cast(Types, birth.types),
            expressions,
            out,
            int(birth.recipe["max_value_bytes"]),
            int(datetime.fromisoformat(birth.at).timestamp() * 1000),
            since or {},
        )
        return Query(plan, notes)

    tied = any(isinstance(v, Join | AsOf) for v in flow.views.values())
    bulk = Bulk(
        # Twice the list, for records that are rejects or gone from a compacted topic.
        2 * max([flow.rejects_keep, *(events_keep(flow, s) for s in flow.sources)]),
        rows=lambda raw, since: query(raw.sparkSession, since).backlog(raw),
        missing=MISSING if tied else "",
        rest=(lambda raw: query(raw.sparkSession).rest(raw)) if tied else None,
    )
    return QuerySpec(
        birth.flow,
        birth.generation,
        tuple(flow.topics.values()),
        json.dumps(birth.start),
        lambda raw: query(raw.sparkSession).rows(raw),
        checkpoint,
        bulk,
        notes,
        headers=check.uses_headers(flow),
    )


class Query:
    """The query of one plan, over the raw records of its sources."""

    def __init__(self, plan: Plan, notes: list[str]) -> None:
        self._plan = plan
        self._notes = notes
        families = list(enumerate(plan.layout.families))
        sources = plan.flow.sources
        self._alone = {n: Alone(plan, n, sources[f.parent]) for n, f in families if not f.children}
        self._joined = {n: Joined(plan, n, f) for n, f in families if f.children}
        self._slices = Slices(plan)

    def rows(self, raw: DataFrame) -> DataFrame:
        """Turn raw records into rows (topic, key, value) for Kafka, record by record."""
        state = self._state(raw)
        by_kind = {f"f{n}": one.row_of_record() for n, one in self._alone.items()}
        if not self._joined:
            return sql.run(self._one_each(by_kind), state=state)
        found = {"place": self._place()}
        for family in self._joined.values():
            found |= family.looked_up()
        arrays = {
            **{kind: _one(*row) for kind, row in by_kind.items()},
            **{f"f{n}": family.rows_of_record() for n, family in self._joined.items()},
        }
        return sql.run(self._several(found, arrays), state=state)

    def backlog(self, raw: DataFrame) -> DataFrame:
        """Return the rows of a backlog, and fill the state that `rows` goes on from."""
        state = self._state(raw)
        by_kind = {f"f{n}": one.row_of_backlog() for n, one in self._alone.items()}
        if not self._joined:
            return sql.run(self._one_each(by_kind), state=state).where("key IS NOT NULL")
        missing = " OR ".join(
            f"(kind = 'f{n}' AND {family.missing()})" for n, family in self._joined.items()
        )
        counted = state.observe(MISSING, F.expr(f"count_if({missing})").alias("parents"))
        arrays = {
            **{kind: _one(*row) for kind, row in by_kind.items()},
            **{f"f{n}": family.rows_of_backlog() for n, family in self._joined.items()},
        }
        # What is not used is not kept, and the real-time query needs all of the state, in its
        # order: so all is used. A condition and no filter, which Spark would move below the parser.
        used = f"xxhash64({', '.join([*self._aggregates, 'record', 'cause'])})"
        arrays = {
            kind: f"CASE WHEN {used} >= -{sql.LONG_MAX} - 1 THEN {rows} END"
            for kind, rows in arrays.items()
        }
        found = {f"keys_{n}": sql.inside(f"record.keys_{n}") for n in self._joined}
        found |= {f"parent_{n}": f"get(parents_{n}, 0)" for n in self._joined}
        return sql.run(self._several(found, arrays), state=counted)

    def rest(self, raw: DataFrame) -> DataFrame:
        """Return the rows of all children in a backlog, however quiet."""
        # No filter: Spark would move it below the parser, and parse each record once more for it.
        # What is no child makes one group, which makes no row.
        children = ", ".join(str(family.numbers[1]) for family in self._joined.values())
        is_child = f"CASE WHEN record.source IN ({children}) THEN"
        kept, keys, arrays = [], {}, {}
        for n, family in self._joined.items():
            kept.append(f"max({is_child} {family.event_of_rest()} END) AS event_{n}")
            kept.append(f"max({is_child} record.keys_{n} END) AS own_{n}")
            keys[f"keys_{n}"] = sql.inside(f"own_{n}")
            is_there = f"event_{n} IS NOT NULL"
            arrays[f"f{n}"] = f"array(CASE WHEN {is_there} THEN {family.row_of_rest()} END)"
        by = ", ".join(f"{is_child} record.child_{n} END" for n in self._joined)
        text = (
            f"SELECT {is_child} kind END AS kind, {is_child} key END AS key, {', '.join(kept)}, "
            # With a list Spark groups by hashing, and without one by sorting.
            "collect_list(CASE WHEN record IS NULL THEN 1 END) AS unused "
            f"FROM tidegrid_groups GROUP BY 1, 2, {by}"
        )
        newest = sql.run(text, groups=self._groups(raw)).drop("unused")
        return sql.run(self._several(keys, arrays, unused_too=False), state=newest)

    @property
    def _aggregates(self) -> dict[str, str]:
        found = dict(self._slices.state) if self._slices.views else {}
        for one in self._alone.values():
            found |= one.state
        for family in self._joined.values():
            found |= family.state
        return found

    def _state(self, raw: DataFrame) -> DataFrame:
        groups = self._groups(raw)
        keys = "kind, key"
        if self._slices.views:
            # The group of a key has no time, and so never ends.
            groups = groups.withWatermark("bucket", self._slices.watermark)
            keys += ", bucket"
        kept = {**self._aggregates, "record": "last(record)", "cause": "last(cause)"}
        made = ", ".join(f"{how} AS {name}" for name, how in kept.items())
        return sql.run(f"SELECT {keys}, {made} FROM tidegrid_groups GROUP BY {keys}", groups=groups)

    def _groups(self, raw: DataFrame) -> DataFrame:
        plan = self._plan
        tables = {}
        for name, declared in plan.flow.lookups.items():
            tables[name], problem = lookup.load(raw.sparkSession, declared)
            self._notes[:] = [n for n in self._notes if not n.startswith(f"lookup {name}:")]
            self._notes += [problem] if problem else []
        headers = check.uses_headers(plan.flow)
        named = {
            **decode.steps(
                plan.sources,
                plan.max_value_bytes,
                plan.born,
                headers=headers,
                clock=bool(self._slices.views),
            ),
            "events": self._events(),
        }
        frames = {f"lookup_{name}": frame for name, frame in tables.items()}
        return sql.run(sql.steps(named, self._grouped()), raw=raw, **frames)

    def _events(self) -> str:
        """Add derived and looked-up columns; say what is used and what takes its row away."""
        plan = self._plan
        more = "".join(
            f", CASE WHEN source = {n} AND reason IS NULL THEN {self._derived(s.name)} END "
            f"AS {sql.name(f'more_{s.name}')}"
            for n, s in enumerate(plan.sources)
            if s.columns
        )
        passed = fields.by_source(
            unused.is_used(s, plan.expression("sources", s.name, "where")) for s in plan.sources
        )
        gone = fields.by_source(
            _gone(s.kafka_key is not None, plan.expression("sources", s.name, "delete"))
            for s in plan.sources
        )
        lookups = [(s, name) for s in plan.sources for name in lookups_of(plan.flow, s.name)]
        joins, hints, columns = "", [], ""
        for source, name in lookups:
            table = lookup_of(source, name)
            on = plan.flow.lookups[name].on
            derived = plan.expression("sources", source.name, "columns", on)
            on = derived or f"{fields.of(source)}.{sql.name(on)}"
            joins += f" LEFT JOIN tidegrid_lookup_{name} AS {table} ON {on} = {table}.on"
            columns += f", {table}.columns AS {table}"
            hints.append(table)
        hint = f"/*+ BROADCAST({', '.join(hints)}) */ " if hints else ""
        used = f", reason IS NULL AND {passed} AS used" if plan.used == "used" else ""
        return f"SELECT {hint}checked.*{used}, {gone} AS gone{more}{columns} FROM checked{joins}"

    def _derived(self, source: str) -> str:
        plan, types = self._plan, self._plan.types[source]
        columns = {name: plan.expression("sources", source, "columns", name) for name in types}
        return sql.struct(check.as_wire(columns, types, plan.max_value_bytes))

    def _grouped(self) -> str:
        """Give each record to the groups it belongs to."""
        home = self._home()
        if not self._slices.views:
            columns = ", ".join(f"{text} AS {name}" for name, text in home.items())
            return f"SELECT {columns} FROM events"
        types = self._slices.columns
        nothing = {name: f"cast(null AS {kind})" for name, kind in types.items()}
        nothing |= {f"by_{n}": "null" for n in range(len(self._slices.views))}
        home = {**home, **nothing, "cause": home["cause"]}
        cause = sql.struct(unused.CAUSE)
        made = []
        for view in self._slices.views:
            counts, group = self._slices.groups(view)
            full = {**dict.fromkeys(home, "null"), **nothing, **group, "cause": cause}
            made.append(f"CASE WHEN {counts} THEN {_struct(full)} END")
        # `explode` would make each array twice: first to leave out empty ones. None is empty.
        groups = f"array({_struct(home)}, {', '.join(made)})"
        exploded = f"SELECT explode_outer(groups) AS g FROM (SELECT {groups} AS groups FROM events)"
        return f"SELECT g.* FROM ({exploded}) WHERE g.kind IS NOT NULL"

    def _home(self) -> dict[str, str]:
        """Return the group of a record by its key, or of one that is not used."""
        plan = self._plan
        kinds, keys = [], []
        brought: dict[str, dict[int, str]] = {}
        events: dict[str, str] = {}
        used = plan.used
        for number, source in enumerate(plan.sources):
            families = plan.layout.families
            n = next(n for n, family in enumerate(families) if source.name in family.sources)
            made = self._joined[n].group(source) if n in self._joined else self._alone[n].group()
            if n in self._joined:
                mine = f"CASE WHEN {used} AND source = {number} THEN"
                found = self._joined[n].events(source).items()
                events |= {name: f"{mine} {text} END" for name, text in found}
            kinds.append(f"'f{n}'")
            keys.append(made[0])
            for name, text in made[1].items():
                brought.setdefault(name, {})[number] = text
        record = {"at": "at", "id": "id", "ts": "ts", "source": "source"}
        if any(s.deletes for s in plan.sources):
            record["gone"] = "gone"
        for name, texts in brought.items():
            cases = " ".join(f"WHEN {number} THEN {text}" for number, text in texts.items())
            only = len(plan.sources) == 1
            record[name] = texts[0] if only else f"CASE source {cases} END"
        return {
            "kind": f"CASE WHEN {used} THEN {fields.by_source(kinds)} ELSE 'x' END",
            "key": f"CASE WHEN {used} THEN {fields.by_source(keys)} ELSE {unused.key(plan)} END",
            "record": f"CASE WHEN {used} THEN {sql.struct(record)} END",
            **events,
            "cause": f"CASE WHEN NOT {used} THEN {sql.struct(unused.CAUSE)} END",
        }

    def _place(self) -> str:
        """Return the end of a row that the record merged last caused."""
        topics = (sql.json_text(s.topic) for s in self._plan.sources)
        return sql.cause("record", fields.by_source(topics, "record.source"))

    def _topics(self, *, unused_too: bool) -> str:
        plan = self._plan
        names = [c.name for c in plan.layout.changelogs]
        found = {f"f{n}": names[n] for n in range(len(plan.layout.families))}
        found |= {f"b{n}": view.name for n, view in enumerate(self._slices.views)}
        cases = " ".join(f"WHEN '{k}' THEN {sql.literal(plan.out[n])}" for k, n in found.items())
        others = f" ELSE {unused.topic(plan)}" if unused_too else ""
        return f"CASE kind {cases}{others} END"

    def _one_each(self, by_kind: dict[str, tuple[str, str]]) -> str:
        """Return the rows where each group makes one."""
        made = {"x": unused.row(self._plan), **by_kind}
        made |= {f"b{n}": self._slices.row(v) for n, v in enumerate(self._slices.views)}
        key, value = (
            " ".join(f"WHEN '{kind}' THEN {row[part]}" for kind, row in made.items())
            for part in (0, 1)
        )
        topic = self._topics(unused_too=True)
        return (
            f"SELECT {topic} AS topic, CASE kind {key} END AS key, CASE kind {value} END AS value "
            "FROM tidegrid_state"
        )

    def _several(
        self, found: dict[str, str], by_kind: dict[str, str], *, unused_too: bool = True
    ) -> str:
        """Return the rows where a group may make several, with what they need of the state."""
        made = dict(by_kind)
        if unused_too:
            made["x"] = _one(*unused.row(self._plan))
            made |= {f"b{n}": _one(*self._slices.row(v)) for n, v in enumerate(self._slices.views)}
        columns = "".join(f", {text} AS {name}" for name, text in found.items())
        cases = " ".join(f"WHEN '{kind}' THEN {rows}" for kind, rows in made.items())
        # Computed before they are exploded: a projection is compiled, a generator is interpreted.
        arrays = (
            f"SELECT {self._topics(unused_too=unused_too)} AS topic, CASE kind {cases} END AS rows"
        )
        return (
            f"WITH looked_up AS (SELECT *{columns} FROM tidegrid_state), "
            f"made AS ({arrays} FROM looked_up), "
            "exploded AS (SELECT topic, explode_outer(rows) AS r FROM made) "
            "SELECT topic, r.key AS key, r.value AS value FROM exploded WHERE r.key IS NOT NULL"
        )


def _one(key: str, value: str) -> str:
    return f"array(struct({key} AS key, {value} AS value))"


def _struct(columns: Mapping[str, str]) -> str:
    return f"struct({', '.join(f'{text} AS {name}' for name, text in columns.items())})"


def _gone(tombstones: bool, delete: str) -> str:
    found = [*(["value IS NULL"] if tombstones else []), *([delete] if delete else [])]
    return f"coalesce({' OR '.join(found)}, false)" if found else "false"
