"""The flows that ship and those in docs/flows.md: they load, and their tables are as expected."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tidegrid.contract.declaration import Flow, clashes, environment, files, parse
from tidegrid.contract.declaration.check_screens import shapes
from tidegrid.contract.layout import layout
from tidegrid.contract.views import Types
from tidegrid.settings import SHIPPED_FLOWS

DOCS = (Path(__file__).parents[3] / "docs" / "flows.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"^```toml\n# flows/(.+?)\.toml\n(.*?)^```", DOCS, re.M | re.S))
DOCUMENTS = files.documents([SHIPPED_FLOWS], [], {"home": ".tidegrid"})
FLOWS = {
    **{name: parse(document, name) for name, document in DOCUMENTS.items()},
    **{
        name: parse(environment.resolve(tomllib.loads(text), {}), name, f"docs: {name}")
        for name, text in EXAMPLES.items()
    },
}


def types(flow: Flow) -> Types:
    """Return made-up types of the derived columns."""
    return {s.name: dict.fromkeys(s.columns, "string") for s in flow.sources.values()}


def test_no_two_of_them_have_a_table_of_the_same_name() -> None:
    assert len(EXAMPLES) == DOCS.count("# flows/") > 10
    assert clashes(FLOWS.values()) == []


def test_every_operator_has_an_example() -> None:
    used = {
        type(t).__name__
        for n in EXAMPLES
        for t in (*FLOWS[n].views.values(), *FLOWS[n].screens.values())
    }
    assert used == {
        *("Latest", "Events", "Join", "AsOf", "Buckets"),
        *("Window", "Top", "Totals", "JoinTables"),
    }


@pytest.mark.parametrize("name", FLOWS)
def test_what_is_known_of_a_view_is_what_the_engines_make(name: str) -> None:
    flow = FLOWS[name]
    known = shapes(flow)
    assert set(known) == {*flow.views, *flow.screens}
    for view in layout(flow, types(flow)).views:
        if view.name in flow.views:
            assert {*view.columns, "generation"} == set(known[view.name].columns), view.name


@pytest.mark.parametrize(
    ("flow", "tables"),
    [
        ("customers", "users_ui accounts_ui final_ui user account user_account"),
        (
            "positions",
            "gold_stream_raw gold_latest gold_buckets gold_kpi_5m gold_kpi_15m "
            "gold_kpi_5m_by_source gold_kpi_15m_by_source top_by_px top_movers pnl_by_instrument "
            "pnl_by_allotment gold_totals gold_trend",
        ),
    ],
)
def test_the_shipped_flows_have_the_tables_people_use(flow: str, tables: str) -> None:
    found = FLOWS[flow]
    shown = {*found.views, *(s.name for s in found.screens.values() if not s.hidden)}
    assert shown == set(tables.split())


def test_one_more_column_of_positions_is_one_line() -> None:
    text = (SHIPPED_FLOWS / "positions.toml").read_text("utf-8")
    line = "[sources.positions.fields]\n"
    document = tomllib.loads(text.replace(line, f'{line}discount = "double"\n'))
    views = parse(environment.resolve(document, {"home": "h"}), "positions").views
    for name in ("gold_latest", "gold_stream_raw"):
        before = FLOWS["positions"].views[name].show
        assert sorted(views[name].show) == sorted([*before, "discount"])


def test_positions_without_a_symbol_take_three_other_lines() -> None:
    lines = (SHIPPED_FLOWS / "positions.toml").read_text("utf-8").splitlines()
    said = re.search(r"^## Records without.*?^```\n(.*?)^```", DOCS, re.M | re.S)
    assert said
    for new in said[1].splitlines():
        word = f"{new.partition('=')[0]}="
        lines[next(n for n, line in enumerate(lines) if line.startswith(word))] = new
    document = environment.resolve(tomllib.loads("\n".join(lines)), {"home": "h"})
    source = parse(document, "positions").sources["positions"]
    assert (source.key, source.time) == (("instrumentCode",), ("event_time",))
    assert source.fields["symbol"].path == ("instrumentCode",)
