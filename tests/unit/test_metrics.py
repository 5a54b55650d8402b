"""Metrics: figures as Prometheus reads them, served on a port if one is set."""

from __future__ import annotations

import time
import urllib.error
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tidegrid.contract.health import COUNTERS, SECOND, Figure, Health, Reports
from tidegrid.errors import MachineError
from tidegrid.machine.ports import free_port
from tidegrid.pipeline import metrics
from tidegrid.settings import Pipeline

PLACE = ("customers", 3, "users", 0)
FIGURES = (
    Figure("events", 120, *PLACE),
    Figure("lag", 4, *PLACE),
    Figure("rejects", 2, "customers", 3, "users", label='not JSON "\n\\'),
    Figure("rows_written", 130, "customers", 3, label="customers"),
    Figure("view_rows", 90, "customers", 3, label="users_ui"),
    Figure("restarts", 1, "customers", 3),
    Figure("errors", 2, "customers"),
    Figure("state_bytes", 4096, "customers", 3, label="files"),
    Figure("live_generation", 3, "customers"),
    Figure("generation_state", 1, "customers", 3, label="live"),
    Figure("last_swap_seconds", 2.5, "customers", 3, label="catch-up"),
    Figure("events_per_second", 60, "customers", 3),
)


def read(port: int) -> dict[str, tuple[str, dict[str, str], float]]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        text = answer.read().decode()
    return {
        sample.name: (family.type, sample.labels, sample.value)
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_every_figure_has_its_name_labels_and_type() -> None:
    reports, port = Reports(), free_port()
    with metrics.served(Pipeline(metrics_port=port), reports):
        assert read(port)["tidegrid_up"] == ("gauge", {"part": "tables"}, 0)
        reports.take(Health("tables", time.time(), "live", figures=FIGURES))
        found = read(port)
    place = {"flow": "customers", "generation": "3"}
    source = {**place, "topic": "users"}
    assert {name: found[name] for name in found if name.startswith("tidegrid_")} == {
        "tidegrid_up": ("gauge", {"part": "tables"}, 1),
        "tidegrid_events_total": ("counter", {**source, "partition": "0"}, 120),
        "tidegrid_lag_records": ("gauge", {**source, "partition": "0"}, 4),
        "tidegrid_rejects_total": ("counter", {**source, "reason": 'not JSON "\n\\'}, 2),
        "tidegrid_rows_written_total": (
            "counter",
            {"part": "tables", **place, "changelog": "customers"},
            130,
        ),
        "tidegrid_view_rows": ("gauge", {**place, "view": "users_ui"}, 90),
        "tidegrid_query_restarts_total": ("counter", {"part": "tables", **place}, 1),
        "tidegrid_flow_errors_total": (
            "counter",
            {"part": "tables", "flow": "customers"},
            2,
        ),
        "tidegrid_state_bytes": (
            "gauge",
            {"part": "tables", **place, "where": "files"},
            4096,
        ),
        "tidegrid_live_generation": ("gauge", {"flow": "customers"}, 3),
        "tidegrid_generation_state": ("gauge", {**place, "state": "live"}, 1),
        "tidegrid_last_swap_seconds": ("gauge", {**place, "step": "catch-up"}, 2.5),
    }
    assert "process_start_time_seconds" in found
    counters = {name for name, (kind, _, _) in found.items() if kind == "counter"}
    assert len([name for name in counters if name.startswith("tidegrid_")]) == len(COUNTERS)


def test_no_two_series_of_a_pair_are_the_same() -> None:
    reports, port = Reports(), free_port()
    measured = [f for f in FIGURES if f.measure in ("rows_written", "restarts", "state_bytes")]
    with metrics.served(Pipeline(metrics_port=port), reports):
        for part in ("pipeline", SECOND):
            reports.take(Health(part, time.time(), "running", figures=tuple(measured)))
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            lines = [line for line in answer.read().decode().splitlines() if line[0] != "#"]
    series = [line.rpartition(" ")[0] for line in lines if line.startswith("tidegrid_")]
    assert len(series) == len(set(series)) == 3 + 2 * len(measured)


def test_nothing_is_served_unless_a_port_is_set() -> None:
    with metrics.served(Pipeline(), Reports()):
        pass
    port = free_port()
    with metrics.served(Pipeline(metrics_port=port), Reports()):
        read(port)
    with pytest.raises(urllib.error.URLError):
        read(port)


def test_a_port_in_use_is_named() -> None:
    port = free_port()
    with (
        metrics.served(Pipeline(metrics_port=port), Reports()),
        pytest.raises(MachineError, match=f"127.0.0.1:{port} .*TIDEGRID_PIPELINE_METRICS_PORT"),
        metrics.served(Pipeline(metrics_port=port), Reports()),
    ):
        pass
