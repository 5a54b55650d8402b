"""What `tidegrid plan` says would change, and how `tidegrid flows` lists flows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tidegrid.contract import declaration
from tidegrid.contract.control import Build
from tidegrid.contract.receipts import FORMAT, Ledger, Receipt
from tidegrid.stack import flows, plan

SOURCE: dict[str, Any] = {
    "topic": "shop.orders",
    "key": ["id"],
    "fields": {"id": "string", "amount": "double"},
    "columns": {"net": "amount / 1.2"},
}
ORDERS: dict[str, Any] = {
    "title": "Orders",
    "sources": {"orders": SOURCE},
    "views": {"orders_live": {"latest": "orders"}},
    "screens": {
        "held": {"totals": "orders_live", "by": ["id"], "sum": ["amount"], "hidden": True},
        "best": {"top": "held", "by": "amount"},
    },
}
BIRTH = Receipt(
    "orders",
    3,
    "building",
    "",
    sources={"orders": "shop.orders"},
    join="",
    recipe={"format": FORMAT},
    declaration=ORDERS,
    types={"orders": {"net": "double"}},
)


def changes(document: dict[str, Any], before: Receipt | None = BIRTH) -> list[str]:
    flow = declaration.parse(document, "orders")
    wanted = Build(document, flow.topics, flow.join)
    return [" ".join(line.split()) for line in plan.changes(before, wanted, flow)]


def source(**more: Any) -> dict[str, Any]:
    return {**ORDERS, "sources": {"orders": {**SOURCE, **more}}}


def test_a_new_flow_has_new_tables_and_topics() -> None:
    found = changes(ORDERS, None)
    assert found[0] == "topic orders: (new) -> shop.orders"
    assert found[1].startswith(
        "table orders_live: new, with id (string), amount (double), net (type found when applied)"
    )
    # Tables that are hidden are nobody's business.
    assert [line.split(":")[0] for line in found] == [
        "topic orders",
        "table orders_live",
        "table best",
    ]


def test_what_changes_is_named_and_nothing_else() -> None:
    assert changes(ORDERS) == ["tables all keep their columns"]
    assert changes({**ORDERS, "title": "Others"}) == ["tables all keep their columns"]
    assert changes(source(topic="shop.v2"))[0] == "topic orders: shop.orders -> shop.v2"
    fields = {"id": "string", "amount": "long", "channel": "string"}
    both = "+ channel (string), amount double -> long"
    assert changes(source(fields=fields)) == [f"table orders_live: {both}"]
    without = {**source(columns={}), "screens": {}}
    assert changes(without) == ["table orders_live: - net", "table best: gone"]
    turned = source(fields={"amount": "double", "id": "string"})
    assert changes(turned)[0] == "table orders_live: other order"


def test_the_type_of_a_column_is_known_as_long_as_its_expression_stays() -> None:
    other = changes(source(columns={"net": "round(amount)"}))
    assert other[0] == "table orders_live: net double -> type found when applied"
    more = changes(source(columns={**SOURCE["columns"], "gross": "amount * 2"}))
    assert more[0] == "table orders_live: + gross (type found when applied)"


def test_a_flow_is_listed_with_what_runs_of_it() -> None:
    flow = declaration.parse(ORDERS, "orders")
    below = ["  topics  orders = shop.orders", "  tables  orders_live, best"]
    assert flows.listed({"orders": flow}, Ledger()) == ["orders: Orders, not running", *below]
    live = Ledger([BIRTH, replace(BIRTH, state="live"), replace(BIRTH, generation=4)])
    assert flows.listed({"orders": flow}, live) == ["orders: Orders, live, generation 3", *below]
