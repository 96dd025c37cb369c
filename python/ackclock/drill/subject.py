"""The subject under test: a TCP with the keys of a scenario's ``[tcp]``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ackclock.errors import InputError
from ackclock.scenario.model.tcp import Tcp

FLAVOR = str(Tcp().flavor)
"""The default subject under test."""

_UNITS = ("bytes", "segments", "ticks", "ps", "ppm")
# A scenario needs a network; here the script replaces it.
_NETWORK = {
    "duration": "1 s",
    "topology": {"kind": "dumbbell", "bottleneck": {"rate": "10 Mbit/s", "delay": "10 ms"}},
    # A script knows no path that a buffer could follow.
    "tcp": {"receive_buffer": "1 MiB"},
}


class Subject(NamedTuple):
    """What is under test.

    Attributes:
        tcp: as the core's plan has it.
        kept: keys of it that were chosen: no script changes them.
        tick_ps: tick of the endpoint's clock.
    """

    tcp: dict[str, Any]
    kept: list[str]
    tick_ps: int


def subject(flavor: str | None = None, sets: Sequence[str] = ()) -> Subject:
    """The TCP of a flavor, with keys of ``[tcp]`` and ``[clock]`` set as in a scenario.

    Args:
        flavor: row of the table of flavors; ``cubic`` if none is named here or in ``sets``.
        sets: texts ``tcp.KEY=VALUE`` or ``clock.tick=VALUE``.

    Raises:
        InputError: with everything that is wrong.
    """
    from ackclock.scenario import load
    from ackclock.scenario.compile.tcp import tcp_plan

    chosen = [_key(each) for each in sets]
    foreign = [
        f"--set {text}: a script accepts only tcp.KEY and clock.tick; it has a network of its own"
        for text, key in zip(sets, chosen, strict=True)
        if not key.startswith("tcp.") and key != "clock.tick"
    ]
    if flavor is not None:
        chosen.append("tcp.flavor")
        sets = [*sets, f"tcp.flavor={flavor}"]
    elif "tcp.flavor" not in chosen:
        sets = [f"tcp.flavor={FLAVOR}", *sets]
    try:
        scenario = load(_NETWORK, sets)
    except InputError as error:
        raise InputError([*foreign, *error.messages]) from None
    if foreign:
        raise InputError(foreign)
    tcp = tcp_plan(scenario.tcp)
    names = {key.removeprefix("tcp.") for key in chosen}
    kept = [name for name in (*tcp, *tcp["options"]) if _is_of(name, names)]
    return Subject(tcp, kept, scenario.clock.tick)


def _key(text: str) -> str:
    return text.partition("=")[0].strip()


def _is_of(name: str, chosen: set[str]) -> bool:
    """Whether a key of the plan says what a key of the scenario does, perhaps with its unit."""
    stem, _, unit = name.rpartition("_")
    return name in chosen or (unit in _UNITS and stem in chosen)
