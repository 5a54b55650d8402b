"""What `tidegrid swap` says."""

from __future__ import annotations

from dataclasses import replace

from tidegrid.contract.receipts import Receipt
from tidegrid.stack import swap

BIRTH = Receipt(
    "customers",
    2,
    "building",
    "2026-01-01T00:00:00.000+00:00",
    sources={"users": "u2", "accounts": "a2"},
    start={"u2": {"0": 5}, "a2": {"0": 0}},
    end={"u2": {"0": 10}, "a2": {"0": 2000}},
)


def test_a_receipt_is_one_line() -> None:
    assert swap.describe(BIRTH) == "generation 2: building from u2, a2, 2,005 records to catch up"
    caught_up = replace(BIRTH, state="caught-up", rows={"users_ui": 7}, before={"users_ui": 1500})
    assert swap.describe(caught_up).endswith("rows before -> after: users_ui 1,500 -> 7")
    refused = Receipt("customers", 0, "refused", "", control=3, reason="not JSON")
    assert swap.describe(refused) == "refused: not JSON"
