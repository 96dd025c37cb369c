"""Title, metrics and figures from a campaign's scenario, without compiling its points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ackclock.campaign import Campaign
    from ackclock.scenario.model.figures import Figure

USUAL_METRICS = ("goodput_bit_s", "utilisation", "jain_fairness", "retransmitted_share")


class Description(NamedTuple):
    """Title, metrics and figures that a scenario describes.

    Attributes:
        title: title of the scenario; without one, the name of the folder.
        description: description in the scenario; may be empty.
        metrics: metrics to show.
        figure_tables: figures of the scenario, as they are written.
        queue_unit: unit of the queues: "packets" or "cells"; empty if unknown.
    """

    title: str
    description: str
    metrics: tuple[str, ...]
    figure_tables: tuple[dict[str, Any], ...]
    queue_unit: str

    @property
    def figures(self) -> dict[str, Figure]:
        """Return the figures by name; a table of results does not wait for their model."""
        if not self.figure_tables:
            return {}
        from ackclock.scenario.model.figures import Figure

        figures = map(Figure.model_validate, self.figure_tables)
        return {figure.file_name: figure for figure in figures}


def described(campaign: Campaign) -> Description:
    """Return title, metrics and figures from the scenario in the folder.

    Raises:
        InputError: the file in the folder was changed and is no longer a valid scenario.
    """
    name = campaign.folder.resolve().name.removesuffix(".results")
    if not campaign.text.strip():
        return Description(name, "", USUAL_METRICS, (), "")
    # Only these tables are read: to load the whole scenario would compile all of its points.
    from ackclock.scenario.document import read, with_sets
    from ackclock.scenario.keys import get

    document, _ = with_sets(read(campaign.text + "\n"), campaign.design.sets)
    values = document.values
    metrics = tuple(map(str, values.get("metrics", ())))
    return Description(
        str(values.get("title") or name),
        str(values.get("description") or ""),
        metrics or USUAL_METRICS,
        tuple(values.get("figures", ())),
        "cells" if str(get(values, ("topology", "kind"))).startswith("atm_") else "packets",
    )
