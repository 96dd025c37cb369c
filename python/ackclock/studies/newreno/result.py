"""What the study gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from ackclock.results.emulated import Banner
from ackclock.scenario import Scenario
from ackclock.studies.common import result as common
from ackclock.studies.newreno.levels import Selection


@dataclass(frozen=True)
class KernelRequest:
    """What is asked for of the transfers of section V that the kernel makes.

    Attributes:
        duration: of each, as a scenario has it, "120 s"; the paper's if none.
        replications: of each imposed loss.
    """

    duration: str | None = None
    replications: int = 1


@dataclass(frozen=True)
class Request(common.Request):
    """The request, which determines every byte of the result except for the kernel's runs.

    Attributes:
        kernel: whether the kernel's TCP makes the transfers of section V, too, and how.
    """

    selection: Selection = field(default_factory=Selection)
    kernel: KernelRequest | None = None


@dataclass(frozen=True)
class KernelResult:
    """Table III with the kernel's TCP.

    Attributes:
        runs: a row a run, emulated or simulated: system, imposed_loss_pct, replication, seed,
            verdict and late_p50_us, late_p99_us, late_max_us of an emulated one, and what
            ``kernel.measuring`` returns.
        beside: see ``kernel.tables.beside_table``.
        steps: see ``kernel.tables.steps_table``.
        release: of the kernel.
        lateness: how late packets were, in words.
        banner: what stands above the results if not all emulated runs are valid.
        differences: what the scenario asks for and the kernel does otherwise.
    """

    runs: pd.DataFrame
    beside: pd.DataFrame
    steps: pd.DataFrame
    release: str
    lateness: str
    banner: Banner | None
    differences: tuple[str, ...]


@dataclass(frozen=True)
class NewRenoResult(common.StudyResult):
    """All tables of the study; the levels of a run are the columns of ``Point``.

    Attributes:
        scenarios: that of each part that was run.
        flows: a row a run and a foreground flow; see ``predictions.flows_table``.
        results: see ``analysis.results_table``.
        errors: see ``analysis.errors_table``.
        trust: see ``analysis.trust_table``.
        emulation: see ``emulation.emulation_table``; empty where that part was not run.
        internet: see ``internet.internet_table``; empty where that part was not asked for.
        kernel: what the kernel's TCP makes of section V; none if it was not asked for.
    """

    scenarios: Mapping[str, Scenario]
    flows: pd.DataFrame
    results: pd.DataFrame
    errors: pd.DataFrame
    trust: pd.DataFrame
    emulation: pd.DataFrame
    internet: pd.DataFrame
    kernel: KernelResult | None = None

    @property
    def selection(self) -> Selection:
        """The parts that were run."""
        return self.request.selection
