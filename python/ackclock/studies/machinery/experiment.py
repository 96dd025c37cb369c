"""A part of a study as a section of its report: question, experiment, figures, answer, numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from ackclock.plots.panels import Axis
from ackclock.plots.shares import Paint
from ackclock.plots.style import Series
from ackclock.plurals import counted, listed
from ackclock.report.blocks import Bullets, Drawing, Figure, Heading, Section, Table, Text, Verdicts
from ackclock.scenario import Scenario
from ackclock.studies.machinery.figures import (
    allocation_drawings,
    effects_drawing,
    explained,
    means_drawing,
)
from ackclock.studies.machinery.report import rows_of
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.running import PartRuns
from ackclock.studies.machinery.tables import Column, allocation_table, means_table

_TABLES = "The tables give the numbers."


@dataclass(frozen=True)
class Style:
    """What all sections of a report have in common.

    Attributes:
        metrics: those that all parts have.
        names: of the factors whose variation is analysed, for headings.
        said: of factors, in a sentence; others are called like their columns.
        looks: of the levels that look the same in all figures, by column.
        paints: of components of the variation, in the order of a bar.
    """

    metrics: Sequence[str]
    names: Mapping[str, str]
    said: Mapping[str, str]
    looks: Mapping[str, Mapping[Any, Series]]
    paints: Mapping[str, Paint]

    def name(self, factor: str) -> str:
        """A factor in a sentence."""
        return self.said.get(factor, factor)


@dataclass(frozen=True)
class Task:
    """What a section says.

    Attributes:
        question: what the part asks.
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
        made: the runs of the part.
        style: of the report.
    """

    result: StudyResult
    made: PartRuns
    style: Style

    @property
    def scenario(self) -> Scenario:
        """Of the part."""
        return self.made.scenario

    @property
    def results(self) -> pd.DataFrame:
        """Means at each point, with 95 % intervals."""
        return self.made.results

    @property
    def rate(self) -> str:
        """Of the trunk: "149.76 Mbit/s"."""
        return f"{self.scenario.topology.trunk.rate / 1e6:g} Mbit/s"

    @property
    def replicated(self) -> str:
        """How often each point was run, for the sentence on the experiment."""
        least, most = int(self.results["n"].min()), int(self.results["n"].max())
        few = self.made.part.fewer
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
            f"Simulated: {counted(len(self.made.runs), 'run')}, {shown}, base seed "
            f"{self.result.seed}, ackclock {self.result.version}."
        )

    def over(self, *by: str) -> pd.DataFrame:
        """Means of the style's metrics over all points that share these levels."""
        return self.made.over(by, self.style.metrics)

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
        panels = f", a panel for each {self.style.name(facet)}" if facet else ""
        return means_drawing(
            "-".join(filter(None, [self.made.part.name, metric, by, of])),
            f"{name} by {self.style.name(across)}",
            f"A {mark} for each {self.style.name(by)}{panels}. {_TABLES}",
            self.results if results is None else results,
            metric,
            x=x,
            series=series,
            facet=facet or None,
            y_name=name,
            **{"looks": self.style.looks.get(by), "most": 1, **how},
        )

    def effects(
        self, x_name: str, beside: str, names: Mapping[str, str] = {}, **where: str
    ) -> Drawing | None:
        """Main effects; see ``effects_drawing``.

        Args:
            x_name: what the effect is one on.
            beside: column whose levels stand beside each other.
            names: of factors that are called otherwise here.
            **where: what the rows of the effects have in common.
        """
        return effects_drawing(
            "-".join([self.made.part.name, "effects", *where.values()]),
            f"Main effects, {x_name}",
            f"The effects of each level, by {beside}. {_TABLES}",
            self.made,
            where=where,
            beside=beside,
            looks=self.style.looks[beside],
            names={**self.style.names, **names},
            x_name=x_name,
        )

    def allocation_figure(self, caption: str) -> Figure | None:
        """What each factor explains of the variation; see ``allocation_drawings``."""
        id = f"{self.made.part.name}-shares"
        drawn = allocation_drawings(
            f"{id}-{{}}",
            "Allocation of the variation of {}",
            f"A bar for each row with the shares of factors and interactions. {_TABLES}",
            self.made,
            self.style.names,
            self.style.paints,
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
        halves = "one run of each combination, without an interval"
        if self.has_intervals:
            halves = "means ± half of their 95\u00a0% intervals"
        return means_table(id, caption.format(halves), rows, keys, columns)

    def tables(
        self,
        id: str,
        caption: str,
        keys: Mapping[str, str],
        columns: Sequence[Column],
        results: pd.DataFrame | None = None,
    ) -> list[Table]:
        """The same for each of the style's metrics, whose name {} in ``id`` stands for."""
        return [
            self.table(
                id.format(metric),
                f"{metric.capitalize()} {caption}: {{}}.",
                keys,
                [column._replace(metric=metric) for column in columns],
                results,
            )
            for metric in self.style.metrics
        ]

    def allocation_table(self) -> Table | None:
        """What each factor explains of the variation, in numbers."""
        return allocation_table(self.made, self.style.names)

    def explained(self, metric: str, *factors: str) -> list[str]:
        """What some factors explain, in one sentence; none where nothing was analysed."""
        frame = explained(self.made, metric, self.style.names)
        if frame.empty:
            return []
        by = frame.pivot_table("percent", "row", "component", sort=False)
        shown = [
            f"{level} {listed([f'{row[self.style.names[each]]:.0f}' for each in factors])}\u00a0%"
            for level, row in by.iterrows()
        ]
        names = listed([self.style.name(each) for each in factors])
        return [f"Of the variation of {metric}, {names} explain: {'; '.join(shown)}."]

    def section(self, task: Task) -> Section:
        """The section of the page."""
        part = self.made.part
        title, claims_of = part.title, "Claims"
        if part.task:
            tasks = f"Task{'s' if ',' in part.task else ''} {part.task.replace(', ', ' and ')}"
            title, claims_of = f"{tasks}: {title}", f"Claims of {tasks.lower()}"
        ids = {claim.id for claim in self.result.study.claims if part.name in claim.needs}
        claims = [row for row in rows_of(self.result) if row["id"] in ids]
        numbers = [table for table in task.tables if table is not None]
        return Section(
            f"part-{part.name}",
            title,
            [
                Text(task.question, lead="Question."),
                Text(task.experiment, lead="Experiment."),
                *task.figures,
                Heading("Answer"),
                Bullets(task.answer),
                *([Heading(claims_of), Verdicts(claims)] if claims else ()),
                *([Heading("Numbers"), *numbers] if numbers else ()),
            ],
        )
