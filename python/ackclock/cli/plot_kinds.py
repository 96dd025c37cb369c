"""The kinds of figures of ``ackclock plot``: which options each has, and how it is drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.errors import InputError
from ackclock.scenario.model.figures import FIGURE_KINDS, Figure

if TYPE_CHECKING:
    from ackclock.plots.sourced import SourcedFigure
    from ackclock.results.results import Results

_PS = 10**12
"""Picoseconds, in which times are read, in a second."""
_NOT_OF_A_NAME = re.compile(r"[^A-Za-z0-9_.]+")


class Asked(NamedTuple):
    """What the command line asks for.

    Attributes:
        named: kind of the figure, or none.
        over_time: whether --over-time stands there.
        figure: name of a figure of the scenario, or none.
        own: options of figures that were given, by name.
    """

    named: str | None
    over_time: bool
    figure: str | None
    own: Mapping[str, Any]

    @property
    def kind(self) -> str | None:
        """The kind that is meant; none if no option says so."""
        return self.named or ("traces" if self.over_time else None)


def check(asked: Asked) -> None:
    """Do nothing if the options go together.

    Raises:
        InputError: they do not.
    """
    if asked.over_time and asked.named not in (None, "traces"):
        raise InputError(f"--over-time: is --kind traces; leave it out with --kind {asked.named}")
    if asked.figure is not None and (asked.kind or asked.own):
        left_out = [name for name in ("kind",) if asked.named]
        left_out += ["over-time"] if asked.over_time else []
        left_out += map(_dashed, asked.own)
        raise InputError(
            f"--figure {asked.figure} has axes of its own; leave out --{', --'.join(left_out)}"
        )
    if wrong := [name for name in asked.own if name not in _KINDS[asked.kind or "lines"].options]:
        raise InputError(_misplaced(name, asked) for name in wrong)
    if asked.kind == "sequence" and len(asked.own.get("flow", ())) > 1:
        raise InputError("--flow: a time-sequence diagram is of one flow; name one")


def _misplaced(name: str, asked: Asked) -> str:
    """What to say of an option that the kind does not have."""
    kinds = [kind for kind, its in _KINDS.items() if name in its.options]
    if asked.over_time and asked.named is None:
        return f"--{_dashed(name)}: leave it out with --over-time"
    wanted = ["--over-time"] if "traces" in kinds and asked.kind is None else []
    others = [kind for kind in kinds if not (wanted and kind == "traces")]
    if others:
        wanted.append(f"--kind {', '.join(others[:-1])}{' or ' if others[1:] else ''}{others[-1]}")
    needs = f"--{_dashed(name)}: needs {' or '.join(wanted)}"
    return f"{needs}, not --kind {asked.kind}" if asked.kind else f"{needs}; add it"


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def drawn(results: Results, asked: Asked) -> dict[str, SourcedFigure]:
    """The requested figure, by the name of its file.

    Raises:
        InputError: it cannot be drawn.
    """
    kind = asked.kind or "lines"
    name = "-".join(_texts(asked.own)) if asked.kind is None else ""
    if kind == "traces":
        name = "-".join(_run_texts("over-time", asked.own))
    elif kind == "sequence":
        name = "-".join(_run_texts("sequence", asked.own))
    elif not name:
        name = "-".join([kind, *_texts(asked.own)])
    return {name: _KINDS[kind].draw(results, asked.own)}


def _texts(own: Mapping[str, Any]) -> list[str]:
    """Values of options, as the name of a file has them."""
    parts: list[Any] = []
    for value in own.values():
        parts += value if isinstance(value, list) else [value]
    return [_NOT_OF_A_NAME.sub("-", str(part)).strip("-") for part in parts]


def _run_texts(kind: str, own: Mapping[str, Any]) -> list[str]:
    flow = _texts({"flow": own["flow"]}) if kind == "sequence" and "flow" in own else []
    cut = [f"{time:g}s" for time in _seconds(own) if time is not None]
    run = [str(own.get(name, 0)) for name in ("point", "replication")]
    more = [str(own["connection"])] if "connection" in own else []
    return [kind, *flow, *run, *more, *(["segments"] if "segments" in own else []), *cut]


def _traces(results: Results, own: Mapping[str, Any]) -> SourcedFigure:
    its = {"vcs": own.get("vc"), "link": own.get("link"), **_run(own)}
    return results.plot.traces(own.get("flow"), **its)


def _sequence(results: Results, own: Mapping[str, Any]) -> SourcedFigure:
    flow = next(iter(own.get("flow", ())), None)
    its = {"connection": own.get("connection"), "segments": own.get("segments", False)}
    return results.plot.sequence(flow, **its, **_run(own))


def _run(own: Mapping[str, Any]) -> dict[str, Any]:
    """The run to draw, and from when to when."""
    run = {name: own.get(name, 0) for name in ("point", "replication")}
    return dict(zip(("from_s", "to_s"), _seconds(own), strict=True)) | run


def _seconds(own: Mapping[str, Any]) -> tuple[float | None, float | None]:
    """What --from and --to say, s.

    Raises:
        InputError: they are no times.
    """
    from ackclock.scenario.units import TIME, parse

    found: list[float | None] = []
    problems = []
    for name in ("from", "to"):
        try:
            found.append(float(parse(own[name], TIME)) / _PS if name in own else None)
        except ValueError as error:
            problems.append(f"--{name}: {error}")
    if problems:
        raise InputError(problems)
    return found[0], found[1]


class _Kind(NamedTuple):
    """A kind of figure.

    Attributes:
        options: that it has.
        draw: draws it with them.
    """

    options: tuple[str, ...]
    draw: Callable[[Results, Mapping[str, Any]], SourcedFigure]


def _describable(kind: str) -> _Kind:
    """A kind that a scenario may describe, too, where each option is a key."""

    def draw(results: Results, own: Mapping[str, Any]) -> SourcedFigure:
        keys = {_KEYS.get(name, name): value for name, value in own.items()}
        return results.plot.described(Figure.model_construct(kind=kind, **keys))

    return _Kind(tuple(_OPTIONS.get(key, key) for key in FIGURE_KINDS[kind].keys), draw)


_OPTIONS = {"flows": "flow"}
"""The options that are called otherwise than the keys of a scenario."""
_KEYS = {option: key for key, option in _OPTIONS.items()}
_RUN = ("flow", "point", "replication", "from", "to")
_KINDS = {
    **{kind: _describable(kind) for kind in FIGURE_KINDS},
    "traces": _Kind((*_RUN, "vc", "link"), _traces),
    "sequence": _Kind((*_RUN, "connection", "segments"), _sequence),
}
