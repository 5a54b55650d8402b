"""Status: what the receipts say of generations, in words."""

from __future__ import annotations

from dataclasses import replace

from tidegrid.contract.receipts import Ledger, Receipt
from tidegrid.stack import status

AT = "2026-01-01T00:00:00.000+00:00"
FIRST = Receipt("orders", 1, "building", AT, sources={"orders": "shop.orders"})


def after(*receipts: Receipt) -> tuple[list[str], bool]:
    return status.generations(Ledger(receipts))


def test_a_running_generation_says_what_it_reads() -> None:
    (line,), well = after(FIRST)
    assert "orders 1" in line
    assert "building" in line
    assert "shop.orders" in line
    assert well


def test_a_flow_whose_only_generation_failed_is_told_and_not_well() -> None:
    (line,), well = after(FIRST, replace(FIRST, state="failed", reason="no such column"))
    assert "failed" in line
    assert "no such column" in line
    assert not well


def test_a_failed_swap_is_told_and_what_runs_is_well() -> None:
    live = [replace(FIRST, state=state) for state in ("building", "caught-up", "live")]
    second = replace(FIRST, generation=2)
    lines, well = after(*live, second, replace(second, state="failed", reason="gone"))
    assert [line.split()[2] for line in lines] == ["live", "failed"]
    assert well
    # Once another one runs, the failure is history.
    assert (
        len(after(*live, second, replace(second, state="failed"), replace(FIRST, generation=3))[0])
        == 2
    )
