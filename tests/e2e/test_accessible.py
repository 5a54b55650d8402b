"""Every page passes axe, in both themes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
#: An element of each page that is there once it is drawn.
PAGES = {
    "customers": "panel-users",
    "gold": "chart-prices",
    "operations": "timeline",
    "rejects": "panel-rejects",
}


def violations(page: Page) -> list[str]:
    """Return what axe has against the page, and where."""
    page.evaluate(AXE.read_text("utf-8"))
    found: dict[str, Any] = page.evaluate("() => axe.run()")
    return [
        f"{v['id']}: {v['help']}: {[n['target'] for n in v['nodes'][:3]]}"
        for v in found["violations"]
    ]


def test_the_log_in_is_accessible(page: Page) -> None:
    expect(page.get_by_test_id("login-psk")).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_accessible_in_both_themes(signed_in: Page, address: str) -> None:
    signed_in.get_by_test_id(f"nav-{address}").click()
    expect(signed_in.get_by_test_id(PAGES[address])).to_be_visible()
    first = violations(signed_in)
    signed_in.get_by_test_id("theme-toggle").click()
    assert (first, violations(signed_in)) == ([], [])
