"""A declared flow as Spark runs it, over a few records at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from pyspark.sql import DataFrame, Row, SparkSession

import tidegrid
from tidegrid.contract.declaration import parse
from tidegrid.contract.declaration.files import documents
from tidegrid.contract.declaration.types import Flow
from tidegrid.contract.views import SHOWS, Layout, Types
from tidegrid.pipeline import check, compiler, decode, fields, reasons, sql
from tidegrid.pipeline.plan import Plan

SHIPPED = Path(tidegrid.__file__).parent / "flows"


def shipped(name: str, **values: str) -> dict[str, Any]:
    """Return the document of a flow that ships, with values for its placeholders."""
    return documents([SHIPPED], [], {"home": "/nowhere", **values})[name]


@dataclass
class Compiled:
    """A flow, compiled; its rows by changelog, each as the JSON it is."""

    flow: Flow
    query: compiler.Query
    plan: Plan
    notes: list[str] = field(default_factory=list)

    @property
    def layout(self) -> Layout:
        """The changelogs and views of the flow."""
        return self.plan.layout

    def rows(self, raw: DataFrame) -> dict[str, list[dict[str, Any]]]:
        """Return what the real-time query writes."""
        return self._written(self.query.rows(raw))

    def backlog(self, raw: DataFrame) -> dict[str, list[dict[str, Any]]]:
        """Return what is written of a backlog, read in bulk."""
        return self._written(self.query.backlog(raw))

    def rest(self, raw: DataFrame) -> dict[str, list[dict[str, Any]]]:
        """Return what a second pass over a backlog writes."""
        return self._written(self.query.rest(raw))

    def shown(self, row: Mapping[str, Any]) -> set[str]:
        """Return the views that a row is for."""
        return {v.name for v in self.layout.views if v.letter and v.letter in row[SHOWS]}

    def checked(self, raw: DataFrame) -> list[Row]:
        """Return the records as decoded, with the reason against each, in their order."""
        text = sql.steps(self._steps(), "SELECT * FROM checked ORDER BY id")
        return list(sql.run(text, raw=raw).collect())

    def quick(self, raw: DataFrame) -> list[bool]:
        """Return of each record, in their order, whether it is seen to be right at little cost."""
        steps = self._steps()
        del steps["checked"]
        tests = (reasons.plainly_right(s, self.plan.max_value_bytes) for s in self.plan.sources)
        text = f"SELECT {fields.by_source(tests)} FROM {list(steps)[-1]} ORDER BY id"  # noqa: S608
        return [row[0] for row in sql.run(sql.steps(steps, text), raw=raw).collect()]

    def _steps(self) -> dict[str, str]:
        plan = self.plan
        return decode.steps(
            plan.sources, plan.max_value_bytes, plan.born, headers=False, clock=True
        )

    def _written(self, frame: DataFrame) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = {c.name: [] for c in self.layout.changelogs}
        for row in frame.collect():
            found[row["topic"]].append(json.loads(row["value"]))
        return found


def compiled(
    spark: SparkSession, document: dict[str, Any], name: str = "tested", born: int = 0
) -> Compiled:
    """Compile a document; the topic of a changelog is its name."""
    flow = parse(document, name)
    types = cast(Types, compiler.resolve(spark, flow))
    out = {c.name: c.name for c in Plan(flow, types, {}, {}, 0, 0).layout.changelogs}
    plan = Plan(flow, types, check.expressions(spark, flow), out, 65536, born)
    notes: list[str] = []
    return Compiled(flow, compiler.Query(plan, notes), plan, notes)
