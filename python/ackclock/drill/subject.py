"""The TCP under test, with the keys of a scenario's ``[tcp]``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ackclock.errors import InputError
from ackclock.scenario.model.tcp import Tcp
from ackclock.scenario.values.flavor import OwnFlavor

FLAVOR = str(Tcp().flavor)
"""The default flavor of the TCP under test."""

_UNITS = ("bytes", "segments", "ticks", "ps", "ppm")
# A scenario needs a network, which the script replaces.
_NETWORK = {
    "duration": "1 s",
    "topology": {"kind": "dumbbell", "bottleneck": {"rate": "10 Mbit/s", "delay": "10 ms"}},
    # A script has no path from which to derive the size of a buffer.
    "tcp": {"receive_buffer": "1 MiB"},
}


class Subject(NamedTuple):
    """The TCP under test.

    Attributes:
        tcp: settings of the TCP in the form of the core's plan.
        kept: keys of ``tcp`` that the user set, which a script cannot change.
        tick_ps: tick of the endpoint's clock.
    """

    tcp: dict[str, Any]
    kept: list[str]
    tick_ps: int


def subject(flavor: str | None = None, sets: Sequence[str] = ()) -> Subject:
    """Return the TCP of a flavor, with keys of ``[tcp]`` and ``[clock]`` as in a scenario.

    Args:
        flavor: name of the flavor; ``cubic`` if it is set neither here nor in ``sets``.
        sets: texts ``tcp.KEY=VALUE`` or ``clock.tick=VALUE``.

    Raises:
        InputError: with all errors.
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
    if isinstance(scenario.tcp.flavor, OwnFlavor):
        raise InputError(
            f"{scenario.tcp.flavor}: a script cannot run a congestion control in Python; name a "
            f'flavor, for example "{FLAVOR}"'
        )
    tcp = tcp_plan(scenario.tcp)
    names = {key.removeprefix("tcp.") for key in chosen}
    kept = [name for name in (*tcp, *tcp["options"]) if _is_of(name, names)]
    return Subject(tcp, kept, scenario.clock.tick)


def _key(text: str) -> str:
    return text.partition("=")[0].strip()


def _is_of(name: str, chosen: set[str]) -> bool:
    """Return whether a key of the plan, which may end in a unit, belongs to a set scenario key."""
    stem, _, unit = name.rpartition("_")
    return name in chosen or (unit in _UNITS and stem in chosen)
