"""The parts beyond Kafka: Spark's master and its slots, and Deephaven with its login."""

from __future__ import annotations

import http.client
import os
import re
import ssl
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from tidegrid.contract.slots import GENERATIONS_AT_ONCE, LOCAL_SLOTS, Demand, slots_needed
from tidegrid.doctor import network
from tidegrid.doctor.findings import Answer, Problem, shown
from tidegrid.doctor.network import Place
from tidegrid.page import tls
from tidegrid.settings import PSK_VARIABLE, Secret, Settings

_TIMEOUT = 5.0
_PSK_LOGIN = "io.deephaven.authentication.psk.PskAuthenticationHandler"
_LOCAL = re.compile(r"local(?:\[(\d+|\*)(?:,\d+)?\])?\Z")


def spark(master: str) -> Answer[None]:
    """Look at Spark's master."""
    if _LOCAL.match(master) or not master:
        return Answer(f"{master or 'local'}: in the pipeline's own process", None)
    if not master.startswith("spark://"):
        return Answer(f"{master}: only Spark itself can tell whether it is there", None, "skipped")
    try:
        places = network.places(master.removeprefix("spark://"), "pipeline.master")
    except ValueError as e:
        raise Problem(f"{master} has no port", "set pipeline.master to spark://HOST:PORT") from e
    problems = []
    for place in places:
        try:
            network.resolve(place)
            with network.connected(place):
                return Answer(f"{master} answers", None)
        except Problem as e:
            problems.append(e)
    raise problems[0]


def slots(settings: Settings, partitions: Mapping[str, int]) -> Answer[None]:
    """Count the task slots that the queries hold; `partitions` are those of each flow's sources."""
    shuffle = settings.pipeline.shuffle_partitions
    demands = {flow: Demand(count, shuffle) for flow, count in partitions.items()}
    needed = sum(slots_needed([demand]) for demand in demands.values())
    sums = ", ".join(
        f"{flow} {d.source_partitions} to read + {d.shuffle_partitions} to shuffle"
        for flow, d in demands.items()
    )
    detail = f"{needed} are needed ({GENERATIONS_AT_ONCE} generations of: {sums})"
    local = _LOCAL.match(settings.pipeline.master)
    if not settings.pipeline.master:
        return Answer(f"{detail}, {max(needed, LOCAL_SLOTS)} there", None)
    if local is None:
        return Answer(f"{detail}; the cluster's are known when Spark starts there", None)
    there = (os.cpu_count() or 1) if local[1] == "*" else int(local[1] or 1)
    if there < needed:
        raise Problem(
            f"{detail}, {there} there",
            f'leave pipeline.master empty, or set it to "local[{needed}]" or more; tasks that '
            "wait for records cost little",
        )
    return Answer(f"{detail}, {there} there", None)


def page(settings: Settings) -> Answer[None]:
    """Ask Deephaven for the page. That it is not running yet is no failure."""
    parts = urllib.parse.urlsplit(settings.url)
    place = _place(settings)
    try:
        with network.connected(place):
            pass
    except Problem as e:
        raise Problem(
            e.detail, "start it with tidegrid tables, or with tidegrid up", "warning"
        ) from e
    trust = tls.trusting(Path(settings.tables.certificate)) if settings.tables.certificate else None
    try:
        with urllib.request.urlopen(  # noqa: S310
            settings.url, timeout=_TIMEOUT, context=trust
        ) as answer:
            return Answer(f"{settings.url}, {answer.status}", None)
    except urllib.error.HTTPError as e:
        raise Problem(
            f"{settings.url} answers with status {e.code}: Deephaven without Tidegrid's page, or "
            "something else",
            "start it with tidegrid tables, or set tables.port to where it is",
        ) from e
    except urllib.error.URLError as e:
        if isinstance(e.reason, ssl.SSLError):
            raise Problem(
                f"no TLS with {place} that can be trusted: {shown(str(e.reason), 120)}",
                "check the certificate of the tables",
            ) from e
        raise Problem(
            f"what listens at {place} does not answer as Deephaven does ({parts.scheme}): "
            f"{shown(str(e.reason), 120)}",
            f"stop what listens there, or set tables.port ({parts.port}) to another",
        ) from e
    except (OSError, http.client.HTTPException) as e:
        raise Problem(
            f"{place} takes the connection and does not answer as Deephaven: {shown(str(e), 120)}",
            "see the log of the tables; start them again",
        ) from e


def log_in(settings: Settings, key: Secret | None) -> Answer[None]:
    """Log in at Deephaven with the key of the page."""
    if key is None:
        return Answer(f"{PSK_VARIABLE} is not set here, so it was not tried", None, "skipped")
    # Takes a moment, and not everybody gets here.
    from pyarrow import ArrowException, flight

    place = _place(settings)
    scheme = "grpc+tls" if settings.url.startswith("https:") else "grpc"
    header = (b"authorization", f"{_PSK_LOGIN} {key}".encode())
    options = flight.FlightCallOptions(headers=[header], timeout=_TIMEOUT)
    certificate = settings.tables.certificate
    roots = {"tls_root_certs": Path(certificate).read_bytes()} if certificate else {}
    with flight.FlightClient(f"{scheme}://{place}", **roots) as client:
        try:
            tables = sum(1 for _ in client.list_flights(options=options))
        except flight.FlightUnauthenticatedError as e:
            raise Problem(
                "Deephaven refuses the key",
                f"{PSK_VARIABLE} here is not the one that the tables were started with",
            ) from e
        except ArrowException as e:
            raise Problem(
                f"Deephaven does not answer: {shown(str(e), 160, key)}",
                "see the log of the tables",
            ) from e
    return Answer(f"the key opens it, {tables} tables", None)


def _place(settings: Settings) -> Place:
    parts = urllib.parse.urlsplit(settings.url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return Place(parts.hostname or "", port, "tables.host and tables.port")
