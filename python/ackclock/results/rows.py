"""Contents of the rows of a campaign's runs: metrics, factors and flows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from ackclock.errors import InputError
from ackclock.plurals import counted
from ackclock.results.emulated import COLUMNS, is_emulated, run_name
from ackclock.results.flows import FLOW_METRICS
from ackclock.results.metrics import METRICS
from ackclock.scenario.compile.facts import facts_by_name, kept_flows

if TYPE_CHECKING:
    from ackclock.campaign import Campaign, Run

REPLICATION, SEED = "replication", "seed"


def metrics_of(campaign: Campaign) -> tuple[str, ...]:
    """Return the measured metrics: first those of ``METRICS``, then those of a study."""
    if not campaign.runs:
        return tuple(METRICS)
    # Most rows have the same columns: one row of each kind is enough.
    rows = {tuple(run.row): run.row for run in campaign.runs}.values()
    numbers = dict.fromkeys(
        name for row in rows for name, value in row.items() if isinstance(value, int | float)
    )
    return tuple(sorted(numbers, key=lambda name: [*METRICS, name].index(name)))


def factors_of(campaign: Campaign, metrics: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of the factors, in the order of the sweep.

    Raises:
        InputError: a factor's column has the name of another column.
    """
    factors = tuple(
        dict.fromkeys(name for point in campaign.design.points for name in point.levels)
    )
    own = {*metrics, *FLOW_METRICS, REPLICATION, "flow", "group"}
    check_names(campaign, factors, own | set(COLUMNS) if is_emulated(campaign) else own)
    return factors


def check_names(campaign: Campaign, factors: Sequence[str], own: Collection[str]) -> None:
    """Check that no factor has the name of another column.

    Raises:
        InputError: a factor has the name of another column.
    """
    taken = [name for name in factors if name in own]
    if taken:
        raise InputError(
            f"{campaign.folder}: the factor {name} has the name of a column of the results; give it"
            " another name in the scenario and run it again: the runs are kept"
            for name in taken
        )


def facts_of(campaign: Campaign, point: int) -> dict[str, Any]:
    """Return the facts of a point of a campaign, by name."""
    design = campaign.design
    return facts_by_name(design.facts[design.points[point].facts])


def named_flows(campaign: Campaign, run: Run) -> list[int]:
    """Return the numbers of the flows in "flows" of the row of a run.

    Raises:
        InputError: the row has another number of flows than the point.
    """
    facts = facts_of(campaign, run.point)
    # Campaigns of earlier versions have no foreground flows.
    kept = kept_flows(facts.get("foreground", ()), len(facts["flow_names"]))
    if any(len(its) != len(kept) for its in run.row["flows"].values()):
        raise InputError(
            f"{campaign.folder}: the row of {run_name(run)} is not of its"
            f" {counted(len(kept), 'flow')}; delete the line from the journal and repeat the"
            " command that made the runs"
        )
    return kept
