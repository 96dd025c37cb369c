"""What every section says, and how; colours and names that all figures share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ackclock.plots.shares import Paint
from ackclock.plots.style import BLACK, BLUE, LIGHT, SERIES, VERMILLION, series_look
from ackclock.plurals import counted, listed
from ackclock.report.blocks import (
    Bullets,
    Drawing,
    Figure,
    Heading,
    Section,
    Table,
    Text,
    Verdicts,
)
from ackclock.report.numbers import fixed
from ackclock.scenario import Scenario
from ackclock.studies.machinery import tables
from ackclock.studies.machinery.figures import INTERACTIONS
from ackclock.studies.machinery.report import rows_of
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.running import PartRuns
from ackclock.studies.machinery.tables import ERROR
from ackclock.studies.osu_tasks.levels import DROP_POLICIES, TCP_FLAVORS

POLICY_LOOKS = {policy: series_look(number) for number, policy in enumerate(DROP_POLICIES)}
FLAVOR_LOOKS = dict(zip(TCP_FLAVORS, SERIES, strict=True))
NAMES = {
    "drop_policy": "Drop policy",
    "tcp_flavor": "TCP flavor",
    "sources": "Sources",
    "buffer": "Buffer",
    "buffer_rtt": "Buffer",
    "share": "Guaranteed part",
}
"""Of the factors whose variation is analysed."""
PAINTS = {
    "Drop policy": Paint(VERMILLION),
    "TCP flavor": Paint(BLUE),
    "Sources": Paint("#00664A"),
    "Buffer": Paint("#8C510A"),
    INTERACTIONS: Paint(LIGHT, BLACK),
    ERROR: Paint("white", BLACK, BLACK),
}
"""Of the components of the variation, in the order of a bar."""


@dataclass(frozen=True)
class Task:
    """What a section says.

    Attributes:
        question: what the task asks.
        experiment: what was simulated, in one sentence with its settings.
        figures: what came of it, as pictures.
        answer: sentences, each computed from the results.
        tables: the numbers.
    """

    question: str
    experiment: str
    figures: Sequence[Figure | None]
    answer: Sequence[str]
    tables: Sequence[Table | None]


@dataclass(frozen=True)
class Experiment:
    """A part that was run, for its section.

    Attributes:
        result: of the study.
        its: the runs of the part.
    """

    result: StudyResult
    its: PartRuns

    @property
    def scenario(self) -> Scenario:
        """Of the part."""
        return self.its.scenario

    @property
    def results(self) -> pd.DataFrame:
        """Means at each point, with 95 % intervals."""
        return self.its.results

    @property
    def rate(self) -> str:
        """Of the trunk: "149.76 Mbit/s"."""
        return f"{self.scenario.topology.trunk.rate / 1e6:g} Mbit/s"

    @property
    def replicated(self) -> str:
        """How often each point was run, for the sentence on the experiment."""
        least, most = int(self.results["n"].min()), int(self.results["n"].max())
        few = self.its.part.fewer
        only = f", {least} {few.name}" if few and least < most else ""
        return counted(most, "replication") + only

    @property
    def halves(self) -> str:
        """What stands in the cells of a table of means."""
        if self.has_intervals:
            return "means ± half of their 95\u00a0% intervals"
        return "one run of each combination, so that there is no interval"

    @property
    def has_intervals(self) -> bool:
        """Whether some point was run more than once."""
        return bool(self.results["n"].max() > 1)

    @property
    def source(self) -> str:
        """What produced the numbers of a figure."""
        numbers = self.results["n"].value_counts(sort=False).sort_index(ascending=False)
        shown = " and ".join(
            f"{counted(int(n), 'replication')} of {counted(int(points), 'combination')}"
            for n, points in numbers.items()
        )
        return (
            f"Simulated: {counted(len(self.its.runs), 'run')}, {shown}, base seed "
            f"{self.result.seed}, ackclock {self.result.version}."
        )

    def levels(self, column: str) -> list[Any]:
        """The levels of a factor that were run, in their order."""
        return list(self.results[column].unique())

    def listed(self, column: str, text: str = "{}") -> str:
        """The same in words: "5, 15 and 50"."""
        return listed([text.format(level) for level in self.levels(column)])

    def figure(
        self,
        id: str,
        caption: str,
        drawings: Sequence[Drawing | None],
        bars: str = "95\u00a0% intervals of the means",
        source: str = "",
    ) -> Figure | None:
        """Drawings with what they show; nothing without any.

        Args:
            id: unique in the page.
            caption: without what the bars are.
            drawings: those that are there.
            bars: what they are, where there are intervals over replications; "" if there are none.
            source: what produced the numbers; by default all runs of the part.
        """
        shown = [each for each in drawings if each is not None]
        ends = f" Bars: {bars}." if bars and self.has_intervals else ""
        return Figure(id, caption + ends, source or self.source, shown) if shown else None

    def allocation(self) -> Table | None:
        """What each factor explains of the variation."""
        return tables.allocation_table(self.its, NAMES)

    def section(self, task: Task) -> Section:
        """The section of the page."""
        part = self.its.part
        tasks = f"Task{'s' if ',' in part.task else ''} {part.task.replace(', ', ' and ')}"
        ids = {claim.id for claim in self.result.study.claims if part.name in claim.needs}
        claims = [row for row in rows_of(self.result) if row["id"] in ids]
        numbers = [table for table in task.tables if table is not None]
        return Section(
            f"part-{part.name}",
            f"{tasks}: {part.title}",
            [
                Text(task.question, lead="Question."),
                Text(task.experiment, lead="Experiment."),
                *task.figures,
                Heading("Answer"),
                Bullets(task.answer),
                *([Heading(f"Claims of {tasks.lower()}"), Verdicts(claims)] if claims else ()),
                *([Heading("Numbers"), *numbers] if numbers else ()),
            ],
        )


def with_ends(mean: float, lo: float, hi: float) -> str:
    """A mean with half of its interval in words: "0.981 ± 0.004"; without one, the mean."""
    text = fixed(mean)
    return f"{text} ± {(hi - lo) / 2:.3f}" if pd.notna(hi - lo) else text
