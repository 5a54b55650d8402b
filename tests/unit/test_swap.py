"""What `tidegrid swap` and `tidegrid rollback` say, and which messages of a burst count."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tidegrid.contract import declaration
from tidegrid.contract.health import SECOND, Health, Reports
from tidegrid.contract.messages import Apply, Remove, Request, Rollback, Swap
from tidegrid.contract.receipts import Ledger, Receipt
from tidegrid.errors import SettingsError, SwapError
from tidegrid.pipeline.swaps import superseded
from tidegrid.settings import Settings
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


def test_it_says_which_part_is_waited_for() -> None:
    reports = Reports()

    def after(part: str, at: float, state: str = "running", detail: str = "") -> str:
        reports.take(Health(part, at, state, detail=detail))
        return swap.waiting(reports, None, 100)

    assert "no pipeline is running" in swap.waiting(reports, None, 100)
    assert "no pipeline is running" in after("pipeline", 91)
    assert "the second one takes over" in after(SECOND, 99)
    assert "no tables are running" in after("pipeline", 99)
    assert after("tables", 99) == "waiting for the pipeline"
    assert after("pipeline", 99.5, "restarting", "out of disk") == (
        "waiting for the pipeline; pipeline restarting: out of disk"
    )


def lingers(flow: str) -> list[Receipt]:
    return [replace(BIRTH, flow=flow, state=state) for state in ("building", "live", "lingering")]


def test_a_rollback_is_of_the_only_flow_that_can_go_back() -> None:
    one = Ledger([*lingers("customers"), replace(BIRTH, flow="orders")])
    assert swap.rollback(one, None) == {"action": "rollback", "flow": "customers"}
    assert swap.rollback(one, "orders") == {"action": "rollback", "flow": "orders"}
    with pytest.raises(SwapError, match="no earlier generation lingers"):
        swap.rollback(Ledger([BIRTH]), None)
    both = Ledger([*lingers("customers"), *lingers("orders")])
    with pytest.raises(SettingsError, match="--flow: customers, orders"):
        swap.rollback(both, None)


DOCUMENT = Settings().declared()["customers"]
APPLY = Apply("customers", DOCUMENT, declaration.parse(DOCUMENT, "customers"))
USERS, ACCOUNTS = (Swap("customers", {name: "x"}) for name in ("users", "accounts"))
OTHER = Swap("positions", {"positions": "x"})


@pytest.mark.parametrize(
    ("burst", "wanted"),
    [
        ([USERS, ACCOUNTS, USERS], {0: 2, 1: 2}),
        ([USERS, OTHER], {}),
        ([USERS, APPLY], {0: 1}),
        # A swap changes only some of what was applied.
        ([APPLY, USERS], {}),
        ([APPLY, APPLY, USERS, ACCOUNTS], {0: 1, 2: 3}),
        ([APPLY, USERS, OTHER, Remove("customers")], {0: 3, 1: 3}),
        ([Rollback("customers"), USERS, Rollback("customers")], {}),
    ],
)
def test_of_a_burst_the_last_message_of_a_flow_counts(
    burst: list[Request], wanted: dict[int, int]
) -> None:
    assert superseded(list(enumerate(burst))) == wanted
