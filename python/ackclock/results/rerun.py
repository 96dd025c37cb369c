"""Commands that make runs again with more probes."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ackclock.campaign import Campaign

_ENDING = ".results"
"""Suffix of the default folder for the runs of a scenario file."""


def rerun(campaign: Campaign, probes: Mapping[str, str]) -> str:
    """Return the command that makes the recorded runs of a campaign again with other probes.

    Args:
        campaign: campaign with the runs.
        probes: values of [probes] by key.

    Returns:
        "run it again: " and the command; only "run it again" if the scenario file is not beside
        the folder.
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
    """Return the number of replications in the scenario of a campaign."""
    from ackclock.scenario.document import read, with_sets

    document, _ = with_sets(read(campaign.text + "\n"), campaign.design.sets)
    return int(document.values.get("replications") or 1)
