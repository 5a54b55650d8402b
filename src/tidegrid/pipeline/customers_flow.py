"""The customers flow, as the orchestrator sees it."""

from __future__ import annotations

import json
from pathlib import Path

from tidegrid.contract.control import Build
from tidegrid.contract.receipts import Receipt
from tidegrid.contract.views import CUSTOMERS
from tidegrid.pipeline import backlog, customers
from tidegrid.pipeline.backlog import Backlog
from tidegrid.pipeline.customer_rows import MISSING, Plan
from tidegrid.pipeline.flow import FORMAT, FlowPipeline
from tidegrid.pipeline.query import QuerySpec
from tidegrid.settings import Settings


def _wanted(settings: Settings) -> Build:
    return Build(settings.sources("customers"), settings.customers.join, "earliest")


def _recipe(settings: Settings) -> dict[str, str]:
    chosen = settings.customers
    return {
        "format": FORMAT,
        "encoding": chosen.encoding,
        "event_list": str(chosen.event_list),
        "as_of_depth": str(chosen.as_of_depth),
        "max_value_bytes": str(settings.pipeline.max_value_bytes),
        "shuffle_partitions": str(settings.pipeline.shuffle_partitions),
    }


def _query(receipt: Receipt, out: dict[str, str], checkpoint: Path) -> QuerySpec:
    plan = Plan(
        users_topic=receipt.sources["users"],
        accounts_topic=receipt.sources["accounts"],
        join=receipt.join,
        encoding=receipt.recipe["encoding"],
        event_list=int(receipt.recipe["event_list"]),
        as_of_depth=int(receipt.recipe["as_of_depth"]),
        max_value_bytes=int(receipt.recipe["max_value_bytes"]),
        out=out,
    )
    # Twice the list, for records that are rejects or gone from a compacted topic.
    until = backlog.until(receipt.start, receipt.end, 2 * plan.event_list)
    bulk = None
    if until is not None:
        bulk = Backlog(
            receipt.start,
            until,
            rows=lambda raw: customers.backlog(raw, plan),
            missing=MISSING,
            rest=lambda raw: customers.backlog_accounts(raw, plan),
        )
    return QuerySpec(
        receipt.flow,
        receipt.generation,
        (plan.users_topic, plan.accounts_topic),
        json.dumps(receipt.start),
        lambda raw: customers.rows(raw, plan),
        checkpoint,
        bulk,
    )


FLOW = FlowPipeline(CUSTOMERS, _wanted, _recipe, _query)
