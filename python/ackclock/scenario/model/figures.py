"""``[[figures]]``: what is drawn of the results."""

from typing import Annotated, NamedTuple

from ackclock.scenario.metric_names import FLOW_METRIC_NAMES, METRIC_NAMES
from ackclock.scenario.model.base import Table
from ackclock.scenario.values.plain import TEXT, Text, choice, listed, word

LINES, BOX, HEATMAP, CDF, CCDF = "lines", "box", "heatmap", "cdf", "ccdf"
QUEUE, RTT, PAGES, FILES, FLOWS, RUNS = "queue", "rtt", "pages", "files", "flows", "runs"
VALUES = (QUEUE, RTT, PAGES, FILES, FLOWS, RUNS)
"""What has a value each in a box or a distribution: packets that waited, RTTs, ..."""
OF_METRICS = (FLOWS, RUNS)
"""Those whose values are a metric's; the others are delays."""
HAS_FLOWS = (QUEUE, RTT, PAGES, FILES, FLOWS)
"""Those of which each is of a flow."""
FLOW, GROUP, LINK = "flow", "group", "link"
"""What a figure may tell apart besides factors."""


class FigureKind(NamedTuple):
    """What a kind of figure has.

    Attributes:
        keys: besides the name and the title.
        needed: of these.
        of: what has a value each by default; none if the kind shows means of runs.
    """

    keys: tuple[str, ...]
    needed: tuple[str, ...]
    of: str | None = None


_DISTRIBUTION = FigureKind(
    ("of", "y", "series", "facet", "flows", "link", "x_scale"), ("y",), QUEUE
)
FIGURE_KINDS = {
    LINES: FigureKind(("x", "y", "series", "facet", "x_scale", "y_scale"), ("x", "y")),
    BOX: FigureKind(("x", "y", "series", "of", "flows", "link", "y_scale"), ("x", "y"), RUNS),
    HEATMAP: FigureKind(("x", "y", "series", "y_scale"), ("x", "y", "series")),
    CDF: _DISTRIBUTION,
    CCDF: _DISTRIBUTION,
}
"""The kinds of figures of means and distributions, the usual one first."""
_METRIC = choice(tuple(dict.fromkeys(METRIC_NAMES + FLOW_METRIC_NAMES)), "name of a metric")


def _column_problem(text: str) -> str | None:
    return None if text.strip() else "expected the name of a column"


def _file_problem(text: str) -> str | None:
    plain = text.replace("_", "").replace("-", "").replace(".", "")
    if plain.isascii() and plain.isalnum() and text[0] not in ".-" and len(text) <= 100:
        return None
    return "must be a plain file name: letters, digits, and _ - . between them"


def _link_problem(text: str) -> str | None:
    return None if text.strip() else "expected the name of a link"


class Figure(Table):
    """A figure of the results."""

    kind: Annotated[str, choice(list(FIGURE_KINDS))] = LINES
    """Kind of figure: means (lines, heatmap), quartiles (box), or the share of values up to (cdf)
    or above (ccdf) each value.
    """
    name: Annotated[str, word("goodput", _file_problem, r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$")] = ""
    """Name of the file, without its extension; by default made from the columns."""
    title: Text = ""
    """Heading of the figure."""
    x: Annotated[str | None, word("tcp_flavor", _column_problem)] = None
    """Column of the factor on the x axis; required, except in cdf and ccdf, which have no factor
    there.
    """
    y: Annotated[str | None, _METRIC] = None
    """Metric to show; required, except for delays."""
    of: Annotated[str | None, choice(VALUES)] = None
    """Items whose values are shown in box, cdf and ccdf; by default "queue", in box "runs"."""
    series: Annotated[str | None, word("tcp_flavor", _column_problem)] = None
    """Column of the factor whose levels are the lines, boxes or rows."""
    facet: Annotated[str | None, word("tcp_flavor", _column_problem)] = None
    """Column of the factor whose levels get one panel each."""
    flows: Annotated[tuple[str, ...] | None, listed(TEXT, '["flow 1"]')] = None
    """Names of the flows whose values are shown; by default all."""
    link: Annotated[str | None, word("r1 -> r2", _link_problem)] = None
    """Name of the link whose queueing delays are shown; by default the bottleneck."""
    x_scale: Annotated[str, choice(["auto", "linear", "log", "symlog"])] = "auto"
    """Scale of the x axis; "symlog" is logarithmic and includes 0, and "auto" selects it where the
    levels need it.
    """
    y_scale: Annotated[str, choice(["linear", "log"])] = "linear"
    """Scale of the y axis, or of the colours of a heat map."""

    @property
    def values_of(self) -> str:
        """What has a value each: one of ``VALUES``."""
        return self.of or FIGURE_KINDS[self.kind].of or RUNS

    @property
    def shows_delays(self) -> bool:
        """Whether it shows delays, and not a metric."""
        return self.values_of not in OF_METRICS

    @property
    def own_columns(self) -> tuple[str, ...]:
        """What it may tell apart besides factors."""
        if FIGURE_KINDS[self.kind].of is None:
            return ()
        of_flows = (FLOW, GROUP) if self.values_of in HAS_FLOWS else ()
        return (*of_flows, LINK) if self.values_of == QUEUE else of_flows

    @property
    def told_apart(self) -> dict[str, str]:
        """The columns that it tells apart, by the keys that name them."""
        named = {key: getattr(self, key) for key in ("x", "series", "facet")}
        return {key: column for key, column in named.items() if column is not None}

    @property
    def file_name(self) -> str:
        """Name of the figure's file, without the ending."""
        kind = [] if self.kind == LINES else [self.kind]
        of = [] if FIGURE_KINDS[self.kind].of is None else [self.values_of]
        parts = [*kind, *of, self.y, *self.told_apart.values()]
        return self.name or "-".join(part for part in parts if part)
