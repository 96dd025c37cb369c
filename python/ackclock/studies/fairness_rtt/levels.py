"""Parts and points of the study."""

from __future__ import annotations

from typing import NamedTuple

RTTS, MIX, RESPONSE, VEGAS = "rtts", "mix", "response", "vegas"
LEDBAT, YIELD, CUBIC = "ledbat", "yield", "cubic"
FLAVORS = ("reno_sack", "cubic", "bbr", "bbr3")
MIXES = (1, 3, 5, 7, 9)
"""Numbers of BBR flows among ``ALL_FLOWS``."""
ALL_FLOWS = 10
VEGAS_FLOWS = (1, 2, 4)
LOSSES = (0.001, 0.0001)
LATER = ("cubic", "ledbat")
"""TCPs that join a LEDBAT flow at ``JOINS_S``."""
JOINS_S = 30.0
BUFFER_S = 0.25
"""Buffer of the CUBIC flow by itself."""


class Rtts(NamedTuple):
    """Two flows of a TCP, with a short and a long RTT."""

    flavor: str


class Count(NamedTuple):
    """So many BBR or Vegas flows."""

    flows: int


class Response(NamedTuple):
    """A flow that loses a packet in each 1 / ``loss`` packets."""

    flavor: str
    loss: float


class Later(NamedTuple):
    """The TCP of the flow that joins."""

    joining: str


class Alone(NamedTuple):
    """One flow by itself."""

    flavor: str


def losses() -> str:
    """Each 1 / loss-th packet is lost, for ``own_sets``: the factors of the part."""
    levels = (f'"{loss:g}" = {{ {_lost(loss)} }}' for loss in LOSSES)
    flavors = (f'{its} = {{ "variables.first" = "{its}" }}' for its in FLAVORS[:2])
    return (
        f"sweep.factors={{ flavor = {{ {', '.join(flavors)} }}, loss = {{ {', '.join(levels)} }} }}"
    )


def _lost(loss: float) -> str:
    every = round(1 / loss)
    numbers = list(range(every, 2_000_000, every))
    return f'"topology.bottleneck.impairments" = [{{ kind = "scripted", lost = {numbers} }}]'
