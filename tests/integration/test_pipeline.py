"""From source records to changelog rows, through a real broker and real Spark."""

from __future__ import annotations

import time
from typing import Any

from tests.support.stack import Stack, eventually
from tidegrid.contract.views import ALONE_GONE


def now() -> int:
    return int(time.time() * 1000)


def joined_rows(stack: Stack, user_id: str) -> dict[str, dict[str, Any]]:
    """Return the joined rows of a user by account type, put together as the tables do."""
    found: dict[str, dict[str, Any]] = {}
    for row in stack.rows_of("final_ui", [user_id]):
        known = found.setdefault(row.get("accountType", ""), {})
        for first, second, names in (
            ("tg_users_ts", "tg_users_id", (ALONE_GONE, "name", "tg_users_ts", "tg_users_id")),
            ("tg_accounts_ts", "tg_accounts_id", ("balance", "tg_accounts_ts", "tg_accounts_id")),
        ):
            version = (row.get(first, -1), row.get(second, -1))
            if version >= (known.get(first, -1), known.get(second, -1)):
                known.update({n: row.get(n, -1) for n in names})
    return {k: r for k, r in found.items() if r[ALONE_GONE] == -1 and r["tg_users_ts"] != -1}


def test_a_user_shows_with_its_newest_version_even_if_an_older_one_comes_later(
    stack: Stack,
) -> None:
    at = now()
    stack.produce("users", {"userId": "late-1", "name": "new", "age": 40}, at=at + 20)
    stack.produce("users", {"userId": "late-1", "name": "old"}, at=at)
    stack.flush()
    rows = eventually("two rows", lambda: _at_least(stack.rows_of("users_ui", ["late-1"]), 2))
    assert [r["name"] for r in rows] == ["new", "new"]
    assert rows[0]["age"] == 40
    events = stack.rows_of("user", ["late-1"])
    assert [e["name"] for e in events] == ["new", "old"]


def test_a_user_with_three_accounts_is_three_rows_and_a_new_name_shows_on_all(
    stack: Stack,
) -> None:
    stack.produce("users", {"userId": "three", "name": "Ann"})
    for account_type in ("CHK", "SAV", "BRK"):
        stack.produce("accounts", {"userId": "three", "accountType": account_type, "balance": 1.5})
    stack.produce("users", {"userId": "three", "name": "Ann Lee"})
    stack.flush()

    def joined() -> dict[str, dict[str, Any]] | None:
        rows = joined_rows(stack, "three")
        return rows if [r["name"] for r in rows.values()] == ["Ann Lee"] * 3 else None

    rows = eventually("three joined rows with the new name", joined)
    assert set(rows) == {"CHK", "SAV", "BRK"}
    assert {r["balance"] for r in rows.values()} == {1.5}


def test_a_user_alone_is_one_row_that_goes_away_with_the_first_account(stack: Stack) -> None:
    stack.produce("users", {"userId": "alone", "name": "Solo"})
    stack.flush()
    rows = eventually("the lone row", lambda: stack.rows_of("final_ui", ["alone"]))
    assert [(r.get("accountType", ""), r["name"]) for r in rows] == [("", "Solo")]
    stack.produce("accounts", {"userId": "alone", "accountType": "CHK", "balance": 3})
    stack.flush()

    def joined() -> bool:
        return set(joined_rows(stack, "alone")) == {"CHK"}

    eventually("only the joined row", joined)


def test_a_new_name_shows_on_a_quiet_account_that_busy_ones_pushed_out_of_the_history(
    stack: Stack,
) -> None:
    stack.produce("users", {"userId": "busy", "name": "old"})
    stack.produce("accounts", {"userId": "busy", "accountType": "QUIET", "balance": 1})
    for balance in range(40):
        stack.produce("accounts", {"userId": "busy", "accountType": "BUSY", "balance": balance})
    stack.flush()
    eventually("the busy account", lambda: _at_least(stack.rows_of("accounts_ui", ["busy"]), 41))
    stack.produce("users", {"userId": "busy", "name": "new"})
    stack.flush()

    def renamed() -> dict[str, dict[str, Any]] | None:
        rows = joined_rows(stack, "busy")
        return rows if [r["name"] for r in rows.values()] == ["new", "new"] else None

    rows = eventually("the new name on both", renamed)
    assert {kind: r["balance"] for kind, r in rows.items()} == {"QUIET": 1, "BUSY": 39}


def test_an_account_with_no_user_waits_for_it(stack: Stack) -> None:
    stack.produce("accounts", {"userId": "early", "accountType": "CHK", "balance": 7})
    stack.flush()
    eventually("the account", lambda: stack.rows_of("accounts_ui", ["early"]))
    assert joined_rows(stack, "early") == {}
    stack.produce("users", {"userId": "early", "name": "Now here"})
    stack.flush()
    rows = eventually("the joined row", lambda: joined_rows(stack, "early"))
    assert rows["CHK"]["name"] == "Now here"
    assert rows["CHK"]["balance"] == 7


def test_the_as_of_join_is_right_for_accounts_out_of_order_and_corrected_by_late_users(
    stack: Stack,
) -> None:
    at = now()
    user, account = "asof", {"userId": "asof", "accountType": "CHK"}
    stack.produce("users", {"userId": user, "name": "v1"}, at=at)
    stack.produce("users", {"userId": user, "name": "v3"}, at=at + 30)
    stack.flush()
    eventually("both versions", lambda: _at_least(stack.rows_of("users_ui", [user]), 2))
    stack.produce("accounts", {**account, "balance": 1}, at=at + 10)
    stack.produce("accounts", {**account, "balance": 4}, at=at + 40)
    stack.produce("accounts", {**account, "balance": 2}, at=at + 25)
    stack.produce("accounts", {**account, "balance": 0}, at=at - 5)
    stack.flush()
    eventually("four events", lambda: _at_least(stack.rows_of("user_account", [user]), 4))

    def as_of() -> dict[float, str | None]:
        newest: dict[float, tuple[int, str | None]] = {}
        for row in stack.rows_of("user_account", [user]):
            version = (row.get("tg_users_ts", -1), row.get("name"))
            if version[0] >= newest.get(row["balance"], (-2, None))[0]:
                newest[row["balance"]] = version
        return {balance: name for balance, (_, name) in newest.items()}

    assert as_of() == {0: None, 1: "v1", 2: "v1", 4: "v3"}
    stack.produce("users", {"userId": user, "name": "v2, late"}, at=at + 20)
    stack.flush()
    wanted = {0: None, 1: "v1", 2: "v2, late", 4: "v3"}
    eventually("the correction of one row alone", lambda: as_of() == wanted)


def test_every_row_names_the_record_that_caused_it(stack: Stack) -> None:
    stack.produce("accounts", {"userId": "cause", "accountType": "CHK", "balance": 1})
    stack.flush()
    row = eventually("the row", lambda: stack.rows_of("accounts_ui", ["cause"]))[0]
    assert row["topic"] == "accounts"
    assert row["partition"] in (0, 1)
    assert row["offset"] >= 0


def _at_least(rows: list[dict[str, Any]], count: int) -> list[dict[str, Any]] | None:
    return rows if len(rows) >= count else None
