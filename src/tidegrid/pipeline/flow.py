"""What the pipeline knows about a flow: what its settings ask for, and the query that makes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tidegrid.contract.control import Build
from tidegrid.contract.receipts import Receipt
from tidegrid.contract.views import Flow
from tidegrid.pipeline.query import QuerySpec
from tidegrid.settings import Settings

#: Part of every recipe. Another number here is another shape of changelogs or of state: what an
#: earlier version of Tidegrid left is then built anew.
FORMAT = "3"


@dataclass(frozen=True)
class FlowPipeline:
    """One flow, for the orchestrator."""

    contract: Flow
    #: The generation that the settings ask for.
    wanted: Callable[[Settings], Build]
    #: The settings that shape rows and state; a generation keeps its own.
    recipe: Callable[[Settings], dict[str, str]]
    #: The query of a generation: its receipt, its changelogs by name, its checkpoint.
    query: Callable[[Receipt, dict[str, str], Path], QuerySpec]

    @property
    def name(self) -> str:
        """The name of the flow."""
        return self.contract.name
