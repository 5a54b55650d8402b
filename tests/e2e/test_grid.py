"""What a viewer can do with a grid, against the real thing. The console must stay silent."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import sign_in
from tests.support.stack import PSK, Stack, eventually
from tidegrid import kafka

TYPES = ("CHK", "SAV", "INV")


@pytest.fixture
def accounts(stack: Stack, signed_in: Page) -> Locator:
    """Return the panel of accounts, filtered to thirty of this test."""
    for number in range(30):
        stack.produce(
            "accounts",
            {
                "userId": f"grid-{number:02d}",
                "accountType": TYPES[number % 3],
                "balance": None if number == 29 else 100.0 * (number // 3),
            },
        )
    stack.flush()
    panel = signed_in.get_by_test_id("panel-accounts")
    panel.get_by_test_id("filter-userId").fill("grid-")
    expect(panel.get_by_test_id("row-count")).to_have_attribute("data-total", "30")
    return panel


def cells(panel: Locator, column: str) -> list[str]:
    """Return what a column shows, top to bottom."""
    return panel.get_by_test_id(f"cell-{column}").all_inner_texts()


def total(panel: Locator) -> int:
    return int(panel.get_by_test_id("row-count").get_attribute("data-total") or -1)


def head_menu(panel: Locator, column: str) -> Locator:
    """Open the menu of a column by its keys."""
    panel.get_by_test_id(f"filter-{column}").press("Alt+ArrowDown")
    menu = panel.page.get_by_test_id("head-menu")
    expect(menu).to_be_visible()
    return menu


def test_rows_are_sorted_by_several_columns(accounts: Locator) -> None:
    button = accounts.get_by_test_id("header-balance").get_by_role("button")
    button.click()
    button.click()
    accounts.get_by_test_id("header-userId").get_by_role("button").click(modifiers=["Shift"])
    expect(accounts.get_by_test_id("sort-place-userId")).to_contain_text("2")
    top = ["grid-27", "grid-28", "grid-24", "grid-25", "grid-26"]
    eventually("the order", lambda: cells(accounts, "userId")[:5] == top, 20)
    expect(accounts.get_by_test_id("grid-spoken")).to_contain_text("rows")


def test_the_menu_of_a_column_filters_by_range_values_and_emptiness(accounts: Locator) -> None:
    menu = head_menu(accounts, "balance")
    menu.get_by_test_id("quick-range").check()
    menu.get_by_test_id("quick-low").fill("200")
    menu.get_by_test_id("quick-high").fill("400")
    menu.get_by_test_id("quick-high").press("Enter")
    eventually("a range", lambda: total(accounts) == 9, 20)
    menu.get_by_test_id("quick-empty").check()
    eventually("the empty one", lambda: cells(accounts, "userId") == ["grid-29"], 20)
    menu.get_by_test_id("quick-filled").check()
    eventually("all others", lambda: total(accounts) == 29, 20)
    menu.get_by_test_id("quick-any").check()
    accounts.page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(accounts.get_by_test_id("filter-balance")).to_be_focused()

    menu = head_menu(accounts, "accountType")
    menu.get_by_test_id("quick-oneOf").check()
    menu.get_by_test_id("quick-search").fill("SAV")
    values = menu.get_by_test_id("quick-values").get_by_role("option")
    expect(values).to_have_text(["SAV"])
    values.first.click()
    eventually("one type", lambda: set(cells(accounts, "accountType")) == {"SAV"}, 20)
    assert total(accounts) == 10


def test_a_time_filters_rows(accounts: Locator) -> None:
    accounts.get_by_test_id("menu-ts").click()
    menu = accounts.page.get_by_test_id("head-menu")
    menu.get_by_test_id("quick-time").check()
    menu.get_by_test_id("quick-to").fill("2020-01-01T00:00:00")
    menu.get_by_test_id("quick-to").press("Enter")
    eventually("none that old", lambda: total(accounts) == 0, 20)
    menu.get_by_test_id("quick-to").fill("")
    menu.get_by_test_id("quick-from").fill("2020-01-01T00:00:00")
    menu.get_by_test_id("quick-from").press("Enter")
    eventually("all since", lambda: total(accounts) == 30, 20)


def test_details_follow_a_row_with_all_its_columns(stack: Stack, accounts: Locator) -> None:
    accounts.get_by_test_id("filter-userId").fill("grid-07")
    eventually("one row", lambda: cells(accounts, "userId") == ["grid-07"], 20)
    accounts.get_by_test_id("cell-balance").click()
    accounts.page.keyboard.press("Enter")
    details = accounts.get_by_test_id("row-details")
    expect(details.get_by_test_id("detail-offset")).to_be_visible()
    stack.produce("accounts", {"userId": "grid-07", "accountType": "SAV", "balance": 4321.5})
    stack.flush()
    expect(details.get_by_test_id("detail-balance")).to_contain_text("4,321.50")
    accounts.page.context.grant_permissions(["clipboard-read"])
    details.get_by_test_id("copy-json").click()
    copied = json.loads(accounts.page.evaluate("navigator.clipboard.readText()"))
    assert (copied["userId"], copied["balance"], copied["topic"]) == ("grid-07", 4321.5, "accounts")
    accounts.page.keyboard.press("Escape")
    expect(details).to_have_count(0)
    expect(accounts.get_by_test_id("grid")).to_be_focused()


def test_details_show_the_record_of_a_row_as_it_is_in_kafka(
    stack: Stack, accounts: Locator
) -> None:
    page = accounts.page
    value = '{"userId":"grid-08","accountType":"INV","balance":12.50,"note":"<b>raw</b>"}'
    producer = kafka.producer(stack.connection)
    producer.produce(
        "accounts",
        key="grid-08",
        value=value,
        headers=[("trace", b"<i>one</i>"), ("trace", b"two")],
    )
    assert producer.flush(10) == 0
    accounts.get_by_test_id("filter-userId").fill("grid-08")
    eventually("its record", lambda: cells(accounts, "balance") == ["12.50"], 20)
    accounts.get_by_test_id("cell-balance").click()
    page.keyboard.press("Enter")
    details = accounts.get_by_test_id("row-details")
    details.get_by_test_id("show-record").click()
    # A line for each value, also of what is not in the table; markup is text.
    shown = details.get_by_test_id("record-value")
    expect(shown).to_contain_text('"note": "<b>raw</b>"')
    assert '\n  "balance": 12.50,\n' in shown.inner_text()
    expect(details.get_by_test_id("record-key")).to_have_text("grid-08")
    headers = details.get_by_test_id("record-headers")
    for text in ("trace", "<i>one</i>", "two"):
        expect(headers).to_contain_text(text)
    expect(details.get_by_test_id("record-note")).to_have_text("")
    page.context.grant_permissions(["clipboard-read"])
    details.get_by_test_id("copy-record").click()
    copied = json.loads(page.evaluate("navigator.clipboard.readText()"))
    assert (copied["topic"], copied["value"]) == ("accounts", value)

    # The row goes on to another record: the one that is shown is marked until it is asked for anew.
    stack.produce("accounts", {"userId": "grid-08", "accountType": "INV", "balance": 77.0})
    stack.flush()
    expect(details.get_by_test_id("record-note")).to_contain_text("moved on to another record")
    expect(shown).to_contain_text("12.50")
    details.get_by_test_id("show-record").click()
    expect(shown).to_contain_text("77.0")
    expect(details.get_by_test_id("record-note")).to_have_text("")
    expect(details.get_by_test_id("raw-record")).to_contain_text("It has none.")


def test_a_paused_grid_holds_its_rows(stack: Stack, accounts: Locator) -> None:
    accounts.get_by_test_id("filter-userId").fill("grid-03")
    eventually("one row", lambda: cells(accounts, "userId") == ["grid-03"], 20)
    before = cells(accounts, "balance")
    accounts.get_by_test_id("pause").click()
    pill = accounts.get_by_test_id("paused")
    stack.produce("accounts", {"userId": "grid-03", "accountType": "CHK", "balance": 77.25})
    stack.flush()
    expect(pill).not_to_have_attribute("data-waiting", "0")
    assert cells(accounts, "balance") == before
    pill.get_by_test_id("resume").click()
    expect(accounts.get_by_test_id("cell-balance").first).to_have_text("77.25", timeout=2_000)


def test_columns_are_moved_resized_and_frozen(accounts: Locator) -> None:
    page = accounts.page
    grid = accounts.get_by_test_id("grid")

    def order() -> list[str | None]:
        heads = accounts.get_by_role("columnheader").all()
        return [head.get_attribute("data-testid") for head in heads]

    button = accounts.get_by_test_id("header-balance").get_by_role("button")
    button.press("Control+ArrowLeft")
    eventually("a moved column", lambda: order()[1] == "header-balance", 5)
    grip = accounts.get_by_test_id("resize-ts").bounding_box()
    assert grip is not None
    page.mouse.move(grip["x"] + 3, grip["y"] + 8)
    page.mouse.down()
    page.mouse.move(grip["x"] + 603, grip["y"] + 8, steps=5)
    page.mouse.up()
    grid.evaluate("element => { element.scrollLeft = 300 }")
    eventually("a scrolled grid", lambda: grid.evaluate("element => element.scrollLeft > 200"), 5)
    left = grid.bounding_box()
    key = accounts.get_by_test_id("cell-userId").first.bounding_box()
    assert left is not None
    assert key is not None
    assert abs(key["x"] - left["x"]) < 2


def test_all_rows_that_match_are_saved(accounts: Locator) -> None:
    accounts.get_by_test_id("csv-button").click()
    menu = accounts.page.get_by_test_id("csv-menu")
    expect(menu).to_contain_text("100,000 rows at most")
    with accounts.page.expect_download() as download:
        menu.get_by_test_id("csv-all").click()
    lines = Path(download.value.path()).read_text().splitlines()
    assert lines[0] == "userId,accountType,balance,ts"
    assert {line.split(",")[0] for line in lines[1:]} == {f"grid-{n:02d}" for n in range(30)}
    assert len(lines) == 31


def test_all_rows_that_match_are_saved_as_parquet(accounts: Locator) -> None:
    accounts.get_by_test_id("csv-button").click()
    menu = accounts.page.get_by_test_id("csv-menu")
    expect(menu.get_by_test_id("parquet-all")).to_have_text("All 30 rows as Parquet")
    with accounts.page.expect_download() as download:
        menu.get_by_test_id("parquet-all").click()
    assert download.value.suggested_filename.endswith(".parquet")
    table = pq.read_table(download.value.path())
    assert [(field.name, str(field.type)) for field in table.schema] == [
        ("userId", "string"),
        ("accountType", "string"),
        ("balance", "double"),
        ("ts", "timestamp[us, tz=UTC]"),
    ]
    rows = {row["userId"]: row for row in table.to_pylist()}
    assert rows.keys() == {f"grid-{n:02d}" for n in range(30)}
    assert table.num_rows == 30
    for number in range(30):
        row = rows[f"grid-{number:02d}"]
        assert row["accountType"] == TYPES[number % 3]
        assert row["balance"] == (None if number == 29 else 100.0 * (number // 3))
        assert abs(datetime.now(UTC) - row["ts"]) < timedelta(hours=1)


def test_a_server_that_turns_exports_off_leaves_no_button(page: Page) -> None:
    told = "**/js-plugins/tidegrid/settings.json"
    page.route(told, lambda route: route.fulfill(json={"exports": False}))
    with page.expect_response(told):
        sign_in(page, PSK)
    panel = page.get_by_test_id("panel-accounts")
    expect(panel.get_by_test_id("columns-button")).to_be_visible()
    expect(page.get_by_test_id("csv-button")).to_have_count(0)


def test_the_density_holds_for_all_grids_and_stays(accounts: Locator) -> None:
    page = accounts.page
    accounts.get_by_test_id("columns-button").click()
    page.get_by_test_id("density-comfortable").click()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("columns-menu")).to_have_count(0)
    rows = [panel.get_by_test_id("row").first for panel in (accounts, page)]

    def heights() -> set[float]:
        return {row.evaluate("element => element.clientHeight") for row in rows}

    eventually("higher rows", lambda: heights() == {32}, 5)
    assert page.evaluate("localStorage.getItem('tidegrid.density')") == "comfortable"
