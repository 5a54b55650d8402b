"""Flow files: found in folders, read as TOML, with their placeholders resolved."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from tidegrid.contract.declaration import environment
from tidegrid.contract.declaration.problems import DeclarationError, Problem

_Made = TypeVar("_Made")


def find(folders: Iterable[Path]) -> dict[str, Path]:
    """Return the flow files by their names; one of a later folder replaces an earlier one."""
    found = (path for folder in folders for path in sorted(folder.glob("*.toml")))
    # What is hidden is an editor's.
    return {path.stem: path for path in found if not path.name.startswith(".")}


def read(path: Path) -> dict[str, Any]:
    """Return what a flow file holds, with its placeholders as they are."""
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))
    except OSError as e:
        raise DeclarationError([Problem(str(path), "", e.strerror or str(e))]) from e
    except (ValueError, RecursionError) as e:
        raise DeclarationError([Problem(str(path), "", f"not valid TOML: {e}")]) from e


def read_all(folders: Iterable[Path], off: Collection[str]) -> dict[str, dict[str, Any]]:
    """Return what the flow files that are on hold; what is wrong in any is raised at once."""
    wanted = {name: path for name, path in find(folders).items() if name not in off}
    return each(wanted, lambda name: read(wanted[name]))


def documents(
    folders: Sequence[Path], off: Collection[str], values: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """Return the documents of the flow files that are on, with their placeholders resolved."""
    raw, paths = read_all(folders, off), find(folders)
    return each(raw, lambda name: environment.resolve(raw[name], values, str(paths[name])))


def each(names: Iterable[str], make: Callable[[str], _Made]) -> dict[str, _Made]:
    """Make something of each flow, and raise the problems of all together."""
    found: dict[str, _Made] = {}
    problems: list[Problem] = []
    for name in names:
        try:
            found[name] = make(name)
        except DeclarationError as e:
            problems += e.problems
    if problems:
        raise DeclarationError(problems)
    return found


def with_topics(
    document: Mapping[str, Any], topics: Mapping[str, str], join: str
) -> dict[str, Any]:
    """Return a document with other topics and, if it is not empty, another kind of join."""
    sources = {
        name: {**source, "topic": topics.get(name, source.get("topic", ""))}
        for name, source in document.get("sources", {}).items()
    }
    views = {
        name: {**view, "how": join} if join and "join" in view else view
        for name, view in document.get("views", {}).items()
    }
    return {**document, "sources": sources, "views": views}
