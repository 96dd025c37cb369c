"""How to make the runs again with what was not recorded in them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ackclock.campaign import Campaign

_ENDING = ".results"
"""Of the folder in which the runs of a file are, unless another was named."""


def rerun(campaign: Campaign, probes: Mapping[str, str]) -> str:
    """The command that makes the recorded runs of a campaign again with other probes.

    Args:
        campaign: whose runs.
        probes: keys of [probes] with their values.

    Returns:
        It, with "run it again: " before it; or just "run it again" where the file of the scenario
        is not beside the folder.
    """
    folder = campaign.folder if campaign.folder.name else campaign.folder.resolve()
    file = folder.with_name(f"{folder.name.removesuffix(_ENDING)}.toml")
    if not file.is_file():
        return "run it again"
    words = ["ackclock", "run", str(file)]
    if not folder.name.endswith(_ENDING):
        words += ["--out", str(folder)]
    rule = campaign.design.replications
    if not rule.target and rule.minimum != _stated(campaign):
        words += ["--replications", str(rule.minimum)]
    for each in [*campaign.design.sets, *(f"probes.{key}={probes[key]}" for key in probes)]:
        words += ["--set", each]
    return f"run it again: {shlex.join(words)}"


def _stated(campaign: Campaign) -> int:
    """How many replications the scenario of a campaign asks for."""
    from ackclock.scenario.document import read, with_sets

    document, _ = with_sets(read(campaign.text + "\n"), campaign.design.sets)
    return int(document.values.get("replications") or 1)
