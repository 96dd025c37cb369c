"""Take over runs that another campaign has made and that this campaign needs too."""

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
    """Copy rows of missing runs from other campaigns.

    The identity of a run covers the build, but not the facts from which its metrics are computed;
    these must be equal. Runs with probes are not copied, because their records stay in the other
    folder.

    Args:
        others: campaigns that may have made the runs.
        design: design of this campaign.
        earlier: existing runs of this campaign; the copied rows are added.
        store: store of this campaign.

    Returns:
        The number of copied rows.

    Raises:
        OSError: the folder cannot be written.
    """
    wanted = _missing_runs(design, earlier) if others else {}
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


def _missing_runs(design: Design, earlier: EarlierRuns) -> dict[str, Task]:
    """Return the runs without a row that may be needed, by identity."""
    tasks = (
        Task(point, replication)
        for point in design.distinct()
        for replication in range(design.replications.maximum)
    )
    named = {design.identity(*task): task for task in tasks if not design.is_traced(*task)}
    return {name: task for name, task in named.items() if bytes.fromhex(name) not in earlier.made}


def _facts(design: Design) -> list[str]:
    """Return the facts of each point as text, so that nan equals nan."""
    texts = [as_json(facts) for facts in design.facts]
    return [texts[point.facts] for point in design.points]
