"""Checkpoints as Spark leaves them: what a query has committed, and where it goes on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tidegrid.contract.receipts import Offsets


def committed_batches(checkpoint: Path) -> int:
    """Return how many batches a checkpoint has committed; the files of old ones are gone."""
    commits = checkpoint / "commits"
    found = commits.iterdir() if commits.is_dir() else ()
    return max((1 + int(p.name) for p in found if p.name.isdigit()), default=0)


def committed_offsets(checkpoint: Path) -> Offsets | None:
    """Return the offsets that a query of one source goes on from; None if there are none."""
    last = committed_batches(checkpoint) - 1
    try:
        # A version, the settings of the batch, and a line for each source.
        found = json.loads((checkpoint / "offsets" / str(last)).read_text().splitlines()[2])
    except (OSError, IndexError, ValueError):
        # Whatever is wrong with it, Spark says so.
        return None
    return found if isinstance(found, dict) else None


def clear_uncommitted(checkpoint: Path) -> None:
    """Remove a checkpoint that never committed: it holds nothing, and Spark refuses it."""
    if checkpoint.exists() and committed_batches(checkpoint) == 0:
        shutil.rmtree(checkpoint)
