"""Facts about a campaign's results from its scenario, without checking all points again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ackclock.campaign import Campaign
    from ackclock.scenario.model.figures import Figure

USUAL_METRICS = ("goodput_bit_s", "utilisation", "jain_fairness", "retransmitted_share")


class Description(NamedTuple):
    """What is shown, and how.

    Attributes:
        title: of the scenario, or else the name of the folder.
        description: of the scenario; may be empty.
        metrics: that are shown.
        figures: of the scenario, by name.
        queue_unit: what the queues hold: "packets" or "cells"; empty if unknown.
    """

    title: str
    description: str
    metrics: tuple[str, ...]
    figures: dict[str, Figure]
    queue_unit: str


def described(campaign: Campaign) -> Description:
    """What the scenario in the folder says.

    Raises:
        InputError: the file in the folder was changed and is no scenario any more.
    """
    name = campaign.folder.resolve().name.removesuffix(".results")
    if not campaign.text.strip():
        return Description(name, "", USUAL_METRICS, {}, "")
    # A scenario is read as far as it is needed: to load it would compile all of its points.
    from ackclock.scenario.document import read, with_sets
    from ackclock.scenario.keys import get
    from ackclock.scenario.model.figures import Figure

    document, _ = with_sets(read(campaign.text + "\n"), campaign.design.sets)
    values = document.values
    metrics = tuple(map(str, values.get("metrics", ())))
    figures = [Figure.model_validate(each) for each in values.get("figures", ())]
    return Description(
        str(values.get("title") or name),
        str(values.get("description") or ""),
        metrics or USUAL_METRICS,
        {figure.file_name: figure for figure in figures},
        "cells" if str(get(values, ("topology", "kind"))).startswith("atm_") else "packets",
    )
