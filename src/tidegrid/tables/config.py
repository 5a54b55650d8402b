"""What Deephaven is told to serve Tidegrid: its properties, headers and JVM arguments."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tidegrid import __version__
from tidegrid.errors import MachineError
from tidegrid.settings import Settings, is_loopback

#: The application that Deephaven runs: a descriptor and its script.
APP_FOLDER = Path(__file__).with_name("app.d")

#: Everything comes from this server, scripts and styles from files alone, and nobody frames it.
#: The page makes its components' styles as objects, and Deephaven's JS API evaluates no text, so
#: nothing `unsafe-` is needed. Said in the page itself too: see web/src/index.html.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_YEAR = 365 * 24 * 3600
#: What the page reads before the log-in: see web/src/app/deephaven/page-settings.ts. Beside it, and
#: not in the manifest, which Deephaven writes again with the fields that it knows.
PAGE_SETTINGS = "settings.json"


def headers(settings: Settings) -> dict[str, str]:
    """Return the headers of every answer of the server."""
    always = {
        "Content-Security-Policy": CONTENT_SECURITY_POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "require-corp",
    }
    # A browser remembers it for all ports of a host, so it would break what else runs on this one.
    if settings.tables.certificate and not is_loopback(settings.tables.host_name):
        always["Strict-Transport-Security"] = f"max-age={_YEAR}"
    return always


def properties(settings: Settings, app: Path, plugins: Path) -> dict[str, str]:
    """Return Deephaven's properties, without the key that viewers log in with."""
    tables = settings.tables
    chosen = {
        "deephaven.application.dir": str(app.resolve()),
        "deephaven.jsPlugins.resourceBase": str(plugins.resolve()),
        "deephaven.console.disable": "true",
        "PeriodicUpdateGraph.targetCycleDurationMillis": str(tables.cycle_ms),
        # It would ask the system for the thread's time twice for each table in each cycle, which
        # took a third of all time.
        "ThreadProfiler.cpuProfilingEnabled": "false",
        "ThreadProfiler.memoryProfilingEnabled": "false",
        "http.session.durationMs": str(tables.session_minutes * 60_000),
    }
    if tables.certificate:
        chosen |= {
            "ssl.identity.type": "privatekey",
            "ssl.identity.certChainPath": str(Path(tables.certificate).resolve()),
            "ssl.identity.privateKeyPath": str(Path(tables.key).resolve()),
        }
    for name, value in headers(settings).items():
        chosen[f"http.add.header.{name}.enabled"] = "true"
        chosen[f"http.add.header.{name}.value"] = value
    return chosen


def jvm_arguments(settings: Settings) -> list[str]:
    """Return the JVM arguments of Deephaven that are no properties of its own."""
    return [f"-Xmx{settings.tables.heap_mb}m", *settings.connection.jvm()]


def publish_page(settings: Settings, folder: Path) -> None:
    """Put the built page into a folder of JS plugins, in place of what was there.

    Deephaven reads the folder when it starts, so another setting is told from the next start on.
    """
    page = settings.page_dir
    if not (page / "index.html").exists():
        raise MachineError(f"the page is not built: {page}/index.html is missing; run: make page")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(page, folder / "tidegrid")
    told = {"exports": settings.tables.exports}
    (folder / "tidegrid" / PAGE_SETTINGS).write_text(json.dumps(told) + "\n", "utf-8")
    plugin = {"name": "tidegrid", "version": __version__, "main": "index.html"}
    (folder / "manifest.json").write_text(json.dumps({"plugins": [plugin]}) + "\n", "utf-8")
