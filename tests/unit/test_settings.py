"""Settings: defaults, the file, the environment, and what is said about a wrong one."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from tidegrid import settings
from tidegrid.errors import SettingsError
from tidegrid.settings import Settings, Tables

EXAMPLE = Path(__file__).parents[2] / "tidegrid.toml"


def from_text(folder: Path, text: str, **environ: str) -> Settings:
    path = folder / "some.toml"
    path.write_text(text, "utf-8")
    return settings.load(path, environ)


def test_defaults_hold_when_nothing_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert settings.load(environ={}) == Settings()


def test_tidegrid_toml_in_this_folder_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tidegrid.toml").write_text("[tables]\nport = 10001\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert settings.load(environ={}).tables.port == 10001


def test_the_file_sets_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    chosen = from_text(
        tmp_path,
        'home = "elsewhere"\n[customers]\nusers_topic = "people"\njoin = "inner"\n'
        "[feed]\nbad_ratio = 0\n",
    )
    assert chosen.home == Path("elsewhere")
    assert chosen.customers.users_topic == "people"
    assert chosen.customers.join == "inner"
    assert chosen.customers.accounts_topic == Settings().customers.accounts_topic
    assert chosen.feed.bad_ratio == 0.0
    assert chosen.tables == Settings().tables


def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    chosen = from_text(
        tmp_path,
        'home = "elsewhere"\n[tables]\nport = 10001\n[feed]\nbad_ratio = 0.5\n',
        TIDEGRID_TABLES_PORT="10002",
        TIDEGRID_FEED_BAD_RATIO="0.25",
        TIDEGRID_CUSTOMERS_JOIN="inner",
        TIDEGRID_HOME="somewhere",
    )
    assert chosen.tables.port == 10002
    assert chosen.feed.bad_ratio == 0.25
    assert chosen.customers.join == "inner"
    assert chosen.home == Path("somewhere")


def test_kafka_bootstrap_is_read_under_its_usual_name(tmp_path: Path) -> None:
    text = '[kafka]\nbootstrap = "file:1"\n'
    assert from_text(tmp_path, text, KAFKA_BOOTSTRAP="a:1,b:2").kafka.bootstrap == "a:1,b:2"
    both = {"KAFKA_BOOTSTRAP": "usual:1", "TIDEGRID_KAFKA_BOOTSTRAP": "own:1"}
    assert from_text(tmp_path, text, **both).kafka.bootstrap == "own:1"
    assert from_text(tmp_path, text, KAFKA_BOOTSTRAP="").kafka.bootstrap == "file:1"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[tabels]\nport = 1\n", "[tabels]"),
        ("tables = 5\n", "[tables]"),
        ("[tables]\nprot = 1\n", "tables.prot"),
        ('[tables]\nport = "a"\n', "tables.port"),
        ("[tables]\nport = 1.5\n", "tables.port"),
        ("[tables]\nport = true\n", "tables.port"),
        ("[tables]\nhost = 1\n", "tables.host"),
        ('[feed]\nbad_ratio = "much"\n', "feed.bad_ratio"),
        ("[feed]\nbad_ratio = true\n", "feed.bad_ratio"),
        ('[customers]\njoin = "outer"\n', "customers.join"),
        ("[customers]\njoin = ['left']\n", "customers.join"),
        ('[customers]\nencoding = "avro"\n', "customers.encoding"),
        ("home = 5\n", "home"),
    ],
)
def test_a_wrong_setting_in_the_file_is_named_with_the_file(
    tmp_path: Path, text: str, named: str
) -> None:
    with pytest.raises(SettingsError, match=re.escape(named)) as failed:
        from_text(tmp_path, text)
    assert f"in {tmp_path / 'some.toml'}" in str(failed.value)


@pytest.mark.parametrize(
    ("variable", "value", "named"),
    [
        ("TIDEGRID_TABLES_PORT", "http", "tables.port in the environment"),
        ("TIDEGRID_TABLES_PORT", "", "tables.port in the environment"),
        ("TIDEGRID_TABLES_PORT", "--1", "tables.port in the environment"),
        ("TIDEGRID_FEED_BAD_RATIO", "1%", "feed.bad_ratio in the environment"),
        ("TIDEGRID_CUSTOMERS_JOIN", "LEFT", "customers.join in the environment"),
    ],
)
def test_a_wrong_setting_in_the_environment_is_named(
    tmp_path: Path, variable: str, value: str, named: str
) -> None:
    with pytest.raises(SettingsError, match=named):
        from_text(tmp_path, "", **{variable: value})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(
            (f"{section}.{f.name}", "0")
            for section, kind in settings.sections().items()
            for f in fields(kind)
            if isinstance(f.default, int) and f.name not in ("seed", "metrics_port")
        ),
        ("tables.port", "65536"),
        ("tables.port", "-1"),
        ("pipeline.metrics_port", "65536"),
        ("pipeline.metrics_port", "-1"),
        ("logs.level", '"LOUD"'),
        ("logs.format", '"xml"'),
        ("tables.session_minutes", "1441"),
        ("tables.certificate", '"some.pem"'),
        ("tables.key", '"some.key"'),
        ("tables.name", '"https://tables.example.com"'),
        ("tables.name", '"tables.example.com:443"'),
        ("feed.bad_ratio", "1.01"),
        ("feed.bad_ratio", "-0.01"),
        ("feed.bad_ratio", "nan"),
        ("kafka.bootstrap", '"localhost"'),
        ("kafka.bootstrap", '":9092"'),
        ("kafka.bootstrap", '"localhost:kafka"'),
        ("customers.users_topic", '""'),
        ("customers.users_topic", '".."'),
        ("customers.users_topic", '"a topic"'),
        ("customers.users_topic", '"users\\n"'),
        ("customers.accounts_topic", f'"{"x" * 250}"'),
        ("customers.accounts_topic", '"users"'),
    ],
)
def test_a_value_out_of_range_is_named(tmp_path: Path, name: str, value: str) -> None:
    section, setting = name.split(".")
    with pytest.raises(SettingsError, match=setting):
        from_text(tmp_path, f"[{section}]\n{setting} = {value}\n")


@pytest.mark.parametrize("content", [b"[tables\nport = 1", b"port == 1", b"\xff\xfe"])
def test_a_file_that_is_not_toml_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "some.toml"
    path.write_bytes(content)
    with pytest.raises(SettingsError, match="not valid TOML") as failed:
        settings.load(path, {})
    assert str(path) in str(failed.value)


def test_a_file_that_is_asked_for_must_exist(tmp_path: Path) -> None:
    path = tmp_path / "absent.toml"
    with pytest.raises(SettingsError, match="No such file") as failed:
        settings.load(path, {})
    assert str(path) in str(failed.value)


def test_a_secret_does_not_show_itself() -> None:
    key = settings.psk({settings.PSK_VARIABLE: "open sesame or whatever"})
    assert key == "open sesame or whatever"
    assert "sesame" not in repr(key)
    assert "sesame" not in repr({"key": key, "keys": [key]})
    assert "sesame" not in f"{key!r}"


def test_no_key_is_no_secret() -> None:
    assert settings.psk({}) is None
    assert settings.psk({settings.PSK_VARIABLE: ""}) is None


def test_no_section_holds_a_secret() -> None:
    names = {f.name for kind in settings.sections().values() for f in fields(kind)}
    assert {n for n in names if re.search("psk|secret|password|token", n)} == {"token_url"}


def test_the_example_holds_every_setting_at_its_default() -> None:
    assert settings.load(EXAMPLE, {}) == Settings()
    named = tomllib.loads(EXAMPLE.read_text("utf-8"))
    expected = {s: {f.name for f in fields(kind)} for s, kind in settings.sections().items()}
    assert named.pop("home") == str(Settings().home)
    assert {section: set(values) for section, values in named.items()} == expected


def test_the_example_explains_every_setting() -> None:
    lines = EXAMPLE.read_text("utf-8").splitlines()
    for before, line in zip(["", *lines], lines, strict=False):
        if re.match(r"\w+ = ", line):
            assert before.startswith("# "), f"{line!r} has no line of explanation"


def test_the_file_can_be_named_in_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[feed]\nrate = 5\n")
    assert settings.load(environ={"TIDEGRID_SETTINGS": str(file)}).feed.rate == 5


def test_an_unknown_variable_of_a_known_section_is_an_error() -> None:
    with pytest.raises(SettingsError, match="TIDEGRID_TABLES_PROT"):
        settings.load(environ={"TIDEGRID_TABLES_PROT": "1"})


def test_checkpoints_are_in_the_home_folder_unless_they_are_shared() -> None:
    assert settings.load(environ={"TIDEGRID_HOME": "h"}).checkpoints == Path("h/checkpoints")
    shared = {"TIDEGRID_PIPELINE_CHECKPOINTS": "/mnt/shared"}
    assert settings.load(environ=shared).checkpoints == Path("/mnt/shared")


def test_an_empty_home_is_the_default() -> None:
    assert settings.load(environ={"TIDEGRID_HOME": ""}).home == Path(".tidegrid")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TIDEGRID_CUSTOMERS_USERS_TOPIC", "tidegrid.customers.x"),
        ("TIDEGRID_PIPELINE_CHECKPOINT_INTERVAL", "soon"),
        ("KAFKA_BOOTSTRAP", "one:9092,two"),
        ("TIDEGRID_PIPELINE_CHECKPOINTS", "s3a://bucket/tidegrid"),
        ("TIDEGRID_PIPELINE_CHECKPOINTS", "file:/shared/tidegrid"),
    ],
)
def test_a_value_that_cannot_work_is_refused(variable: str, value: str) -> None:
    with pytest.raises(SettingsError):
        settings.load(environ={variable: value})


def test_a_flow_without_topics_is_not_wanted(tmp_path: Path) -> None:
    chosen = from_text(tmp_path, '[positions]\ntopic = ""\n')
    assert chosen.sources("positions") == {}
    assert set(chosen.sources("customers")) == {"users", "accounts"}
    with pytest.raises(SettingsError, match="accounts_topic: '' is not a topic name"):
        from_text(tmp_path, '[customers]\naccounts_topic = ""\n')
    with pytest.raises(SettingsError, match="no topic is named"):
        from_text(
            tmp_path,
            '[positions]\ntopic = ""\n[customers]\nusers_topic = ""\naccounts_topic = ""\n',
        )


def test_the_level_of_the_logs_is_read_under_its_short_name(tmp_path: Path) -> None:
    text = '[logs]\nlevel = "ERROR"\n'
    assert from_text(tmp_path, text, TIDEGRID_LOG="debug").logs.level == "debug"
    assert from_text(tmp_path, text, TIDEGRID_LOG="").logs.level == "ERROR"
    with pytest.raises(SettingsError, match="TIDEGRID_LOG"):
        from_text(tmp_path, text, TIDEGRID_LOG="loud")


@pytest.mark.parametrize(
    ("tables", "url"),
    [
        (Tables(), "http://127.0.0.1:10000/js-plugins/tidegrid/"),
        (Tables(name="here.example.com"), "http://here.example.com:10000/js-plugins/tidegrid/"),
        (
            Tables(port=8443, name="here.example.com", certificate="c", key="k"),
            "https://here.example.com:8443/js-plugins/tidegrid/",
        ),
    ],
)
def test_the_address_of_the_page_follows_name_and_tls(tables: Tables, url: str) -> None:
    assert Settings(tables=tables).url == url


@pytest.mark.parametrize(
    ("host", "certificate", "warned"),
    [
        ("127.0.0.1", "", False),
        ("127.0.0.53", "", False),
        ("::1", "", False),
        ("localhost", "", False),
        ("0.0.0.0", "", True),  # noqa: S104
        ("::", "", True),
        ("192.168.1.7", "", True),
        ("tables.example.com", "", True),
        ("0.0.0.0", "some.pem", False),  # noqa: S104
    ],
)
def test_an_address_on_the_network_without_tls_is_in_the_clear(
    host: str, certificate: str, warned: bool
) -> None:
    assert Tables(host=host, certificate=certificate).in_the_clear is warned
