"""Predictions and estimates as text for a terminal, and as values for JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ackclock.models.inversion import Inverse
from ackclock.models.registry import COMMON, MODELS, PARAMETERS, RTO_IN_RTTS, SMSS_BYTES, Model
from ackclock.models.trace.estimation import TraceEstimate
from ackclock.terminal import BARE, TerminalTable

_UNITS = {"Gbit/s": 1e9, "Mbit/s": 1e6, "kbit/s": 1e3, "bit/s": 1.0}
_DIGITS = 5
_INDENT = 4
_MEANINGS = {
    "window_segments": ("W", "segments", "peak window, on average"),
    "p_timeout": ("p_TO", "", "share of loss events that end in a time-out"),
    "losses": ("E[m]", "segments", "lost in a loss event"),
    "delta_segments": ("δ", "segments", "from the first to the last loss of an event"),
    "cafr_segments": ("S_CAFR", "segments", "from one loss event to the next"),
    "linear_s": ("D_LI", "s", "linear increase"),
    "beta_s": ("D_β", "s", "from the first loss's round to the third duplicate ACK"),
    "recovery_s": ("D_FR", "s", "fast recovery"),
    "timeout_s": ("D_TO", "s", "a series of time-outs"),
    "slow_start_s": ("D_SS", "s", "slow start after it"),
    "period_s": ("", "s", "from one loss event to the next, on average"),
}
_ESTIMATED = {
    "p": "loss event rate: loss events over segments sent",
    "q": "segment loss rate within a loss event",
    "q_eq30": "the same by Eq. 30, from p and the overall loss rate",
    "loss_rate": "overall loss rate",
    "p_average_interval": "p from the average loss interval (RFC 5348)",
    "p_discounted": "the same with history discounting",
    "rtt_s": "R, s",
    "rto_s": "RTO, s: first time-outs",
}


def rate(bit_s: float) -> str:
    """Return a rate with its unit: "1.3168 Mbit/s"."""
    for unit, scale in _UNITS.items():
        if bit_s >= scale:
            return f"{number(bit_s / scale)} {unit}"
    return f"{number(bit_s)} bit/s"


def number(value: float) -> str:
    """Return a number with five digits; a dash for nan."""
    return f"{value:.{_DIGITS}g}" if isfinite(value) else "–" if value != value else str(value)


def values(result: Any) -> dict[str, Any]:
    """Return the result of a formula or an estimate for one path, for JSON; nan becomes none."""
    return {name: _plain(value) for name, value in result._asdict().items()}


def _plain(value: Any) -> Any:
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not isfinite(value) else value


def settled(model: Model, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a formula's evaluation, including defaults."""
    defaults = {
        "smss_bytes": SMSS_BYTES,
        "q": given.get("p"),
        "rto_s": RTO_IN_RTTS * given["rtt_s"],
        "segments_per_ack": 1,
        "window_limit": None,
        "window": "eq14",
        "backoff": "short",
    }
    names = [name for name in PARAMETERS if name in (*COMMON, *model.takes)]
    return {name: given.get(name, defaults.get(name)) for name in names}


def prediction_lines(
    model: Model, given: Mapping[str, Any], result: Any
) -> Iterator[RenderableType]:
    """Yield a prediction with its parameters and its components."""
    limited = ", which the window limit decides" if result.limited else ""
    yield f"{model.title}: {rate(result.throughput_bit_s)}{limited}"
    yield f"  {number(result.segments_s)} segments/s; {model.source}"
    rows = []
    for name, value in settled(model, given).items():
        its = PARAMETERS[name]
        if value is not None:
            text = value if isinstance(value, str) else number(value)
            unit = "" if its.unit == "1" else its.unit
            standing = "" if name in given else f" (default: {its.default})"
            rows.append((its.symbol, text, unit, its.meaning.partition(":")[0] + standing))
    yield _rows(rows)
    its = result._asdict()
    parts = [(name, its[name]) for name in _MEANINGS if name in its]
    if parts:
        yield "  and of it"
        rows = [(_MEANINGS[name][0], number(value), *_MEANINGS[name][1:]) for name, value in parts]
        yield _rows(rows)


def comparison_lines(given: Mapping[str, Any]) -> Iterator[RenderableType]:
    """Yield the predictions of all formulas for the same path."""
    rows = []
    for name, model in MODELS.items():
        result = model.predict(**given)
        segments = f"{number(result.segments_s)} segments/s"
        rows.append((name, rate(result.throughput_bit_s), segments, model.title))
    yield _rows(rows)


def inverse_lines(
    model: Model, given: Mapping[str, Any], found: Inverse
) -> Iterator[RenderableType]:
    """Yield the loss event rate for a throughput, and the prediction for this rate."""
    yield f"p = {number(found.p)} ({number(100 * found.p)} %), one loss event in " + (
        f"{number(1 / found.p)} segments"
    )
    if not found.unique:
        yield "  other loss event rates give this throughput too; this is the largest"
    yield from prediction_lines(model, {**given, "p": found.p}, found.prediction)


def path_of(estimate: TraceEstimate) -> dict[str, float] | None:
    """Return the parameters of an estimate; none without a loss event or an RTT sample."""
    if not 0 < estimate.p < 1 or not estimate.rtt_s > 0:
        return None
    path = {"p": estimate.p, "rtt_s": estimate.rtt_s, "smss_bytes": float(estimate.smss_bytes)}
    more = {"q": estimate.q, "rto_s": estimate.rto_s}
    return path | {name: value for name, value in more.items() if isfinite(value)}


def estimate_lines(
    estimate: TraceEstimate, number_of: int, connections: int
) -> Iterator[RenderableType]:
    """Yield an estimate, and the predictions of the formulas beside the measured throughput."""
    several = f" (connection {number_of} of 0 to {connections - 1})" if connections > 1 else ""
    yield f"{estimate.connection}{several}"
    if estimate.gaps:
        yield (
            f"  {estimate.gaps} gaps in the data sent: the capture misses packets, or was not"
            " made at the sender; the losses are then too low"
        )
    yield (
        f"  {estimate.segments_sent} segments sent in {number(estimate.duration_s)} s, "
        f"{estimate.segments_retransmitted} of them again; {estimate.segments_lost} lost, "
        f"in {estimate.loss_events} loss events"
    )
    yield (
        f"  {estimate.fast_retransmits} fast retransmits, {estimate.timeouts} time-outs; "
        f"{estimate.rtt_samples} RTT samples; largest segment {estimate.smss_bytes} B"
    )
    its = estimate._asdict()
    yield _rows([(name, number(its[name]), "", text) for name, text in _ESTIMATED.items()])
    yield f"  measured: {rate(estimate.throughput_bit_s)}"
    path = path_of(estimate)
    if path is None:
        yield "  the formulas need a loss event and a round-trip time"
        return
    rows = []
    for name, model in MODELS.items():
        predicted = float(model.predict(**path).throughput_bit_s)
        error = 100 * (predicted / estimate.throughput_bit_s - 1)
        rows.append((name, rate(predicted), f"{error:+.1f} %", model.title))
    yield _rows(rows)


def estimate_values(estimate: TraceEstimate) -> dict[str, Any]:
    """Return an estimate and the predictions, for JSON."""
    path = path_of(estimate)
    predicted = {
        name: values(model.predict(**path)) if path else None for name, model in MODELS.items()
    }
    return {**values(estimate), "models": predicted}


def _rows(rows: list[tuple[str, str, str, str]]) -> TerminalTable:
    """Return aligned columns: name, number, unit, description."""
    table = TerminalTable("", look=BARE)
    table.add_column(justify="right")
    table.add_column()
    table.add_column(prose=True)
    for name, *others in rows:
        table.add_row(*map(Text, (f"{'':{_INDENT}}{name}", *others)))
    return table
