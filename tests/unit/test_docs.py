"""docs/configuration.md against the code: every setting, its variable and its default."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

from tidegrid import settings
from tidegrid.kafka.connection import MORE, SECRET_VARIABLE

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "configuration.md").read_text("utf-8")
ROW = re.compile(r"^\| `([a-z_.]+)` \| `(TIDEGRID_[A-Z_]+)` \| `(.*?)` \| (.+) \|$", re.MULTILINE)


def shown(default: object) -> str:
    """Return a default as TOML writes it."""
    return "{}" if default == () else json.dumps(default)


def test_every_setting_is_described_with_its_variable_and_default() -> None:
    described = {(name, variable, default) for name, variable, default, _ in ROW.findall(TEXT)}
    expected = {
        (f"{section}.{f.name}", f"TIDEGRID_{section}_{f.name}".upper(), shown(f.default))
        for section, kind in settings.sections().items()
        for f in fields(kind)
    }
    assert described - {("home", "TIDEGRID_HOME", '".tidegrid"')} == expected


def test_every_other_name_of_a_setting_is_described() -> None:
    for alias, (section, name) in settings.ALIASES.items():
        assert f"| `{alias}` | `{section}.{name}` |" in TEXT
    for secret in (settings.PSK_VARIABLE, SECRET_VARIABLE):
        assert f"| `{secret}` |" in TEXT


def test_every_client_property_that_may_be_given_is_named() -> None:
    for name, theirs in MORE.items():
        assert f"| `{name}` | `{theirs}` |" in TEXT or (
            theirs is None and f"| `{name}` | not used |" in TEXT
        )


def test_links_between_the_documents_lead_somewhere() -> None:
    for document in [*DOCS.glob("*.md"), DOCS.parent / "README.md"]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
