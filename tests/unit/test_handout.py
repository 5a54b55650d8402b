"""What a Deephaven server of one's own is given: complete, and without a secret."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tidegrid.errors import MachineError, SettingsError
from tidegrid.settings import Settings, Tables
from tidegrid.tables import config, handout

PAGE = Path(__file__).parents[2] / "web" / "src" / "index.html"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return settings with a page that is built."""
    built = tmp_path / "built"
    built.mkdir()
    (built / "index.html").write_text("the page")
    return Settings(tables=Tables(page=str(built), heap_mb=1234, session_minutes=7))


def test_everything_is_written_and_points_into_the_folder(
    settings: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    steps = handout.write(settings, folder)
    assert str(folder) in steps
    properties = dict(
        line.split("=", 1)
        for line in (folder / "deephaven.prop").read_text().splitlines()
        if not line.startswith("#")
    )
    assert properties.pop("includefiles") == "dh-defaults.prop"
    assert properties == config.properties(settings, folder / "app.d", folder / "js-plugins")
    assert properties["http.session.durationMs"] == "420000"
    app = Path(properties["deephaven.application.dir"])
    script = re.search(r"file_0=(.*)", (app / "tidegrid.app").read_text())
    assert script is not None
    assert (app / script.group(1)).exists()
    plugins = Path(properties["deephaven.jsPlugins.resourceBase"])
    (plugin,) = json.loads((plugins / "manifest.json").read_text())["plugins"]
    assert (plugins / plugin["name"] / plugin["main"]).read_text() == "the page"
    assert (folder / "jvm.args").read_text().splitlines() == [
        "-Xmx1234m",
        f"-DConfiguration.rootFile={folder / 'deephaven.prop'}",
    ]


@pytest.mark.parametrize("exports", [True, False])
def test_the_page_is_told_whether_rows_may_be_saved(
    settings: Settings, tmp_path: Path, exports: bool
) -> None:
    # The build has one of its own, for a page that is put on a server by hand.
    (settings.page_dir / config.PAGE_SETTINGS).write_text('{ "exports": true }')
    chosen = replace(settings, tables=replace(settings.tables, exports=exports))
    config.publish_page(chosen, tmp_path / "plugins")
    told = (tmp_path / "plugins" / "tidegrid" / config.PAGE_SETTINGS).read_text()
    assert json.loads(told) == {"exports": exports}


def test_what_the_page_reads_by_default_is_the_default() -> None:
    told = json.loads((PAGE.parents[1] / "public" / config.PAGE_SETTINGS).read_text())
    assert told == {"exports": Tables().exports}


def test_it_can_be_written_again(settings: Settings, tmp_path: Path) -> None:
    handout.write(settings, tmp_path / "out")
    (tmp_path / "out" / "app.d" / "old.app").write_text("")
    handout.write(settings, tmp_path / "out")
    assert not (tmp_path / "out" / "app.d" / "old.app").exists()


def test_what_is_shown_is_what_would_be_written(settings: Settings) -> None:
    shown = handout.show(settings)
    for name, text in handout.files(settings, handout.EXAMPLE).items():
        assert f"==> {handout.EXAMPLE / name} <==\n{text}" in shown


def test_a_folder_that_the_jvm_arguments_cannot_name_is_refused(
    settings: Settings, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match="blanks in a path"):
        handout.write(settings, tmp_path / "my files")


def test_a_page_that_is_not_built_is_an_error(tmp_path: Path) -> None:
    absent = Settings(tables=Tables(page=str(tmp_path / "absent")))
    with pytest.raises(MachineError, match="make page"):
        handout.write(absent, tmp_path / "out")


def test_tls_is_in_the_properties_when_there_is_a_certificate(settings: Settings) -> None:
    def of(tables: Tables) -> dict[str, str]:
        chosen = config.properties(replace(settings, tables=tables), Path("app"), Path("page"))
        return {name: value for name, value in chosen.items() if name.startswith("ssl.")}

    assert of(Tables()) == {}
    assert of(Tables(certificate="/etc/some.pem", key="/etc/some.key")) == {
        "ssl.identity.type": "privatekey",
        "ssl.identity.certChainPath": "/etc/some.pem",
        "ssl.identity.privateKeyPath": "/etc/some.key",
    }


@pytest.mark.parametrize(
    ("tables", "sent"),
    [
        (Tables(), False),
        (Tables(host="0.0.0.0", name="tables.example.com"), False),  # noqa: S104
        (Tables(certificate="c", key="k"), False),
        (Tables(certificate="c", key="k", name="localhost"), False),
        (Tables(certificate="c", key="k", name="tables.example.com"), True),
    ],
)
def test_browsers_are_held_to_tls_only_where_there_is_tls_for_a_name_of_its_own(
    tables: Tables, sent: bool
) -> None:
    assert ("Strict-Transport-Security" in config.headers(Settings(tables=tables))) is sent


def test_the_policy_allows_nothing_unsafe_and_only_this_server() -> None:
    rules = dict(r.split(" ", 1) for r in config.CONTENT_SECURITY_POLICY.split("; "))
    assert rules["default-src"] == rules["frame-ancestors"] == "'none'"
    assert set(rules.values()) == {"'none'", "'self'"}


def test_the_page_says_the_same_policy_as_the_header() -> None:
    found = re.search(r'http-equiv="Content-Security-Policy"\s+content="([^"]*)"', PAGE.read_text())
    assert found is not None
    # Which pages may frame it cannot be said inside a page.
    assert f"{found.group(1)}; frame-ancestors 'none'" == config.CONTENT_SECURITY_POLICY
