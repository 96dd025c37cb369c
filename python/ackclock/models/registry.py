"""The throughput formulas and their parameters, by name.

The command, the tables of docs/reference/models.md and the tests use these two tables. The tables
name functions instead of importing them, so that a command's help does not load numpy.

``python -m ackclock.models.registry docs/reference/models.md`` regenerates the tables of that page.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

SMALLEST_P = 1e-12
"""Smallest loss event rate. A connection at 10 Gbit/s has one such loss event in two weeks. A
smaller rate has no practical use, and squares of W would exceed the range of a float."""
SMSS_BYTES = 1460.0
RTO_IN_RTTS = 3.0
"""Default RTO, round-trip times: 003 section IV-A."""
WINDOWS = ("eq14", "exact")
BACKOFFS = ("short", "long")


class Domain(NamedTuple):
    """The range of a number.

    Attributes:
        low, high: ends of the range.
        with_low, with_high: whether the range includes each end.
    """

    low: float
    high: float
    with_low: bool
    with_high: bool

    def __str__(self) -> str:
        low = f"{'from' if self.with_low else 'above'} {self.low:g}"
        if self.high == inf:
            return f"{low} on" if self.with_low else low
        return f"{low} {'to' if self.with_high else 'and below'} {self.high:g}"


class Parameter(NamedTuple):
    """A parameter of a formula.

    Attributes:
        symbol: symbol in the formulas.
        unit: unit; "1" for a number without unit, "" for a word.
        meaning: definition in a phrase.
        domain: range of the number, or the words to choose from.
        example: a valid value.
        default: description of the default; "" if the parameter is required.
    """

    symbol: str
    unit: str
    meaning: str
    domain: Domain | tuple[str, ...]
    example: str
    default: str = ""


_POSITIVE = Domain(0, inf, with_low=False, with_high=False)
_FROM_1 = Domain(1, inf, with_low=True, with_high=True)

PARAMETERS: dict[str, Parameter] = {
    "p": Parameter(
        "p",
        "1",
        "loss event rate: loss events over segments sent",
        Domain(SMALLEST_P, 1, with_low=True, with_high=False),
        "0.01",
    ),
    "rtt_s": Parameter("R", "s", "average round-trip time", _POSITIVE, "0.075"),
    "smss_bytes": Parameter(
        "SMSS",
        "B",
        "data in a segment",
        _FROM_1,
        "1460",
        f"{SMSS_BYTES:g}",
    ),
    "q": Parameter(
        "q",
        "1",
        "segment loss rate within a loss event, after its first loss",
        Domain(0, 1, with_low=True, with_high=True),
        "0.05",
        "p",
    ),
    "rto_s": Parameter(
        "RTO",
        "s",
        "average duration of the first time-out of a series",
        _POSITIVE,
        "0.225",
        f"{RTO_IN_RTTS:g} R",
    ),
    "segments_per_ack": Parameter("b", "1", "segments that an ACK covers", _FROM_1, "2", "1"),
    "window_limit": Parameter(
        "W_m",
        "segments",
        "largest window that the receiver allows",
        _FROM_1,
        "44",
        "none",
    ),
    "window": Parameter(
        "W",
        "",
        "peak window: Eq. 14 as printed, the root of Eq. 7 = Eq. 13, or segments (an array)",
        WINDOWS,
        "exact",
        "eq14",
    ),
    "backoff": Parameter(
        "D_TO",
        "",
        "duration of a series of time-outs: RTO (1 + 2p + 4p²) as in Eq. 29, or all of Eq. 26",
        BACKOFFS,
        "long",
        "short",
    ),
}
"""All parameters. Every formula takes the first three; ``Model.takes`` names the others."""
COMMON = ("p", "rtt_s", "smss_bytes")


class Model(NamedTuple):
    """A throughput formula.

    Attributes:
        name: name in commands.
        title: full name.
        source: paper and equation.
        formula: formula as text, for the reference.
        home: module and name of the function.
        takes: keywords besides p, rtt_s and smss_bytes.
    """

    name: str
    title: str
    source: str
    formula: str
    home: tuple[str, str]
    takes: tuple[str, ...]

    @property
    def function(self) -> Callable[..., Any]:
        """The function, whose docstring describes arguments, result and errors."""
        module, name = self.home
        return getattr(import_module(module), name)

    def __call__(self, p: Any, rtt_s: Any, **keywords: Any) -> Any:
        """Call the function; return its named tuple with throughput_bit_s and segments_s.

        Raises:
            DomainError: a value is outside its domain, or the formula has no such parameter.
        """
        strange = [name for name in keywords if name not in (*COMMON, *self.takes)]
        if strange:
            from ackclock.models.inputs import DomainError

            raise DomainError({name: self._not_taken(name) for name in strange})
        return self.function(p, rtt_s, **keywords)

    def _not_taken(self, keyword: str) -> str:
        others = [model.name for model in _MODELS if keyword in model.takes]
        instead = f", but of {', '.join(others)}" if others else ""
        return f"is not a parameter of {self.name}{instead}"

    def predict(self, p: Any, rtt_s: Any, **keywords: Any) -> Any:
        """As a call, but ignore keywords of other models, to evaluate all models on one path."""
        mine = {name: its for name, its in keywords.items() if name in (*COMMON, *self.takes)}
        return self.function(p, rtt_s, **mine)


_RENO, _NEWRENO = "ackclock.models.reno_formulas", "ackclock.models.newreno_formulas"
_MODELS = (
    Model(
        "square_root",
        "square root",
        "Mathis, Semke, Mahdavi, Ott, CCR 27(3), 1997",
        "√(3/(2bp)) / R, at most W_m / R",
        (_RENO, "square_root"),
        ("segments_per_ack", "window_limit"),
    ),
    Model(
        "pftk_simple",
        "PFTK, approximation",
        "Padhye, Firoiu, Towsley, Kurose, SIGCOMM 1998, Eq. 30; 003 Table I",
        "1 / (R √(2bp/3) + RTO min(1, 3 √(3bp/8)) p (1 + 32p²)), at most W_m / R",
        (_RENO, "pftk_simple"),
        ("rto_s", "segments_per_ack", "window_limit"),
    ),
    Model(
        "pftk_full",
        "PFTK, full",
        "Padhye, Firoiu, Towsley, Kurose, SIGCOMM 1998, Eq. 29",
        "with E[W], Q and G, in two branches: E[W] below W_m, and not",
        (_RENO, "pftk_full"),
        ("rto_s", "segments_per_ack", "window_limit"),
    ),
    Model(
        "newreno_noto",
        "NewReno without time-outs",
        "Parvez, Mahanti, Williamson (003), Eq. 14, 19",
        "(1/p + W²q/(1+Wq)) / ((W/2 + Wq + 5/2) R), at most W_m / R",
        (_NEWRENO, "newreno_noto"),
        ("q", "window_limit", "window"),
    ),
    Model(
        "newreno",
        "NewReno, full",
        "Parvez, Mahanti, Williamson (003), Eq. 14, 24, 26, 29",
        "(1/p + W²q/(1+Wq)) / (N R + p_TO (D_TO + (1 + log₂(W/4)) R)), "
        "N = W/2 + 3/2 + (1 − p_TO)(1 + Wq), at most W_m / R",
        (_NEWRENO, "newreno"),
        ("q", "rto_s", "window_limit", "window", "backoff"),
    ),
)
MODELS: Mapping[str, Model] = {model.name: model for model in _MODELS}


def models_table() -> str:
    """Return the formulas as a table in Markdown."""
    head = "| name | segments/s | parameters besides p, R, SMSS | source |\n|---|---|---|---|\n"
    return head + "".join(
        f"| `{model.name}` | {model.formula} | {', '.join(f'`{each}`' for each in model.takes)} | "
        f"{model.source} |\n"
        for model in _MODELS
    )


def parameters_table() -> str:
    """Return the parameters as a table in Markdown."""
    head = "| keyword | symbol | unit | meaning | values | default |\n|---|---|---|---|---|---|\n"
    return head + "".join(
        f"| `{name}` | {its.symbol} | {its.unit or '–'} | {its.meaning} | {_values(its)} | "
        f"{its.default or 'must be given'} |\n"
        for name, its in PARAMETERS.items()
    )


def _values(its: Parameter) -> str:
    if isinstance(its.domain, Domain):
        return str(its.domain)
    return ", ".join(f"`{word}`" for word in its.domain)


_TABLES = {"models": models_table, "parameters": parameters_table}
_MARKED = re.compile(r"(<!-- (models|parameters) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(page: str) -> str:
    """Return a page with regenerated tables."""
    return _MARKED.sub(lambda match: f"{match[1]}{_TABLES[match[2]]()}{match[3]}", page)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        path = Path(argument)
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
