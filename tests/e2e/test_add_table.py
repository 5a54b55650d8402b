"""Add a table: from a topic that nobody has described to its live rows, on the page alone."""

from __future__ import annotations

import json
import re
import tomllib
from time import monotonic

from playwright.sync_api import Page, expect

from tests.support.browser import add_row, read_view
from tests.support.stack import Stack, eventually
from tidegrid import kafka

TOPIC = "depot.parcels"
LATEST = "depot_parcels_latest"


def produce(stack: Stack, start: int, count: int) -> None:
    for n in range(start, start + count):
        parcel = f"P-{n % 40:03d}"
        record: dict[str, object] = {
            "parcelId": parcel,
            "depot": {"city": "<b>Rotterdam</b>"},
            "weight": str(n / 4),
            "scans": n,
        }
        stack.produce(TOPIC, record, key=parcel)
    stack.flush()


def open_form(page: Page) -> None:
    """Choose the topic, and wait for what is inferred."""
    page.get_by_test_id("nav-operations").click()
    page.get_by_test_id("add-table-open").click()
    search = page.get_by_test_id("topic-search")
    expect(search).to_be_focused()
    search.fill("PARC dep")
    # The list is looked up every ten seconds.
    expect(page.get_by_test_id("topic-option")).to_have_count(1)
    row = page.get_by_role("row", name=TOPIC)
    expect(row).to_contain_text("200")
    expect(row.get_by_role("cell").last).to_have_text(re.compile(r"\d\d:\d\d:\d\d$"))
    page.get_by_test_id("topic-option").click()
    expect(page.get_by_test_id("add-form")).to_be_visible()


def test_a_topic_nobody_described_is_added_and_removed_on_the_page(
    stack: Stack, signed_in: Page
) -> None:
    page = signed_in
    kafka.ensure_topics(stack.connection, {TOPIC: 2}, {})
    produce(stack, 0, 200)
    before = kafka.latest(stack.connection, {TOPIC: 2})
    open_form(page)
    dialog = page.get_by_test_id("add-table")

    # The records as they are: markup is text.
    records = page.get_by_test_id("look-record")
    expect(records).to_have_count(50)
    expect(records.first).to_contain_text('"city": "<b>Rotterdam</b>"')
    expect(records.first).to_contain_text(re.compile(r"partition \d, offset \d+\s+key P-0\d\d"))
    # What was inferred, as a form.
    expect(page.get_by_test_id("key-parcelId")).to_be_checked()
    expect(page.get_by_test_id("type-weight")).to_have_value("double")
    expect(dialog.locator('[data-field="depot_city"]')).to_contain_text("from depot.city")
    file = page.get_by_test_id("flow-file")
    expect(file).to_contain_text('scans = "long"   # in all 200')

    # A change is checked by the server, and the file follows.
    page.get_by_test_id("key-parcelId").uncheck()
    expect(page.get_by_test_id("key-problem")).to_contain_text("is empty")
    expect(page.get_by_test_id("add-start")).to_be_disabled()
    page.get_by_test_id("key-parcelId").check()
    expect(page.get_by_test_id("key-problem")).to_have_text("")
    page.get_by_test_id("add-name").fill("customers")
    expect(dialog).to_contain_text("there is a flow customers already")
    page.get_by_test_id("add-name").fill("parcels")
    page.get_by_test_id("use-scans").uncheck()
    expect(file).not_to_contain_text("scans")
    expect(page.get_by_test_id("add-start")).to_be_enabled()
    document = tomllib.loads(file.inner_text())
    assert list(document["sources"]["depot_parcels"]["fields"]) == [
        *("parcelId", "depot_city", "weight")
    ]

    began = monotonic()
    page.get_by_test_id("add-start").click()
    link = page.get_by_test_id("add-open-table").first
    expect(link).to_be_visible()
    link.click()
    expect(page.get_by_test_id("row-count")).to_have_attribute("data-total", "40")
    expect(page.get_by_test_id("cell-depot_city").first).to_have_text("<b>Rotterdam</b>")
    took = monotonic() - began
    assert took < 30, took
    # They are live: another record is another row.
    stack.produce(TOPIC, {"parcelId": "P-new", "weight": "1"}, key="P-new")
    stack.flush()
    expect(page.get_by_test_id("row-count")).to_have_attribute("data-total", "41")
    # What the page sent is what `tidegrid apply` would have.
    message = json.loads(str(read_view(page, "control_raw", ["message"])[-1][0]))
    assert message == {"apply": {"name": "parcels", **document}}
    eventually("no request left", lambda: read_view(page, "topic_requests", ["id"]) == [])

    page.get_by_test_id("nav-operations").click()
    page.get_by_test_id("remove-parcels").click()
    asked = page.get_by_test_id("remove-dialog")
    for text in (LATEST, "depot_parcels_events", TOPIC, "Nothing there is touched"):
        expect(asked).to_contain_text(text)
    page.get_by_test_id("remove-confirm").click()
    expect(page.get_by_test_id("remove-status")).to_have_attribute("data-state", "removed")
    expect(page.locator('[data-testid="flow-row"][data-flow="parcels"]')).to_have_count(0)
    tables = [row[0] for row in read_view(page, "catalogue", ["table"])]
    assert LATEST not in tables
    assert "users_ui" in tables
    # Nothing of the source is touched.
    after = kafka.latest(stack.connection, {TOPIC: 2})
    assert sum(after[TOPIC].values()) == sum(before[TOPIC].values()) + 1


def test_a_topic_that_is_no_source_or_no_json_is_told(stack: Stack, signed_in: Page) -> None:
    kafka.ensure_topics(stack.connection, {"depot.avro": 1}, {})
    stack.produce("depot.avro", b"\0\0\0\0\1abcdef", key="a")
    stack.flush()
    page = signed_in
    page.get_by_test_id("nav-operations").click()
    page.get_by_test_id("add-table-open").click()
    page.get_by_test_id("topic-search").fill("depot.avro")
    page.get_by_test_id("topic-option").click()
    expect(page.get_by_test_id("add-problem")).to_contain_text("schema registry")
    expect(page.get_by_test_id("look-record")).to_have_count(1)
    expect(page.get_by_test_id("add-start")).to_be_disabled()
    for topic in ("tidegrid.control", "__consumer_offsets", "no.such", "not legal"):
        for offset in ("", "0"):
            refused = _asked(page, topic, offset)
            assert refused[0] != "", topic
            assert refused[1] == "[]"
    problem, records = _asked(page, "depot.avro", "-1")
    assert ("no whole number" in problem, records) == (True, "[]")
    problem, records = _asked(page, "depot.avro", "1")
    assert ("is not there yet" in problem, records) == (True, "[]")
    problem, records = _asked(page, "depot.avro", "0")
    assert (problem, json.loads(records)[0]["key"]) == ("", "a")


def _asked(page: Page, topic: str, offset: str = "") -> tuple[str, str]:
    """Ask for a look, or for one record, as any client may; return the problem and the records."""
    name = f"asked {topic} {offset}"
    place = {"partition": "0" if offset else "", "offset": offset}
    asked = {"id": name, "topic": topic, "declaration": "", "look": "", **place}
    add_row(page, "topic_requests", asked)
    columns = ["id", "problem", "records"]
    rows = eventually(
        "an answer", lambda: [r for r in read_view(page, "topic_looks", columns) if r[0] == name]
    )
    return str(rows[0][1]), str(rows[0][2])
