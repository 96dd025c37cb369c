"""``ackclock plot``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from ackclock.cli.options import Several
from ackclock.cli.output import say
from ackclock.cli.reading import results_of, warnings_shown

if TYPE_CHECKING:
    from ackclock.plots.sourced import SourcedFigure
    from ackclock.results.results import Results

_FOLDER = "figures"
_PS = 10**12
"""Picoseconds, in which times are read, in a second."""


def plot(
    place: Path,
    /,
    *,
    figure: str | None = None,
    x: str | None = None,
    y: str | None = None,
    series: str | None = None,
    facet: str | None = None,
    x_scale: Literal["auto", "linear", "log", "symlog"] | None = None,
    y_scale: Literal["linear", "log"] | None = None,
    over_time: Annotated[bool, Parameter(negative=())] = False,
    flow: Several | None = None,
    vc: Several | None = None,
    link: str | None = None,
    point: int | None = None,
    replication: int | None = None,
    from_: Annotated[str | None, Parameter(name="--from")] = None,
    to: str | None = None,
    out: Path | None = None,
) -> None:
    """Draw means with their intervals: the figures of the scenario, or one of your own.

    Without --figure, --x, --y, --series and --facet: all [[figures]] of the scenario. With
    --over-time: what [probes] recorded in one run.

    Args:
        place: Folder of a campaign, or the scenario file beside it.
        figure: Name of one of the scenario's figures.
        x: Factor along the x axis; by default the first.
        y: Metric along the y axis; by default the first that the scenario names.
        series: Factor with a line for each level.
        facet: Factor with a panel for each level.
        x_scale: Scale of the x axis; symlog is logarithmic with a place for 0.
        y_scale: Scale of the y axis.
        over_time: Draw cwnd and rates of flows, ACR of VCs and the queue of a link over time.
        flow: Names of flows, with --over-time; by default the first that were recorded.
        vc: Names of ABR VCs, with --over-time; by default the first that go with the data.
        link: Name of the link, with --over-time; by default the bottleneck.
        point: Number of a point of the sweep, with --over-time; by default 0, the first.
        replication: Number of the replication, with --over-time; by default 0, the first.
        from_: Time at which the axis begins, with --over-time: "5 s"; by default 0.
        to: Time at which it ends, with --over-time; by default the end of the run.
        out: File to write: .svg, .png, .pdf, or .pgf for LaTeX; by default an SVG in the folder
            figures beside the runs.
    """
    own = {"x": x, "y": y, "series": series, "facet": facet, "x_scale": x_scale, "y_scale": y_scale}
    own = {name: value for name, value in own.items() if value is not None}
    traced = {"flow": flow, "vc": vc, "link": link, "point": point, "replication": replication}
    traced |= {"from": from_, "to": to}
    traced = {name: value for name, value in traced.items() if value is not None}
    named = own if figure is None else {"figure": figure, **own}
    _check_apart(over_time=over_time, traced=traced, means=named)
    with warnings_shown():
        results = results_of(place)
        if not (over_time or named or out) and results.plot.names:
            draw_described(results)
            return
        drawn = _traces(results, traced) if over_time else _drawn(results, figure, own, out)
    draw(results, drawn, out)


def _check_apart(*, over_time: bool, traced: dict[str, Any], means: dict[str, Any]) -> None:
    """Options of means and of what is over time do not go together."""
    from ackclock.errors import InputError

    if over_time and means:
        raise InputError(
            f"--{name.replace('_', '-')}: leave it out with --over-time" for name in means
        )
    if traced and not over_time:
        raise InputError(f"--{name}: needs --over-time; add it" for name in traced)


def _traces(results: Results, traced: dict[str, Any]) -> dict[str, SourcedFigure]:
    """One run over time, by the name of its file."""
    point, replication = traced.get("point", 0), traced.get("replication", 0)
    from_s, to_s = _seconds(traced)
    figure = results.plot.traces(
        traced.get("flow"),
        vcs=traced.get("vc"),
        link=traced.get("link"),
        point=point,
        replication=replication,
        from_s=from_s,
        to_s=to_s,
    )
    cut = [f"{time:g}s" for time in (from_s, to_s) if time is not None]
    return {"-".join(["over-time", str(point), str(replication), *cut]): figure}


def _seconds(traced: dict[str, Any]) -> tuple[float | None, float | None]:
    """What --from and --to say, s.

    Raises:
        InputError: they are no times.
    """
    from ackclock.errors import InputError
    from ackclock.scenario.units import TIME, parse

    found: list[float | None] = []
    problems = []
    for name in ("from", "to"):
        try:
            found.append(float(parse(traced[name], TIME)) / _PS if name in traced else None)
        except ValueError as error:
            problems.append(f"--{name}: {error}")
    if problems:
        raise InputError(problems)
    return found[0], found[1]


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


def _drawn(
    results: Results, figure: str | None, own: dict[str, str], out: Path | None
) -> dict[str, SourcedFigure]:
    """The figures that are asked for, by name."""
    from ackclock.errors import InputError

    if figure is not None:
        if own:
            raise InputError(
                f"--figure {figure} has axes of its own; leave out --{', --'.join(own)}"
            )
        return {figure: results.plot.figure(figure)}
    if own or not results.plot.names:
        return {"-".join(own.values()) or "lines": results.plot.lines(**own)}
    if len(results.plot.names) > 1:
        raise InputError(
            f"--out {out}: there are several figures; name one with --figure:"
            f" {', '.join(results.plot.names)}"
        )
    return {name: results.plot.figure(name) for name in results.plot.names}
