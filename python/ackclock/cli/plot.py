"""``ackclock plot``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Group, Parameter

from ackclock.cli.options import Several
from ackclock.cli.output import say
from ackclock.cli.reading import results_of, warnings_shown

if TYPE_CHECKING:
    from ackclock.plots.sourced import SourcedFigure
    from ackclock.results.results import Results

_FOLDER = "figures"

_WHICH = Group("Figure", sort_key=1)
_VALUES = Group("Values and factors", sort_key=2)
_ONE_RUN = Group("One run over time", sort_key=3)
_FILE = Group("Output", sort_key=4)


def plot(
    place: Path,
    /,
    *,
    figure: Annotated[str | None, Parameter(group=_WHICH)] = None,
    kind: Annotated[
        Literal["lines", "box", "heatmap", "cdf", "ccdf", "traces", "sequence"] | None,
        Parameter(group=_WHICH),
    ] = None,
    over_time: Annotated[bool, Parameter(negative=(), group=_WHICH)] = False,
    x: Annotated[str | None, Parameter(group=_VALUES)] = None,
    y: Annotated[str | None, Parameter(group=_VALUES)] = None,
    series: Annotated[str | None, Parameter(group=_VALUES)] = None,
    facet: Annotated[str | None, Parameter(group=_VALUES)] = None,
    of: Annotated[
        Literal["queue", "rtt", "pages", "files", "flows", "runs"] | None, Parameter(group=_VALUES)
    ] = None,
    x_scale: Annotated[
        Literal["auto", "linear", "log", "symlog"] | None, Parameter(group=_VALUES)
    ] = None,
    y_scale: Annotated[Literal["linear", "log"] | None, Parameter(group=_VALUES)] = None,
    flow: Annotated[Several | None, Parameter(group=_ONE_RUN)] = None,
    vc: Annotated[Several | None, Parameter(group=_ONE_RUN)] = None,
    link: Annotated[str | None, Parameter(group=_ONE_RUN)] = None,
    point: Annotated[int | None, Parameter(group=_ONE_RUN)] = None,
    replication: Annotated[int | None, Parameter(group=_ONE_RUN)] = None,
    connection: Annotated[int | None, Parameter(group=_ONE_RUN)] = None,
    segments: Annotated[bool, Parameter(negative=(), group=_ONE_RUN)] = False,
    from_: Annotated[str | None, Parameter(name="--from", group=_ONE_RUN)] = None,
    to: Annotated[str | None, Parameter(group=_ONE_RUN)] = None,
    out: Annotated[Path | None, Parameter(group=_FILE)] = None,
) -> None:
    """Draw figures of the results of a campaign: those of the scenario, or one of your own.

    Without --figure, --kind and the options of figures, draws all [[figures]] of the scenario.

    Args:
        place: Folder of a campaign, or the scenario file next to it.
        figure: Name of one figure of the scenario; by default all figures are drawn.
        kind: Kind of figure. lines: means with intervals against a factor. box: quartiles of a
            metric or of delays, by level of a factor. heatmap: means over two factors. cdf:
            distribution of delays or of a metric. ccdf: share above each value, to see the tail.
            traces: cwnd, rates and queue of one run over time. sequence: time-sequence diagram of
            one connection.
        over_time: The same as --kind traces.
        x: Factor on the x axis; by default the first. In box also: flow, group or link.
        y: Metric to show; by default the first of the scenario.
        series: Factor whose levels are the lines, boxes or rows of a heat map. In box, cdf and ccdf
            also: flow, group or link.
        facet: Factor whose levels get one panel each, in lines, cdf and ccdf.
        of: Items whose values form the distribution, in cdf, ccdf and box: packets that waited in a
            queue, RTTs, pages, files, flows or runs; by default queue, in box runs.
        x_scale: Scale of the x axis; symlog is logarithmic and includes 0.
        y_scale: Scale of the y axis, or of the colours of a heat map.
        flow: Names of flows, in all kinds that show single flows; by default the first recorded
            ones, in cdf and box all.
        vc: Names of ABR virtual channels, in traces; by default the first in the direction of the
            data.
        link: Name of the link whose queue is shown; by default the bottleneck.
        point: Number of the sweep point, from 0 on; by default 0.
        replication: Number of the replication, from 0 on; by default 0.
        connection: Number of a connection of the flow, in sequence; by default the first with data.
        segments: Count segments instead of bytes, in sequence.
        from_: Start of the time axis, for example "5 s"; by default 0.
        to: End of the time axis; by default the end of the run.
        out: File to write: .svg, .png, .pdf, or .pgf for LaTeX; by default an SVG file in the
            folder figures next to the runs.
    """
    from ackclock.cli.plot_kinds import Asked, check, drawn

    given = {
        "x": x,
        "y": y,
        "series": series,
        "facet": facet,
        "of": of,
        "x_scale": x_scale,
        "y_scale": y_scale,
        "flow": flow,
        "vc": vc,
        "link": link,
        "point": point,
        "replication": replication,
        "connection": connection,
        "segments": segments or None,
        "from": from_,
        "to": to,
    }
    own = {name: value for name, value in given.items() if value is not None}
    asked = Asked(kind, over_time, figure, own)
    check(asked)
    with warnings_shown():
        results = results_of(place)
        described = asked.kind is None and not own
        if described and not (figure or out) and results.plot.names:
            draw_described(results)
            return
        figures = (
            _described(results, figure, out)
            if described and (figure or results.plot.names)
            else drawn(results, asked)
        )
    draw(results, figures, out)


def _described(results: Results, figure: str | None, out: Path | None) -> dict[str, SourcedFigure]:
    """A figure of the scenario, by its name.

    Raises:
        InputError: there is no such figure, or it is not clear which is meant.
    """
    from ackclock.errors import InputError

    if figure is not None:
        return {figure: results.plot.figure(figure)}
    if len(results.plot.names) > 1:
        raise InputError(
            f"--out {out}: there are several figures; name one with --figure:"
            f" {', '.join(results.plot.names)}"
        )
    return {name: results.plot.figure(name) for name in results.plot.names}


def draw(results: Results, drawn: dict[str, SourcedFigure], out: Path | None = None) -> None:
    """Write figures, by default into the folder of the campaign, and print where they are."""
    from ackclock.results.export import write_figure

    folder = results.campaign.folder / _FOLDER
    for name, its in drawn.items():
        path = write_figure(its, out or folder / f"{name}.svg")
        say(f"{its.title}: {path}")


def draw_described(results: Results) -> None:
    """Write all figures that the scenario describes.

    Raises:
        InputError: some cannot be drawn; the others are written.
    """
    from ackclock.errors import InputError

    problems = []
    for name in results.plot.names:
        try:
            figure = results.plot.figure(name)
        except InputError as error:
            problems += [f"figure {name}: {message}" for message in error.messages]
        else:
            draw(results, {name: figure})
    if problems:
        raise InputError(problems)
