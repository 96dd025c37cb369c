"""A published study as a declaration: what is run, what is measured, what the paper concludes.

The other modules of this package do all that follows from it: run and resume, choose levels, change
settings, decide claims, write files, print tables, make the report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.studies.machinery.claims import Claim
from ackclock.studies.machinery.file import StudyFile

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import RenderableType

    from ackclock.scenario import Scenario
    from ackclock.studies.machinery.reproduce import StudyResult
    from ackclock.studies.machinery.request import Request
    from ackclock.studies.machinery.running import Execution, Runs
    from ackclock.studies.machinery.sensitivity import Sensitivity

PARTS = "parts"
PLAIN_PAGE = "ackclock.studies.machinery.plain:PAGE"
"""A page with figures and a table of means for each part."""


class Choice(NamedTuple):
    """Levels of a factor, some of which an option of the command can choose.

    Attributes:
        option: without its dashes: "buffers".
        levels: all of them, in the order of the published tables.
        help: of the option, one sentence.
        column: of the points; a point is run if its level is chosen. All points of a part without
            the column are run. That of the parts has none.
    """

    option: str
    levels: tuple[Any, ...]
    help: str
    column: str = ""


class Option(NamedTuple):
    """An option of the command that this study alone has.

    Attributes:
        name: without its dashes: "page-clock".
        type: annotation of its value; a bool is a switch.
        default: its value if it is not given.
        help: one sentence.
        of_result: whether the result depends on it, so that the command in the report has it.
    """

    name: str
    type: Any
    default: Any
    help: str
    of_result: bool = True


class Analysed(NamedTuple):
    """A full factorial whose variation is allotted to its factors.

    Attributes:
        by: the column that identifies an analysis, for example "link".
        factors: columns of the factors. They and ``by`` are all columns of the point.
        metrics: columns of the responses; each is analysed by itself.
    """

    by: str
    factors: tuple[str, ...]
    metrics: tuple[str, ...]


class Picture(NamedTuple):
    """A figure of the plain page: means of a metric, beside printed numbers and a formula.

    Attributes:
        metric: whose means.
        x: column along the axis.
        series: column with a line for each level; none if empty.
        facet: column with a panel for each level; none if empty.
        where: levels of columns that are the same in the whole figure.
        x_scale: "auto", "linear", "log" or "symlog".
        y_scale: "linear" or "log".
        redraws: the figure of the source that it draws again: "Figure 8"; may be empty.
    """

    metric: str
    x: str
    series: str = ""
    facet: str = ""
    where: Mapping[str, Any] = {}
    x_scale: str = "auto"
    y_scale: str = "linear"
    redraws: str = ""


class Watch(NamedTuple):
    """Runs that are made once more and recorded over time: replication 0 of some points.

    Attributes:
        choose: of the points that are run, those to record.
        probes: of the part's scenario, texts ``key=value`` of what to record.
        folder: of their campaign, in that of the study.
        span: the plain page shows the time between these two, s; all of the run by default.
        redraws: the figure of the source that the plain page draws again; may be empty.
    """

    choose: Callable[[Sequence[Any]], Sequence[Any]]
    probes: Callable[[Scenario], Sequence[str]]
    folder: str
    span: tuple[float, float] | None = None
    redraws: str = ""


class Fewer(NamedTuple):
    """Points that are run less often than the others.

    Attributes:
        is_one: whether a point is one of them.
        replications: how often, of the replications that were asked for.
        folder: of their campaign, in that of the part.
        name: in words: "with 50 sources or more".
        rule: how often, as the object of a sentence in the help of ``--replications``.
        why: in words, for the report.
    """

    is_one: Callable[[Any], bool]
    replications: Callable[[int], int]
    folder: str
    name: str
    rule: str
    why: str = ""


@dataclass(frozen=True, eq=False)
class Part:
    """An experiment of a study: a sweep of one scenario file.

    Attributes:
        name: on the command line, and of the folder of its runs.
        file: its scenario file, and what may be changed in it.
        point: named tuple of a point.
        measure: "module:function" that makes a row of a run.
        metrics: columns of the row whose means are reported with intervals.
        probed: whether ``measure`` looks at what the probes of the file record. The file then sets
            ``probes.replications`` to more than are ever run.
        title: in words.
        task: number in the paper, if it numbers its experiments: "4a".
        own_sets: texts ``key=value``, as for ``--set``, by which the part changes the file.
        point_of: the point that the levels of the sweep stand for; by default the levels are its
            fields.
        points: those that are run, in this order; by default all of the sweep.
        left_out: whether a point of the sweep is not run.
        fixed: columns whose levels are all run, whatever the options choose.
        by: columns of its table of means that name a row; by default all of the point.
        pictures: figures of the plain page; by default one of each metric.
        model: by metric, what a formula of the source gives at a point.
        analysed: whose variation is allotted to factors, if any is.
        fewer: points that are run less often.
        watch: what is recorded over time.
        folder: of its runs; by default named like the part.
    """

    name: str
    file: StudyFile
    point: type[Any]
    measure: str
    metrics: tuple[str, ...] = ()
    probed: bool = False
    title: str = ""
    task: str = ""
    own_sets: tuple[str, ...] = ()
    point_of: Callable[[Mapping[str, Any]], Any] | None = None
    points: tuple[Any, ...] | None = None
    left_out: Callable[[Any], bool] = lambda point: False
    fixed: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] | None = None
    model: Mapping[str, Callable[[Any], float]] = field(default_factory=dict)
    analysed: Analysed | None = None
    fewer: Fewer | None = None
    watch: Watch | None = None
    folder: str | None = None

    @property
    def columns(self) -> list[str]:
        """Columns of its points."""
        return list(self.point._fields)

    @property
    def runs(self) -> bool:
        """Whether it has runs; a part without points reckons with what is printed."""
        return self.points is None or bool(self.points)

    def replications(self, point: Any, asked: int) -> int:
        """How often a point is run if so many replications were asked for."""
        few = self.fewer
        return few.replications(asked) if few and few.is_one(point) else asked

    def named(self, levels: Mapping[str, Any]) -> Any:
        """The point that the levels of the sweep stand for."""
        return self.point_of(levels) if self.point_of else self.point(**levels)


@dataclass(frozen=True, eq=False)
class Study:
    """A published study.

    Attributes:
        name: on the command line: "abr-web".
        title: in words.
        source: what was published, by whom.
        question: what it asks, in one sentence.
        parts: its experiments, in the order in which they are run.
        claims: what the paper concludes, in its order.
        evidence: of the runs, what the tests of the claims look at, with a method ``missing``;
            of tables of single runs too, if ``Draws`` are given.
        runs_a_cell: how often the paper ran each point; with 1, tables of single runs are drawn
            from ours, to see how often the paper's procedure reaches its conclusions.
        tables: of the runs and the evidence, the tables that are written, by their files' names;
            by default the means and runs of each part, and what is ``published`` beside them.
        terminal: of the result, what the terminal shows before the claims; by default the means.
        report: "module:name" of the ``Page``; it draws, and is imported only for the report.
        printed: "module:name" of what is printed, for the lab; empty if there are no tables of it.
        published: CSV file of single numbers that are printed; see ``points_in_print``.
        levels: options that choose levels, besides ``--parts``.
        options: further options.
        more_help: sentences of the command's help, after what ``studies.STUDIES`` says.
        whose: whose the conclusions are.
        missing: what conclusions need that cannot be decided.
        command: words of its command after "ackclock"; by default "reproduce" and its name.
        main: name of the part whose scenario stands for the study; the first if none.
        derived: adds columns that follow from the request or the scenario to the runs of a part.
        further: what else is run.
        problems: what is wrong with a request, beside levels, numbers and settings.
        texts: of the result, further files that are written, by their names; one without text is
            not there.
        shortest: columns of levels that files have in their shortest form: 0.5, not 0.500000.
        sensitivity: what each open convention is worth.
    """

    name: str
    title: str
    source: str
    question: str
    parts: tuple[Part, ...]
    claims: tuple[Claim, ...]
    evidence: Callable[..., Any]
    tables: Callable[[Runs, Any], Mapping[str, pd.DataFrame]] = lambda made, evidence: made.tables
    terminal: Callable[[StudyResult], Sequence[RenderableType]] | None = None
    report: str = PLAIN_PAGE
    printed: str = ""
    published: Path | None = None
    levels: tuple[Choice, ...] = ()
    options: tuple[Option, ...] = ()
    more_help: str = ""
    whose: str = "the paper's"
    missing: str = "levels that were not run"
    command: tuple[str, ...] = ()
    main: str = ""
    derived: Callable[[pd.DataFrame, Request, Scenario], pd.DataFrame] | None = None
    further: Callable[[Request, Execution], Any] | None = None
    problems: Callable[[Request], list[str]] = lambda request: []
    texts: Callable[[StudyResult], Mapping[str, str]] = lambda result: {}
    shortest: tuple[str, ...] = ()
    runs_a_cell: int | None = None
    sensitivity: Sensitivity | None = None

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """All options that choose levels; that of the parts first, if there are several."""
        if len(self.parts) == 1:
            return self.levels
        names = tuple(part.name for part in self.parts)
        help = f"Run these parts only: {', '.join(names)}."
        return (Choice(PARTS, names, help), *self.levels)

    def part(self, name: str) -> Part:
        """The part of a name."""
        return next(part for part in self.parts if part.name == name)

    @cached_property
    def files(self) -> Mapping[StudyFile, tuple[Part, ...]]:
        """The scenario files, each with its parts."""
        found: dict[StudyFile, tuple[Part, ...]] = {}
        for part in self.parts:
            found[part.file] = (*found.get(part.file, ()), part)
        return found

    @property
    def main_part(self) -> Part:
        """The part whose scenario stands for the study."""
        return self.part(self.main) if self.main else self.parts[0]
