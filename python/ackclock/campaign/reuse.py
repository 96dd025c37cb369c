"""Takes over runs that another campaign has made and this one needs too."""

from __future__ import annotations

from collections.abc import Sequence

from ackclock.campaign.design import Design
from ackclock.campaign.journal import as_json
from ackclock.campaign.reader import Campaign
from ackclock.campaign.schedule import EarlierRuns, Task
from ackclock.campaign.store import Store
from ackclock.campaign.worker import Outcome


def take_over(
    others: Sequence[Campaign], design: Design, earlier: EarlierRuns, store: Store
) -> int:
    """Keep the rows that other campaigns have of runs of this one that it has not.

    The identity of a run shows that another build made it, but not which facts it was measured by;
    these must be the same. Runs with probes stay where they are, with what was recorded.

    Args:
        others: who may have made them.
        design: of this campaign.
        earlier: what this campaign has; it learns of the rows.
        store: of this campaign.

    Returns:
        How many rows were taken over.

    Raises:
        OSError: the folder cannot be written.
    """
    wanted = _wanted(design, earlier) if others else {}
    facts = _facts(design)
    before = len(wanted)
    for campaign in others:
        theirs = _facts(campaign.design)
        for run in campaign.runs:
            identity = campaign.design.identity(run.point, run.replication)
            task = wanted.get(identity)
            if task is not None and theirs[run.point] == facts[task.point]:
                store.keep(task, Outcome(as_json(run.row), {}, run.duration_s))
                earlier.take({"run": identity, "row": run.row})
                del wanted[identity]
    return before - len(wanted)


def _wanted(design: Design, earlier: EarlierRuns) -> dict[str, Task]:
    """Runs that may be needed and have no row, by identity."""
    tasks = (
        Task(point, replication)
        for point in design.distinct()
        for replication in range(design.replications.maximum)
    )
    named = {design.identity(*task): task for task in tasks if not design.is_traced(*task)}
    return {name: task for name, task in named.items() if bytes.fromhex(name) not in earlier.made}


def _facts(design: Design) -> list[str]:
    """The facts of each point as text, so that nan is the same as nan."""
    texts = [as_json(facts) for facts in design.facts]
    return [texts[point.facts] for point in design.points]
