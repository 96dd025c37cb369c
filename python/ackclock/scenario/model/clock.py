"""``[clock]``: the ticks of the TCP timers."""

from typing import Annotated, Any, NamedTuple

from ackclock.scenario.model.base import Table
from ackclock.scenario.units import TIME, parse, show
from ackclock.scenario.values.kind import Kind
from ackclock.scenario.values.plain import plain
from ackclock.scenario.values.quantities import Duration

MS = 10**9
_WANTED = 'write "common", "open" or, say, "uniform 1 ms"'


class Phase(NamedTuple):
    """Where the hosts' ticks lie: uniform over a spread (0: one common clock), or from the open."""

    kind: str
    spread_ps: int = 0


def _read(raw: Any) -> Phase:
    text = plain(raw)
    if text == "common":
        return Phase("uniform")
    if text == "open":
        return Phase("open")
    if isinstance(text, str) and text.startswith("uniform "):
        return Phase("uniform", int(parse(text.removeprefix("uniform "), TIME)))
    raise ValueError(_WANTED)


def _write(phase: Phase) -> str:
    if phase.kind == "open":
        return "open"
    return f"uniform {show(phase.spread_ps, TIME)}" if phase.spread_ps else "common"


PHASE = Kind(
    accepts='"common" | "open" | "uniform" and a time',
    example='"uniform 1 ms"',
    read=_read,
    write=_write,
    number=_write,
    unit=lambda phase: None,
    schema={
        "type": "string",
        "pattern": r"^(common|open|uniform\s+[0-9.]+\s*(ps|ns|us|ms|s|min)\s*)$",
        "examples": ["common", "open", "uniform 1 ms"],
    },
)


class Clock(Table):
    """Coarse TCP timers: time-outs occur at ticks."""

    tick: Duration = MS
    """Granularity of the timers."""
    phase: Annotated[Phase, PHASE] = Phase("uniform", MS)
    """When the ticks of a host occur: at the same time in all hosts (common), at random (uniform),
    or counted from the opening of the connection (open).
    """
