"""The jars beyond PySpark's own, fetched once from Maven Central by the Ivy inside PySpark."""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
from pathlib import Path

from tidegrid import logs
from tidegrid.errors import MachineError
from tidegrid.machine.java import java_command

_IVY_FILE = Path(__file__).with_name("ivy.xml")
_log = logs.get("jars")


def place(home: Path) -> Path:
    """Return where the folder with the jars is, or would be: it is named by what is in it."""
    digest = hashlib.sha256(_IVY_FILE.read_bytes()).hexdigest()[:12]
    return home / "jars" / digest


def ensure(home: Path) -> Path:
    """Return the folder with `spark/` and `broker/`, fetching the jars if they are not there yet.

    A folder is complete or absent: it is filled beside its place and then renamed.
    """
    folder = place(home)
    if folder.exists():
        return folder
    _log.info("fetching the Kafka connector and the broker from Maven Central, about 60 MB")
    partial = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    pattern = str(partial / "[conf]" / "[artifact]-[revision].[ext]")
    command = [java_command(), "-jar", str(_ivy_jar()), "-ivy", str(_IVY_FILE)]
    command += ["-confs", "spark", "broker", "-retrieve", pattern, "-types", "jar", "bundle"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not (partial / "spark").is_dir():
        tail = " ".join((done.stdout + done.stderr).split())[-400:]
        raise MachineError(
            "the jars could not be fetched from Maven Central; "
            f"check the network and disk space, then try again. Ivy said: {tail}"
        )
    partial.rename(folder)
    return folder


def spark_jars(home: Path) -> list[Path]:
    """Return the jars that Spark needs."""
    return sorted((ensure(home) / "spark").glob("*.jar"))


def broker_classpath(home: Path) -> str:
    """Return the classpath of the local broker."""
    return str((ensure(home) / "broker").resolve() / "*")


def _ivy_jar() -> Path:
    # Found without importing it: only the pipeline imports Spark.
    spec = importlib.util.find_spec("pyspark")
    folder = Path(spec.origin).parent / "jars" if spec and spec.origin else Path()
    found = sorted(folder.glob("ivy-*.jar"))
    if not found:
        raise MachineError("PySpark's Ivy jar is missing; install Tidegrid's requirements again")
    return found[0]
