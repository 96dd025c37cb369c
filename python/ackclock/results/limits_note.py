"""What there is to say of a campaign in which cwnd does not limit the flows."""

from __future__ import annotations

from math import isnan, nan
from typing import TYPE_CHECKING

from ackclock.results.metrics import kept_flows

if TYPE_CHECKING:
    from ackclock.campaign import Campaign, Run

_WINDOW = "rwnd_limited"
_WORTH_SAYING = 0.5
"""The share of the time from which on the receive window is what limits a flow."""


def limits_note(campaign: Campaign) -> str:
    """One sentence on the flow that its receive window limits most; empty if cwnd limits all.

    Campaigns of earlier versions tell nothing of it.
    """
    found: dict[tuple[int, str], list[float]] = {}
    for run in campaign.runs:
        for name, share in _limited(campaign, run):
            found.setdefault((run.point, name), []).append(share)
    means = {key: sum(each) / len(each) for key, each in found.items()}
    limited = {key: mean for key, mean in means.items() if mean >= _WORTH_SAYING}
    if not limited:
        return ""
    (point, name), share = max(limited.items(), key=lambda item: item[1])
    levels = campaign.design.points[point].levels
    at = ", ".join(f"{factor} = {level}" for factor, level in levels.items())
    others = len(limited) - 1
    parts = [f"{_flow(name)} limited by the receive window {100 * share:.0f} % of the time"]
    parts += [f"at {at}"] * bool(at)
    parts += [f"({others} more at least half of the time)"] * bool(others)
    return f"{' '.join(parts)}: raise tcp.receive_buffer if you do not mean that"


def _limited(campaign: Campaign, run: Run) -> list[tuple[str, float]]:
    """The flows of a run and their shares, or all together where single ones are not kept."""
    told = run.row.get("flows", {}).get(_WINDOW)
    if told is None:
        named = [("", run.row.get(_WINDOW, nan))]
    else:
        facts = campaign.design.facts[campaign.design.points[run.point].facts]
        names = facts["flow_names"]
        kept = kept_flows(facts.get("foreground", ()), len(names))
        named = [(names[number], share) for number, share in zip(kept, told, strict=True)]
    return [(name, share) for name, share in named if not isnan(share)]


def _flow(name: str) -> str:
    """A flow as a sentence begins with it; all flows if there is no name."""
    if not name:
        return "The flows are"
    return f"{name[0].upper()}{name[1:]} is" if name.startswith("flow") else f'Flow "{name}" is'
