"""Settings: defaults, the file, the environment, and what is said about a wrong one."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from tidegrid import settings
from tidegrid.contract.declaration import names
from tidegrid.errors import SettingsError
from tidegrid.settings import Settings, Tables

EXAMPLE = Path(__file__).parents[2] / "tidegrid.toml"
ORDERS = """
title = "${{home}}"
[sources.orders]
topic = "orders"
key = "id"
fields = {{ id = "string" }}
[views.list_{name}]
events = "orders"
keep = "${{TIDEGRID_MY_ORDERS_KEEP:-5}}"
"""


def from_text(folder: Path, text: str, **environ: str) -> Settings:
    path = folder / "some.toml"
    path.write_text(text, "utf-8")
    return settings.load(path, environ)


def topics(chosen: Settings, flow: str) -> dict[str, str]:
    return {name: s["topic"] for name, s in chosen.declared()[flow]["sources"].items()}


def join(chosen: Settings) -> str:
    return str(chosen.declared()["customers"]["views"]["final_ui"]["how"])


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
    assert topics(chosen, "customers") == {"users": "people", "accounts": "accounts"}
    assert join(chosen) == "inner"
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
    assert join(chosen) == "inner"
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
        ("[tables]\nexports = 1\n", "tables.exports"),
        ('[feed]\nbad_ratio = "much"\n', "feed.bad_ratio"),
        ("[feed]\nbad_ratio = true\n", "feed.bad_ratio"),
        ("[customers]\njoin = ['left']\n", "customers.join"),
        ('[customers]\nuser_topic = "people"\n', "customers.user_topic"),
        ("customers = 5\n", "[customers]"),
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
        ("TIDEGRID_TABLES_EXPORTS", "no", "tables.exports in the environment: expected true or"),
        ("TIDEGRID_TABLES_EXPORTS", "", "tables.exports in the environment: expected true or"),
        ("TIDEGRID_FEED_BAD_RATIO", "1%", "feed.bad_ratio in the environment"),
        ("TIDEGRID_CUSTOMERS_JOIN", "LEFT", "views.final_ui.how: 'LEFT' is none of left, inner"),
        ("TIDEGRID_CUSTOMERS_ENCODING", "avro", "sources.users.encoding: 'avro' is none of json"),
        ("TIDEGRID_FLOWS_OFF", "orders", "flows.off: there is no flow 'orders'"),
    ],
)
def test_a_wrong_setting_in_the_environment_is_named(
    tmp_path: Path, variable: str, value: str, named: str
) -> None:
    with pytest.raises(SettingsError, match=named):
        from_text(tmp_path, "", **{variable: value})


@pytest.mark.parametrize(
    ("text", "variables", "exports"),
    [
        ("", {}, True),
        ("[tables]\nexports = false\n", {}, False),
        ("[tables]\nexports = false\n", {"TIDEGRID_TABLES_EXPORTS": "true"}, True),
        ("", {"TIDEGRID_TABLES_EXPORTS": "false"}, False),
    ],
)
def test_a_switch_is_true_or_false_in_the_file_and_in_the_environment(
    tmp_path: Path, text: str, variables: dict[str, str], exports: bool
) -> None:
    assert from_text(tmp_path, text, **variables).tables.exports is exports


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
    ],
)
def test_a_value_out_of_range_is_named(tmp_path: Path, name: str, value: str) -> None:
    section, setting = name.split(".")
    with pytest.raises(SettingsError, match=setting):
        from_text(tmp_path, f"[{section}]\n{setting} = {value}\n")


@pytest.mark.parametrize(
    ("name", "value", "place"),
    [
        ("users_topic", '""', "sources.users.topic"),
        ("users_topic", '".."', "sources.users.topic"),
        ("users_topic", '"a topic"', "sources.users.topic"),
        ("users_topic", '"users\\n"', "sources.users.topic"),
        ("users_topic", '"tidegrid.customers.x"', "sources.users.topic"),
        ("accounts_topic", f'"{"x" * 250}"', "sources.accounts.topic"),
        ("accounts_topic", '"users"', "sources.accounts.topic"),
        ("join", '"outer"', "views.final_ui.how"),
        ("event_list", "0", "views.user.keep"),
        ("as_of_depth", "0", "views.user_account.depth"),
    ],
)
def test_what_a_flow_file_cannot_use_is_named_with_its_place(
    tmp_path: Path, name: str, value: str, place: str
) -> None:
    with pytest.raises(SettingsError, match=re.escape(f"customers.toml: {place}: ")):
        from_text(tmp_path, f"[customers]\n{name} = {value}\n")


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
    with pytest.raises(SettingsError, match=r"did you mean TIDEGRID_TABLES_PORT\?"):
        settings.load(environ={"TIDEGRID_TABELS_PORT": "1"})
    assert settings.load(environ={"TIDEGRID_ORDERS_TOPIC": "of a flow that is off"})


def test_checkpoints_are_in_the_home_folder_unless_they_are_shared() -> None:
    assert settings.load(environ={"TIDEGRID_HOME": "h"}).checkpoints == Path("h/checkpoints")
    shared = {"TIDEGRID_PIPELINE_CHECKPOINTS": "/mnt/shared"}
    assert settings.load(environ=shared).checkpoints == Path("/mnt/shared")


def test_an_empty_home_is_the_default() -> None:
    assert settings.load(environ={"TIDEGRID_HOME": ""}).home == Path(".tidegrid")


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TIDEGRID_PIPELINE_CHECKPOINT_INTERVAL", "soon"),
        ("KAFKA_BOOTSTRAP", "one:9092,two"),
        ("TIDEGRID_PIPELINE_CHECKPOINTS", "s3a://bucket/tidegrid"),
        ("TIDEGRID_PIPELINE_CHECKPOINTS", "file:/shared/tidegrid"),
    ],
)
def test_a_value_that_cannot_work_is_refused(variable: str, value: str) -> None:
    with pytest.raises(SettingsError):
        settings.load(environ={variable: value})


def test_topics_are_named_for_a_whole_flow_or_not_at_all(tmp_path: Path) -> None:
    chosen = from_text(tmp_path, '[positions]\ntopic = ""\n', KAFKA_TOPIC="gold")
    assert topics(chosen, "positions") == {"positions": ""}
    assert topics(chosen, "customers") == {"users": "users", "accounts": "accounts"}
    with pytest.raises(SettingsError, match=r"sources\.accounts\.topic: '' is not a topic name"):
        from_text(tmp_path, '[customers]\naccounts_topic = ""\n')
    with pytest.raises(SettingsError, match="no topic is named"):
        from_text(
            tmp_path,
            '[positions]\ntopic = ""\n[customers]\nusers_topic = ""\naccounts_topic = ""\n',
        )


def test_the_positions_topic_is_read_under_its_usual_name(tmp_path: Path) -> None:
    assert topics(from_text(tmp_path, "", KAFKA_TOPIC="gold"), "positions") == {"positions": "gold"}
    both = {"KAFKA_TOPIC": "usual", "TIDEGRID_POSITIONS_TOPIC": "own"}
    assert topics(from_text(tmp_path, "", **both), "positions") == {"positions": "own"}


def test_flows_are_left_out_replaced_and_added(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flows").mkdir()
    assert set(from_text(tmp_path, "").declared()) == {"customers", "positions"}
    for name in ("positions", "my-orders"):
        (tmp_path / "flows" / f"{name}.toml").write_text(ORDERS.format(name=name[:2]), "utf-8")
    chosen = from_text(tmp_path, '[flows]\noff = ["customers"]\n[my-orders]\nkeep = 7\n')
    assert set(chosen.declared()) == {"positions", "my-orders"}
    assert set(chosen.declared()["positions"]["views"]) == {"list_po"}
    assert chosen.declared()["my-orders"]["views"]["list_my"]["keep"] == "7"
    assert chosen.declared()["my-orders"]["title"] == ".tidegrid"


@pytest.mark.parametrize("name", ["home", *settings.sections()])
def test_no_flow_has_the_name_of_a_section(name: str, tmp_path: Path) -> None:
    assert {"home", *settings.sections()} == names.SETTINGS
    (tmp_path / f"{name}.toml").write_text(ORDERS.format(name="x"), "utf-8")
    with pytest.raises(
        SettingsError, match=f"{name}.toml: '{name}' is (a part of tidegrid.toml|one of)"
    ):
        from_text(tmp_path, "", TIDEGRID_FLOWS_FOLDER=str(tmp_path))


def test_flows_that_are_spelt_alike_are_not_filled_differently(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ("my-orders", "my_orders"):
        (folder / f"{name}.toml").write_text(ORDERS.format(name=f"of{name[2]}".replace("-", "")))
    text = f'[flows]\nfolder = "{folder}"\n[my-orders]\nkeep = 7\n[my_orders]\nkeep = '
    assert (
        from_text(tmp_path, f"{text}7\n").declared()["my_orders"]["views"]["list_of_"]["keep"]
        == "7"
    )
    with pytest.raises(
        SettingsError, match=r"my_orders\.keep .*: TIDEGRID_MY_ORDERS_KEEP is '7' by"
    ):
        from_text(tmp_path, f"{text}8\n")


def test_a_variable_of_a_flow_that_is_off_is_no_setting(tmp_path: Path) -> None:
    (tmp_path / "tables-eu.toml").write_text(ORDERS.format(name="x"), "utf-8")
    flows = {"TIDEGRID_FLOWS_FOLDER": str(tmp_path), "TIDEGRID_FLOWS_OFF": "tables-eu,some"}
    assert from_text(tmp_path, "", **flows, TIDEGRID_TABLES_EU_TOPIC="orders")


def test_two_flows_have_no_table_of_the_same_name(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / f"{name}.toml").write_text(ORDERS.format(name="x"), "utf-8")
    with pytest.raises(SettingsError) as failed:
        from_text(tmp_path, f'[flows]\nfolder = "{folder}"\n')
    assert "two: views.list_x: the flow 'one' has a table of this name" in str(failed.value)


def test_what_is_wrong_with_all_flow_files_is_said_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "a.toml").write_text("[sources\n", "utf-8")
    (folder / "b.toml").write_text("sources = = 1\n", "utf-8")
    text = f'[flows]\nfolder = "{folder}"\n'
    with pytest.raises(SettingsError) as failed:
        from_text(tmp_path, text)
    assert [line.split(": ")[0] for line in str(failed.value).splitlines()] == [
        str(folder / "a.toml"),
        str(folder / "b.toml"),
    ]
    assert "line 1" in str(failed.value)
    assert set(from_text(tmp_path, f'{text}off = "a, b"\n').declared()) == {
        "customers",
        "positions",
    }


def test_an_unset_placeholder_hides_no_problem_of_any_file(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    text = ORDERS.format(name="x").replace('"orders"', '"${UNSET}"', 1)
    (folder / "a.toml").write_text(text.replace('"string"', '"strong"'), "utf-8")
    (folder / "b.toml").write_text(text.replace("keep", "kept"), "utf-8")
    with pytest.raises(SettingsError) as failed:
        from_text(tmp_path, f'[flows]\nfolder = "{folder}"\n')
    assert [line.split(": ")[1] for line in str(failed.value).splitlines()] == [
        *("sources.orders.topic", "sources.orders.fields.id.type"),
        *("sources.orders.topic", "views.list_x.kept"),
    ]


def test_a_folder_of_flows_that_is_asked_for_must_exist(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"flows\.folder: there is no folder"):
        from_text(tmp_path, f'[flows]\nfolder = "{tmp_path / "absent"}"\n')


def test_the_environment_is_not_shown_and_no_flow_file_gets_a_secret(tmp_path: Path) -> None:
    chosen = from_text(
        tmp_path, "", SOME_PASSWORD="hunter2", KAFKA_CLIENT_SECRET="s", TIDEGRID_PSK="p"
    )
    assert "hunter2" not in repr(chosen)
    assert chosen.values == {"SOME_PASSWORD": "hunter2"}


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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"x = {'9' * 5000}", "not valid TOML"),
        (f"x = {'[' * 2000}", "not valid TOML"),
        (f"[tables]\nport = 0x{'f' * 6000}", "tables.port in .*: expected int, got a value of ty"),
        (f"[feed]\nbad_ratio = {'9' * 400}", "feed.bad_ratio in .*: expected float, got 9999"),
        (f"[tables]\nport = '{'x' * 5000}'", "expected int, got 'x{50,60}[.]{3}$"),
        ("[tables]\nport = '\u0663'", "tables.port in .*: expected int, got '\u0663'"),
    ],
    ids=["digits", "nested", "hexadecimal", "fraction", "long", "arabic"],
)
def test_a_value_of_any_size_is_told_in_short(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        from_text(tmp_path, text)
