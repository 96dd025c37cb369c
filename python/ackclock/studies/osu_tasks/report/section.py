"""What every section says, and how; colours and names that all figures share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ackclock.plots.panels import Axis
from ackclock.plots.shares import Paint
from ackclock.plots.style import (
    BLACK,
    BLUE,
    LIGHT,
    PUBLISHED,
    SERIES,
    SIMULATED,
    VERMILLION,
    series_look,
)
from ackclock.plurals import counted, listed
from ackclock.report.blocks import Bullets, Drawing, Figure, Heading, Section, Table, Text, Verdicts
from ackclock.report.numbers import fixed
from ackclock.scenario import Scenario
from ackclock.studies.machinery.figures import (
    INTERACTIONS,
    allocation_drawings,
    effects_drawing,
    explained,
    means_drawing,
)
from ackclock.studies.machinery.report import rows_of
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.running import PartRuns
from ackclock.studies.machinery.tables import ERROR, Column, allocation_table, means_table
from ackclock.studies.osu_tasks.levels import (
    ANALYSED_METRICS,
    DROP_POLICIES,
    EFFICIENCY,
    FAIRNESS,
    PERSISTENT,
    TCP_FLAVORS,
    WWW,
)

LOOKS = {
    "drop_policy": {policy: series_look(number) for number, policy in enumerate(DROP_POLICIES)},
    "tcp_flavor": dict(zip(TCP_FLAVORS, SERIES, strict=True)),
    "metric": {EFFICIENCY: SIMULATED, FAIRNESS: PUBLISHED},
    "traffic": {PERSISTENT: SIMULATED, WWW: PUBLISHED},
}
"""Of the levels that look the same in all figures."""
NAMES = {
    "drop_policy": "Drop policy",
    "tcp_flavor": "TCP flavor",
    "sources": "Sources",
    "buffer": "Buffer",
    "buffer_rtt": "Buffer",
    "share": "Guaranteed part",
}
"""Of the factors whose variation is analysed."""
SAID = {
    "sources": "number of sources",
    "drop_policy": "drop policy",
    "tcp_flavor": "TCP flavor",
    "buffer_rtt": "buffer",
    "share": "guaranteed part",
    "port": "queueing and drop policy",
    "group": "group of VCs",
}
"""Factors in a sentence; others are called like their columns."""
_TABLES = "The tables give the numbers."
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

    def over(self, *by: str) -> pd.DataFrame:
        """Means of efficiency and fairness over all points that share these levels."""
        return self.its.over(by, ANALYSED_METRICS)

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

    def means(
        self,
        metric: str,
        results: pd.DataFrame | None = None,
        *,
        x: Axis | str,
        series: Axis | str,
        facet: str = "",
        of: str = "",
        y_name: str = "",
        **how: Any,
    ) -> Drawing:
        """Means of a metric, with what follows from its factors; see ``means_drawing``.

        Args:
            metric: whose means.
            results: at all points of the part by default.
            x: factor along the axis.
            series: factor with a line each.
            facet: factor with a panel each.
            of: which of the points these are, if not all.
            y_name: by default the metric.
            **how: else they are drawn.
        """
        across, by = (each if isinstance(each, str) else each.column for each in (x, series))
        name = ", ".join(filter(None, [y_name or metric.capitalize(), of]))
        mark = "line" if how.get("joined", True) else "mark"
        panels = f", a panel for each {SAID.get(facet, facet)}" if facet else ""
        return means_drawing(
            "-".join(filter(None, [self.its.part.name, metric, by, of])),
            f"{name} by {SAID.get(across, across)}",
            f"A {mark} for each {SAID.get(by, by)}{panels}. {_TABLES}",
            self.results if results is None else results,
            metric,
            x=x,
            series=series,
            facet=facet or None,
            y_name=name,
            **{"looks": LOOKS.get(by), "most": 1, **how},
        )

    def effects(self, x_name: str, beside: str, **where: str) -> Drawing | None:
        """Main effects; see ``effects_drawing``."""
        return effects_drawing(
            "-".join([self.its.part.name, "effects", *where.values()]),
            f"Main effects, {x_name}",
            f"The effects of each level, by {beside}. {_TABLES}",
            self.its,
            where=where,
            beside=beside,
            looks=LOOKS[beside],
            names=NAMES | {"buffer_rtt": "Buffer (RTT)"},
            x_name=x_name,
        )

    def allocation_figure(self, caption: str) -> Figure | None:
        """What each factor explains of the variation; see ``allocation_drawings``."""
        id = f"{self.its.part.name}-shares"
        drawn = allocation_drawings(
            f"{id}-{{}}",
            "Allocation of the variation of {}",
            f"A bar for each row with the shares of factors and interactions. {_TABLES}",
            self.its,
            NAMES,
            PAINTS,
        )
        return self.figure(id, caption, drawn, bars="")

    def table(
        self,
        id: str,
        caption: str,
        keys: Mapping[str, str],
        columns: Sequence[Column],
        results: pd.DataFrame | None = None,
    ) -> Table:
        """Means at all points, or of other results; see ``means_table``.

        Args:
            id: unique in the page.
            caption: with {} for what stands in a cell.
            keys: headings of the columns that name a row.
            columns: the others.
            results: with all these columns.
        """
        rows = self.results if results is None else results
        halves = "one run of each combination, so that there is no interval"
        if self.has_intervals:
            halves = "means ± half of their 95\u00a0% intervals"
        return means_table(id, caption.format(halves), rows, keys, columns)

    def allocation_table(self) -> Table | None:
        """The same in numbers."""
        return allocation_table(self.its, NAMES)

    def explained(self, metric: str, *factors: str) -> list[str]:
        """The same of some factors, in one sentence; none where nothing was analysed."""
        frame = explained(self.its, metric, NAMES)
        if frame.empty:
            return []
        by = frame.pivot_table("percent", "row", "component", sort=False)
        shown = [
            f"{level} {listed([f'{row[NAMES[each]]:.0f}' for each in factors])}\u00a0%"
            for level, row in by.iterrows()
        ]
        names = listed([SAID[each] for each in factors])
        return [f"Of the variation of {metric}, {names} explain: {'; '.join(shown)}."]

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
