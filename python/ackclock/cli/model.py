"""``ackclock model``: throughput formulas, their inverse, and what they need from a capture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter

from ackclock.cli.json_output import say_json
from ackclock.cli.reading import console
from ackclock.errors import InputError
from ackclock.models.registry import BACKOFFS, MODELS, WINDOWS

if TYPE_CHECKING:
    from rich.console import RenderableType

app = App(
    name="model",
    help="Compute TCP throughput or loss by formulas, or estimate both from a capture.",
    help_format="markdown",
)
Name = Literal[tuple(MODELS)]
Switch = Annotated[bool, Parameter(negative=())]
PS = 10**12
"""Picoseconds, in which times are read, in a second."""
_OPTIONS = {
    "p": "--loss",
    "q": "--loss-in-event",
    "loss_rate": "--loss-rate",
    "rtt_s": "--rtt",
    "rto_s": "--rto",
    "smss_bytes": "--mss",
    "segments_per_ack": "--segments-per-ack",
    "window_limit": "--window-limit",
    "throughput_bit_s": "--throughput",
}
"""Options by the name of the parameter, where they differ."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Given:
    """What a formula is given beside loss or throughput, as it was typed."""

    rtt: str
    """Average round-trip time R, for example "75 ms"."""
    loss_in_event: str | None = None
    """Segment loss rate q within a loss event; by default p."""
    rto: str | None = None
    """Average of the first time-outs, for example "225 ms"; by default 3 R."""
    mss: str | None = None
    """Maximum segment size: data in a full segment; by default "1460 B"."""
    segments_per_ack: float | None = None
    """Number b of segments that one ACK covers; by default 1."""
    window_limit: str | None = None
    """Largest window W_m, for example "44 segments" or "64 KiB"; by default no limit."""
    window: Literal[WINDOWS] | None = None
    """How W is computed: by Eq. 14, or as the exact root of Eq. 7 = Eq. 13; by default eq14."""
    backoff: Literal[BACKOFFS] | None = None
    """How a series of time-outs counts: by Eq. 26, short or in full; by default short."""
    json: Switch = False
    """Print one JSON document, in s, bit/s, bytes and segments."""


@app.default
def model(
    name: Name = "newreno",
    /,
    *,
    loss: str,
    loss_rate: str | None = None,
    all: Switch = False,
    given: Given,
) -> None:
    """Compute the TCP throughput of a path by a formula.

    Args:
        name: Name of the formula.
        loss: Loss event rate p, for example "1%" or 0.01.
        loss_rate: Overall loss rate, instead of --loss-in-event; Eq. 30 gives q from it.
        all: Compare all formulas; each uses only its own parameters.
        given: The path.
    """
    read = _Reading()
    path = read.path(given, p=read.share(loss, "--loss"))
    if loss_rate is not None:
        if given.loss_in_event is not None:
            read.problems.append("--loss-rate, --loss-in-event: both set q; give one of them")
        path["q"] = read.share(loss_rate, "--loss-rate")
    read.stop_if_wrong()
    from ackclock.models import rendering
    from ackclock.models.window import q_from_loss_rate

    with _described(read.typed):
        if loss_rate is not None:
            path["q"] = float(q_from_loss_rate(path["p"], path["q"]).q)
        chosen = MODELS[name]
        result = chosen.predict(**path) if all else chosen(**path)
        if all and given.json:
            described = {
                each: rendering.values(its.predict(**path)) for each, its in MODELS.items()
            }
            say_json({"inputs": path, "models": described})
        elif all:
            _print(rendering.comparison_lines(path))
        elif given.json:
            inputs = rendering.settled(chosen, path)
            say_json({"model": name, "inputs": inputs, **rendering.values(result)})
        else:
            _print(rendering.prediction_lines(chosen, path, result))


@app.command
def inverse(name: Name = "newreno", /, *, throughput: str, given: Given) -> None:
    """Compute the loss event rate at which a formula gives a throughput.

    Args:
        name: Name of the formula.
        throughput: Throughput of data, for example "1 Mbit/s".
        given: The path.
    """
    from ackclock.scenario.units import RATE

    read = _Reading()
    path = read.path(given)
    rate = read.quantity(throughput, "--throughput", RATE)
    read.stop_if_wrong()
    from ackclock.models import rendering
    from ackclock.models.inversion import inverse as inverted

    with _described(read.typed):
        found = inverted(name, rate, **path)
        if given.json:
            inputs = rendering.settled(MODELS[name], {**path, "p": found.p})
            described = {"model": name, "inputs": inputs, "unique": found.unique}
            say_json({**described, **rendering.values(found.prediction)})
        else:
            _print(rendering.inverse_lines(MODELS[name], path, found))


@app.command
def estimate(file: Path, /, *, connection: int | None = None, json: Switch = False) -> None:
    """Estimate loss, RTT and RTO of a connection from a capture at its sender; apply formulas.

    Args:
        file: pcapng or pcap file, captured at the sender of the data.
        connection: Number of the connection, from 0 on, among those with data; by default that with
            most data.
        json: Print one JSON document, in s, bit/s, bytes and segments.
    """
    from ackclock.models import rendering
    from ackclock.models.trace.estimation import choose, connections_of
    from ackclock.models.trace.estimation import estimate as estimated

    found = connections_of(file)
    number, chosen = choose(file, found, connection)
    described = estimated(chosen)
    if json:
        say_json(rendering.estimate_values(described))
    else:
        _print(rendering.estimate_lines(described, number, len(found)))


class _Reading:
    """Reads the options and collects all errors in them.

    Attributes:
        problems: what is wrong.
        typed: texts by their options.
    """

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.typed: dict[str, str] = {}

    def path(self, given: Given, **known: Any) -> dict[str, Any]:
        """The keywords of a formula; those that were not typed are left out."""
        from ackclock.scenario.units import SIZE, TIME

        path: dict[str, Any] = {
            **known,
            "rtt_s": self.quantity(given.rtt, "--rtt", TIME, per=PS),
            "q": self.share(given.loss_in_event, "--loss-in-event"),
            "rto_s": self.quantity(given.rto, "--rto", TIME, per=PS),
            "smss_bytes": self.quantity(given.mss, "--mss", SIZE),
            "segments_per_ack": given.segments_per_ack,
            "window": given.window,
            "backoff": given.backoff,
        }
        path["window_limit"] = self._window_limit(given.window_limit, path["smss_bytes"])
        return {name: value for name, value in path.items() if value is not None}

    def quantity(
        self, text: str | None, option: str, dimension: Any, per: float = 1
    ) -> float | None:
        """A quantity with its unit, in so many base units."""
        from ackclock.scenario.units import parse

        return self._read(text, option, lambda typed: parse(typed, dimension) / per)

    def share(self, text: str | None, option: str) -> float | None:
        """A number, or per cent."""
        return self._read(text, option, _share)

    def _window_limit(self, text: str | None, smss_bytes: float | None) -> float | None:
        from ackclock.models.registry import SMSS_BYTES
        from ackclock.scenario.units import SIZE
        from ackclock.scenario.values.buffers import SEGMENTS

        if text is not None and text.strip().endswith(("segment", "segments")):
            return self.quantity(text, "--window-limit", SEGMENTS)
        smss = smss_bytes or SMSS_BYTES
        return self.quantity(text, "--window-limit", SIZE, per=smss)

    def _read(self, text: str | None, option: str, read: Callable[[str], float]) -> float | None:
        if text is None:
            return None
        self.typed[option] = text
        try:
            return float(read(text))
        except ValueError as error:
            self.problems.append(f"{option}: {error}")
            return None

    def stop_if_wrong(self) -> None:
        """Raise ``InputError`` with all that is wrong, if anything is."""
        if self.problems:
            raise InputError(self.problems)


def _share(text: str) -> float:
    number, percent, rest = text.strip().partition("%")
    try:
        # In decimals, so that 0.94% is the number next to 0.0094.
        value = float(Decimal(number.strip()) / (100 if percent else 1))
    except ArithmeticError:
        value = None
    if value is None or rest:
        raise ValueError(f'"{text}" is not a share; write it like 1% or 0.01')
    return value


@contextmanager
def _described(typed: Mapping[str, str]) -> Iterator[None]:
    """Report values outside a formula's domain as errors of the input.

    Args:
        typed: texts by their options.
    """
    from ackclock.models.inputs import DomainError

    try:
        yield
    except DomainError as error:
        raise InputError(_message(*each, typed) for each in error.problems.items()) from None


def _message(name: str, problem: str, typed: Mapping[str, str]) -> str:
    """What is wrong with a parameter, with the value as it was typed."""
    option = _OPTIONS.get(name, f"--{name}")
    if name == "q" and "--loss-rate" in typed:
        option = "--loss-rate"
    _, colon, reason = problem.partition(": ")
    if colon and option in typed:
        return f"{option} {typed[option]}: {reason}"
    return f"{option} {problem}"


def _print(lines: Iterator[RenderableType]) -> None:
    screen = console()
    for line in lines:
        screen.print(line, markup=False)
