"""The positions flow, as the orchestrator sees it."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

from pyspark.sql import DataFrame

from tidegrid.contract.control import Build
from tidegrid.contract.receipts import Receipt
from tidegrid.contract.views import POSITIONS
from tidegrid.pipeline import backlog, history, positions
from tidegrid.pipeline.backlog import Backlog
from tidegrid.pipeline.flow import FORMAT, FlowPipeline
from tidegrid.pipeline.positions import Plan
from tidegrid.pipeline.query import QuerySpec
from tidegrid.settings import Settings


def _wanted(settings: Settings) -> Build:
    return Build(settings.sources("positions"), "", "earliest")


def _recipe(settings: Settings) -> dict[str, str]:
    chosen = settings.positions
    return {
        "format": FORMAT,
        "encoding": chosen.encoding,
        "event_list": str(chosen.event_list),
        "keys": ",".join(chosen.key_columns),
        "window": str(chosen.kpi_long_seconds),
        "history": settings.history,
        "max_value_bytes": str(settings.pipeline.max_value_bytes),
        "shuffle_partitions": str(settings.pipeline.shuffle_partitions),
    }


def _query(receipt: Receipt, out: dict[str, str], checkpoint: Path) -> QuerySpec:
    recipe = receipt.recipe
    plan = Plan(
        topic=receipt.sources["positions"],
        encoding=recipe["encoding"],
        keys=tuple(recipe["keys"].split(",")),
        event_list=int(recipe["event_list"]),
        max_value_bytes=int(recipe["max_value_bytes"]),
        window=int(recipe["window"]),
        born=int(datetime.fromisoformat(receipt.at).timestamp() * 1000),
        out=out,
    )
    notes: list[str] = []

    def symbols(raw: DataFrame) -> DataFrame:
        found, problem = history.load(raw.sparkSession, recipe["history"])
        notes[:] = [problem] if problem else []
        return found

    until = backlog.until(receipt.start, receipt.end, 2 * plan.event_list)
    bulk = None
    if until is not None:
        bulk = Backlog(
            receipt.start, until, rows=lambda raw: positions.backlog(raw, symbols(raw), plan)
        )
    return QuerySpec(
        receipt.flow,
        receipt.generation,
        (plan.topic,),
        json.dumps(receipt.start),
        lambda raw: positions.rows(raw, symbols(raw), plan),
        checkpoint,
        bulk,
        notes,
    )


FLOW = FlowPipeline(POSITIONS, _wanted, _recipe, _query)
