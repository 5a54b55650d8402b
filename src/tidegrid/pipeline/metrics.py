"""Metrics: the figures of all parts, for Prometheus.

A scrape reads what the parts reported last and asks nobody anything.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from tidegrid import logs
from tidegrid.contract.health import COUNTERS, Figure, Reports
from tidegrid.errors import MachineError
from tidegrid.settings import Pipeline

_log = logs.get("pipeline")

_PLACE = ("flow", "generation", "topic", "partition")


@dataclass(frozen=True)
class _Metric:
    name: str
    help: str
    #: Its labels, each a field of a figure.
    labels: tuple[str, ...]
    #: What the field `label` of a figure is called here.
    called: str = ""


_METRICS = {
    "up": _Metric("up", "Whether a part has reported in the last 8 seconds.", ("part",)),
    "events": _Metric(
        "events_total", "Offsets of a source partition that reached the tables.", _PLACE
    ),
    "lag": _Metric(
        "lag_records", "Records of a source partition that have not reached the tables.", _PLACE
    ),
    "rejects": _Metric(
        "rejects_total",
        "Rejects that reached the tables, by the kind of reason.",
        ("flow", "generation", "topic"),
        called="reason",
    ),
    "rows_written": _Metric(
        "rows_written_total",
        "Rows that a changelog was given.",
        ("part", "flow", "generation"),
        called="changelog",
    ),
    "view_rows": _Metric(
        "view_rows", "Rows of a view, as viewers see it.", ("flow", "generation"), called="view"
    ),
    "restarts": _Metric(
        "query_restarts_total",
        "Times that a query ended and was started again.",
        ("part", "flow", "generation"),
    ),
    "errors": _Metric(
        "flow_errors_total",
        "Times that a flow went on after an error that is a bug.",
        ("part", "flow"),
    ),
    "state_bytes": _Metric(
        "state_bytes",
        "Bytes of Spark's state of a generation, as of its last commit.",
        ("part", "flow", "generation"),
        called="where",
    ),
    "committed_at": _Metric(
        "last_commit_timestamp_seconds",
        "When the query of a generation last committed.",
        ("part", "flow", "generation"),
    ),
    "live_generation": _Metric(
        "live_generation", "The number of the generation that viewers see.", ("flow",)
    ),
    "generation_state": _Metric(
        "generation_state",
        "1 for the state that a generation is in.",
        ("flow", "generation"),
        called="state",
    ),
    "last_swap_seconds": _Metric(
        "last_swap_seconds",
        "Seconds that the last generation to take over needed.",
        ("flow", "generation"),
        called="step",
    ),
}


class Figures(Collector):
    """The figures of the reports, as Prometheus collects them."""

    def __init__(self, reports: Reports) -> None:
        self._reports = reports

    def describe(self) -> Iterable[CounterMetricFamily | GaugeMetricFamily]:
        """Yield the metrics without their values."""
        return self._families().values()

    def collect(self) -> Iterable[CounterMetricFamily | GaugeMetricFamily]:
        """Yield the metrics that there are figures of."""
        families = self._families()
        for part, figure in self._reports.figures(time.time()):
            metric = _METRICS.get(figure.measure)
            if metric is not None:
                families[figure.measure].add_metric(_labels(metric, part, figure), figure.value)
        return [family for family in families.values() if family.samples]

    def _families(self) -> dict[str, CounterMetricFamily | GaugeMetricFamily]:
        return {
            measure: (CounterMetricFamily if measure in COUNTERS else GaugeMetricFamily)(
                f"tidegrid_{metric.name}",
                metric.help,
                labels=[*metric.labels, *([metric.called] if metric.called else [])],
            )
            for measure, metric in _METRICS.items()
        }


@contextlib.contextmanager
def served(settings: Pipeline, reports: Reports) -> Iterator[None]:
    """Serve the metrics, if the settings name a port."""
    if not settings.metrics_port:
        yield
        return
    registry = CollectorRegistry()
    registry.register(Figures(reports))
    ProcessCollector(registry=registry)
    address = f"{settings.metrics_host}:{settings.metrics_port}"
    try:
        server, _ = start_http_server(settings.metrics_port, settings.metrics_host, registry)
    except OSError as e:
        raise MachineError(
            f"metrics cannot be served on {address} ({e.strerror}): stop what listens there, or "
            "set pipeline.metrics_port (TIDEGRID_PIPELINE_METRICS_PORT) to another"
        ) from e
    _log.info("metrics at http://%s/metrics", address)
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


def _labels(metric: _Metric, part: str, figure: Figure) -> list[str]:
    values = [part if name == "part" else str(getattr(figure, name)) for name in metric.labels]
    return [*values, *([figure.label] if metric.called else [])]
