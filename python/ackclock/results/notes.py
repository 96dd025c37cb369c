"""Notes on the results of a campaign: equal replications, flows that cwnd does not limit."""

from __future__ import annotations

from math import isnan, nan
from typing import TYPE_CHECKING

from ackclock.plots.quantities import point_text
from ackclock.plurals import counted
from ackclock.results.equal_replications import sameness_note
from ackclock.results.rows import facts_of, named_flows

if TYPE_CHECKING:
    from ackclock.campaign import Campaign, Run
    from ackclock.results.results import Results
_WINDOW = "rwnd_limited"
_WORTH_SAYING = 0.5
"""From this share of the time on, a note names a flow as limited by the receive window."""


def notes(*several: Results) -> list[str]:
    """Return distinct notes on equal replications and on flows that cwnd does not limit."""
    said = [note for its in several for note in (sameness_note(its), limits_note(its.campaign))]
    return list(dict.fromkeys(filter(None, said)))


def limits_note(campaign: Campaign) -> str:
    """Return a sentence on the flow that its receive window limits most; may be empty.

    Campaigns of earlier versions have no such metric.
    """
    found: dict[tuple[int, str], list[float]] = {}
    for run in campaign.runs:
        for name, share in _limited(campaign, run):
            found.setdefault((run.point, name), []).append(share)
    means = {key: sum(each) / len(each) for key, each in found.items()}
    limited = {key: mean for key, mean in means.items() if mean >= _WORTH_SAYING}
    if not limited:
        return ""
    worst, share = max(limited.items(), key=lambda item: item[1])
    points = campaign.design.points
    where = point_text(points[worst[0]].levels)
    parts = [f"{_flow(worst[1])} limited by the receive window {100 * share:.0f} % of the time"]
    parts += [f"at {where}"] * bool(where)
    return (
        f"{' '.join(parts)}{_others(list(limited), worst)}: raise tcp.receive_buffer if you"
        " do not intend this"
    )


def _others(limited: list[tuple[int, str]], worst: tuple[int, str]) -> str:
    """Return text about other flows that are limited at least half of the time; may be empty."""
    if len(limited) == 1:
        return ""
    others = len(limited) - 1
    if all(point == worst[0] for point, _ in limited):
        return f", and {counted(others, 'other flow')} at least half of the time"
    if all(name == worst[1] for _, name in limited):
        return f", and at {counted(others, 'other point')} at least half of the time"
    return f", and in {counted(others, 'other case')} (a flow at a point) at least half of the time"


def _limited(campaign: Campaign, run: Run) -> list[tuple[str, float]]:
    """Return flows of a run with their shares, or one share where single flows are not kept."""
    described = run.row.get("flows", {}).get(_WINDOW)
    if described is None:
        named = [("", run.row.get(_WINDOW, nan))]
    else:
        names = facts_of(campaign, run.point)["flow_names"]
        kept = named_flows(campaign, run)
        named = [(names[number], share) for number, share in zip(kept, described, strict=True)]
    return [(name, share) for name, share in named if not isnan(share)]


def _flow(name: str) -> str:
    """Return the subject of a sentence: the flow, or all flows without a name."""
    if not name:
        return "The flows are"
    if name == "flow":
        return "The flow is"
    return f"{name[0].upper()}{name[1:]} is" if name.startswith("flow ") else f'Flow "{name}" is'
