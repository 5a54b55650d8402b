"""The folders are the way of the data: who may import whom."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import tidegrid

ROOT = Path(tidegrid.__file__).parent
STAGES = ("broker", "feed", "pipeline", "tables")
#: Engines, and the one package that may import each.
ENGINES = {
    "pyspark": "tidegrid.pipeline",
    "py4j": "tidegrid.pipeline",
    "deephaven": "tidegrid.tables",
    "deephaven_server": "tidegrid.tables",
    "jpy": "tidegrid.tables",
}
#: Those who put the stages together.
KNOW_THE_STAGES = ("tidegrid.stack", "tidegrid.cli", "tidegrid.__main__")


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def imported(source: str, module: str, *, is_package: bool = False) -> Iterator[str]:
    """Yield the full name of everything a source text imports, at its top or inside a function."""
    package = module if is_package else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            near = ".".join(parts[: len(parts) - node.level + 1]) if node.level else ""
            base = ".".join(p for p in (near, node.module) if p)
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and node.args:
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            name = node.args[0]
            if called in ("import_module", "__import__") and isinstance(name, ast.Constant):
                yield str(name.value)


def violations(source: str, module: str, *, is_package: bool = False) -> list[str]:
    """Return what a module imports although its place forbids it."""
    found = []
    for name in imported(source, module, is_package=is_package):
        engine = name.split(".")[0]
        if engine in ENGINES and not within(module, ENGINES[engine]):
            found.append(f"{module} imports {name}: only {ENGINES[engine]} may")
        for stage in (f"tidegrid.{s}" for s in STAGES):
            inside = within(module, stage) or any(within(module, k) for k in KNOW_THE_STAGES)
            if within(name, stage) and not inside:
                found.append(f"{module} imports {name}: only stack and cli know the stages")
        if within(name, "tidegrid.stack") and not any(within(module, k) for k in KNOW_THE_STAGES):
            found.append(f"{module} imports {name}: only cli knows the stack")
        if within(name, "tidegrid.doctor") and not any(
            within(module, k) for k in ("tidegrid.doctor", "tidegrid.cli")
        ):
            found.append(f"{module} imports {name}: only cli knows the doctor")
        if within(name, "tidegrid.cli") and module != "tidegrid.__main__":
            found.append(f"{module} imports {name}: nothing builds on the command line")
        if within(module, "tidegrid.contract"):
            outside = within(name, "tidegrid") and not within(name, "tidegrid.contract")
            if outside or engine == "confluent_kafka":
                found.append(f"{module} imports {name}: the contract stands alone")
    return found


def modules() -> list[tuple[str, Path]]:
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        parts = ["tidegrid", *path.relative_to(ROOT).with_suffix("").parts]
        found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return found


def test_every_module_keeps_to_its_layer() -> None:
    found = [
        line
        for module, path in modules()
        for line in violations(
            path.read_text("utf-8"), module, is_package=path.name == "__init__.py"
        )
    ]
    assert found == []


def test_every_stage_and_the_contract_are_looked_at() -> None:
    names = [name for name, _ in modules()]
    for package in ("contract", "stack", *STAGES):
        assert sum(within(name, f"tidegrid.{package}") for name in names) > 1, package
    assert "tidegrid.tables.app.d.tidegrid_app" in names


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("tidegrid.kafka", "import pyspark"),
        ("tidegrid.tables.app", "from pyspark.sql import DataFrame"),
        ("tidegrid.pipeline.query", "from deephaven import agg"),
        ("tidegrid.stack.up", "import deephaven_server as server"),
        ("tidegrid.settings", "def f():\n    import jpy"),
        ("tidegrid.machine.jars", "from importlib import import_module\nimport_module('pyspark')"),
        ("tidegrid.feed.people", "from tidegrid.broker.local import port_of"),
        ("tidegrid.pipeline.query", "from tidegrid import tables"),
        ("tidegrid.tables.app", "from ..pipeline import session"),
        ("tidegrid.tables.app", "if TYPE_CHECKING:\n    import tidegrid.pipeline.session"),
        ("tidegrid.kafka", "import tidegrid.feed"),
        ("tidegrid.pipeline.query", "from tidegrid.stack import status"),
        ("tidegrid.stack.up", "from tidegrid.cli import main"),
        ("tidegrid.doctor.parts", "from tidegrid.pipeline import session"),
        ("tidegrid.doctor.parts", "from deephaven import agg"),
        ("tidegrid.kafka", "from tidegrid.doctor import walk"),
        ("tidegrid.contract.views", "import confluent_kafka"),
        ("tidegrid.contract.views", "from tidegrid import settings"),
        ("tidegrid.contract.views", "from tidegrid.errors import KafkaError"),
        ("tidegrid.contract.views", "import pyspark.sql"),
    ],
)
def test_a_forbidden_import_is_found(module: str, source: str) -> None:
    assert violations(source, module) != []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("tidegrid.pipeline.query", "from pyspark.sql import DataFrame"),
        ("tidegrid.pipeline.query", "from tidegrid.pipeline import session"),
        ("tidegrid.pipeline.query", "from tidegrid.contract import topics"),
        ("tidegrid.tables.app", "from deephaven import agg"),
        ("tidegrid.tables.app", "from . import ingest"),
        ("tidegrid.contract.receipts", "from tidegrid.contract import topics\nimport json"),
        ("tidegrid.cli", "from tidegrid.pipeline.orchestrator import run"),
        ("tidegrid.stack.up", "from tidegrid.broker import local"),
        ("tidegrid.machine.jars", "import importlib.util\nimportlib.util.find_spec('pyspark')"),
    ],
)
def test_an_allowed_import_is_left_alone(module: str, source: str) -> None:
    assert violations(source, module) == []
