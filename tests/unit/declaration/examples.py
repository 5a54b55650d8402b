"""Small declarations to begin with, and what is said about a changed one."""

from __future__ import annotations

import copy
from typing import Any

from tidegrid.contract.declaration import DeclarationError, parse

Document = dict[str, Any]

ORDERS: Document = {
    "sources": {
        "orders": {
            "topic": "shop.orders",
            "key": ["orderId"],
            "time": ["at"],
            "fields": {
                "orderId": "string",
                "customerId": "string",
                "channel": "string",
                "amount": "double",
                "paid": "boolean",
                "at": "time",
            },
            "columns": {"net": "amount / 1.2"},
        },
        "customers": {
            "topic": "shop.customers",
            "key": ["customerId"],
            "fields": {"customerId": "string", "name": "string"},
        },
    },
    "views": {
        "orders_live": {"latest": "orders"},
        "order_events": {"events": "orders"},
        "customers_live": {"latest": "customers"},
        "sliced": {
            "buckets": "orders",
            "by": ["channel"],
            "every": "5s",
            "keep": "15m",
            "count": "n",
            "sum": {"revenue": "net"},
            "first": {"opening": "amount"},
        },
    },
    "screens": {
        "recent": {"window": "sliced", "over": "5m"},
        "best": {"top": "orders_live", "by": "amount"},
        "sums": {"totals": "orders_live", "by": ["channel"], "sum": ["amount"]},
        "named": {"left_join": ["orders_live", "customers_live"], "on": "customerId"},
    },
}
FAMILY: Document = {
    "sources": {
        "users": {
            "topic": "users",
            "key": ["userId"],
            "fields": {"userId": "string", "name": "string"},
        },
        "accounts": {
            "topic": "accounts",
            "key": ["userId", "kind"],
            "fields": {"userId": "string", "kind": "string", "balance": "double"},
        },
    },
    "views": {
        "both": {"join": ["users", "accounts"]},
        "then": {"as_of": ["users", "accounts"]},
    },
}
#: Takes a key away.
GONE = object()


def changed(document: Document, *changes: tuple[str, object]) -> Document:
    """Return a copy with other values at some places, such as `views.orders_live.latest`."""
    found = copy.deepcopy(document)
    for place, value in changes:
        *above, last = place.split(".")
        table = found
        for key in above:
            table = table.setdefault(key, {})
        if value is GONE:
            del table[last]
        else:
            table[last] = value
    return found


def said(document: Document, name: str = "shop", *, lenient: bool = False) -> list[str]:
    """Return what is said about a document, a line for each problem."""
    try:
        parse(document, name, "f.toml", lenient=lenient)
    except DeclarationError as e:
        return str(e).splitlines()
    return []
