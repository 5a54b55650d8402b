"""The pipeline on a real Spark cluster of a master and two workers, which are killed under load."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from bench.standalone import Standalone
from tests.support.browser import read_view
from tests.support.load import Load, shown, wait_until_right
from tests.support.stack import QUICK, Stack, eventually
from tests.support.worlds import make_world, no_orphans, sent
from tidegrid import kafka
from tidegrid.contract.health import Health
from tidegrid.errors import SwapError
from tidegrid.stack.status import newest_health

#: Two workers have slots for both flows and a swap, and one of them alone not for both flows: so
#: whatever is lost, tasks were on it.
CORES = 8
WORLD = {"usersTopic": "cluster.users", "accountsTopic": "cluster.accounts"}


@pytest.fixture(scope="module")
def cluster(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standalone]:
    """Start a master, and the pipeline on it in place of the local one; there are no workers yet.

    It goes on from the checkpoints that the local one left.
    """
    home = stack.settings.home
    quick = QUICK["JAVA_TOOL_OPTIONS"]
    with Standalone(tmp_path_factory.mktemp("cluster"), quick) as started:
        stack.kill_part("pipeline")
        stack.parts["pipeline"] = stack.start_process(
            "pipeline",
            home / "pipeline.log",
            TIDEGRID_PIPELINE_MASTER=started.master,
            TIDEGRID_PIPELINE_CHECKPOINTS=str(home / "checkpoints"),
            TIDEGRID_PIPELINE_EXECUTOR_HEAP_MB="1024",
            **QUICK,
        )
        try:
            yield started
        finally:
            stack.kill_part("pipeline")
    stack.start_part("pipeline")


def report(stack: Stack) -> Health:
    return newest_health(stack.connection)["pipeline"]


def test_queries_wait_for_task_slots_and_say_so(stack: Stack, cluster: Standalone) -> None:
    def waits() -> bool:
        return report(stack).state == "waiting" and "Spark has none" in report(stack).detail

    eventually("waiting for slots", waits, 90, every=0.5)
    assert "waiting for 6 task slots" in report(stack).detail
    cluster.add_workers(2, CORES, 1024)
    eventually("running", lambda: report(stack).state == "running", 90, every=0.5)


def test_a_swap_that_fits_takes_over_and_one_that_does_not_is_refused(
    stack: Stack, cluster: Standalone, page: Page
) -> None:
    assert make_world(stack, "cluster", users=100) == WORLD
    assert sent(stack, WORLD)[-1].endswith(": live")
    rows = read_view(page, "final_ui", ["userId", "name", "balance"])
    assert {tuple(row) for row in rows} == {(f"cluster-{n}", "cluster 0", 0) for n in range(100)}

    wide = {"usersTopic": "wide.users", "accountsTopic": "wide.accounts"}
    sizes = {"wide.users": len(cluster.workers) * CORES, "wide.accounts": 1}
    kafka.ensure_topics(stack.connection, sizes, {})
    with pytest.raises(SwapError, match=r"need 19 task slots .* Spark has \d left"):
        sent(stack, wide)


def test_what_is_lost_under_load_comes_back_to_the_right_rows(
    stack: Stack, cluster: Standalone, page: Page
) -> None:
    def lost(lose: Callable[[], None]) -> None:
        restarts = report(stack).restarts
        lose()
        eventually("a query starts again", lambda: report(stack).restarts > restarts, every=0.5)

    with Load(stack, "lost", *WORLD.values()) as load:
        eventually("the load arrives", lambda: shown(page, "lost"))
        first, second = cluster.workers
        lost(lambda: cluster.kill_executor(first))
        eventually("both queries run", lambda: report(stack).state == "running", every=0.5)
        lost(lambda: cluster.kill_worker(second))
        cluster.add_workers(1, CORES, 1024)
        eventually("both queries run again", lambda: report(stack).state == "running", every=0.5)
        before = load.sent
        eventually("more changes", lambda: load.sent > before + 1000)
    wait_until_right(load, page, "lost")
    eventually("nothing of the generation before", lambda: no_orphans(stack), every=0.5)
