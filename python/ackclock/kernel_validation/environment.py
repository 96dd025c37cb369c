"""Where runs were emulated: the kernel, its settings, how the emulator was scheduled."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ackclock.campaign.provenance import PROVENANCE

if TYPE_CHECKING:
    from ackclock.campaign import Campaign, Run
    from ackclock.kernel_validation.runs import Made


@dataclass(frozen=True)
class Profile:
    """Settings of the kernel in the runs of a profile.

    Attributes:
        name: of the profile.
        congestion: congestion control.
        sysctls: as the kernel reports them in the first of these runs, by name below ``net.ipv4``.
        refused: those that could not be written, with the reason.
    """

    name: str
    congestion: str
    sysctls: dict[str, str]
    refused: dict[str, str]


@dataclass(frozen=True)
class Environment:
    """Where the runs were made; several values of a text stand with commas between.

    Attributes:
        kernel: its version.
        processors: that the campaigns could use.
        scheduling: of the emulator.
        application: what made the transfers.
        ports: kind of the devices.
        profiles: in the order in which they were first used.
        differences: what the scenarios ask for and the kernel does otherwise.
    """

    kernel: str
    processors: int
    scheduling: str
    application: str
    ports: str
    profiles: tuple[Profile, ...]
    differences: tuple[str, ...]

    def names(self) -> list[str]:
        """Names of all settings, in their order."""
        return list(dict.fromkeys(name for each in self.profiles for name in each.sysctls))

    def as_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return asdict(self)


def environment(made: Made) -> Environment:
    """Where the emulated runs were made, as their rows say."""
    campaigns = [part.emulated for part in made.parts if part.emulated is not None]
    runs = [run for campaign in campaigns for run in campaign.runs]
    described = [run.row["emulation"] for run in runs]
    differences = (
        each
        for one in described
        for settings in one["settings"]
        for each in settings["differences"]
    )
    return Environment(
        # After the number comes the name of a build.
        kernel=_all(f"Linux {one['kernel'].partition('-')[0]}" for one in described),
        processors=max(map(_processors, campaigns), default=0),
        scheduling=_all(one["scheduling"] for one in described),
        application=_all(one["application"] for one in described),
        ports=_all(one["ports"] for one in described),
        profiles=_profiles(runs),
        differences=tuple(dict.fromkeys(differences)),
    )


def _all(texts: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(texts)) or "–"


def _profiles(runs: Iterable[Run]) -> tuple[Profile, ...]:
    found: dict[tuple[str, str], Profile] = {}
    for run in runs:
        described = run.row["emulation"]
        for its in described["settings"]:
            if its.get("flows") == []:
                continue
            # Those of a run of an earlier version are of its first host.
            configured = its if "sysctls" in its else described["configured"]
            key = (its["profile"], its["congestion"])
            found.setdefault(key, Profile(*key, configured["sysctls"], configured["refused"]))
    return tuple(found.values())


def _processors(campaign: Campaign) -> int:
    """As the campaign's record of its calls has it; 0 if it has none."""
    try:
        sessions = json.loads((campaign.folder / PROVENANCE).read_bytes())["sessions"]
        return int(sessions[-1]["machine"]["processors"])
    except (OSError, ValueError, LookupError, TypeError):
        return 0
