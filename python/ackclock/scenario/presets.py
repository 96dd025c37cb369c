"""The options of a TCP: those written, and the presets of its flavor on its stack for the others.

The core has the presets; they are not repeated here. An option that the flavor does not use keeps
its preset whatever is written. So a sweep over flavors may set it, and an option without effect
does not lead to other runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from ackclock import _core
from ackclock.scenario.model.base import keys
from ackclock.scenario.model.tcp import FLAVORS, STACKS, Tcp
from ackclock.scenario.values.preset import AS_PUBLISHED, PRESET
from ackclock.scenario.values.quantities import OFF

_PPM = 10**6


class _Form(NamedTuple):
    """A key of ``[tcp]`` in a plan: its name, and the conversions of its value."""

    name: str
    to_plan: Callable[[Any], Any] = lambda value: value
    from_plan: Callable[[Any], Any] = lambda value: value


_TIMES = ("ledbat_target", "initial_rto", "min_rto", "max_rto", "delayed_ack")
_FORMS = {
    "growth_limit": _Form(
        "growth_limit_segments",
        lambda value: None if value == OFF else value,
        lambda value: OFF if value is None else value,
    ),
    "cubic_beta": _Form(
        "cubic_beta_ppm",
        lambda value: int(value * _PPM),
        lambda value: Fraction(value, _PPM),
    ),
    "quick_ack_size": _Form("quick_ack_bytes"),
    **{key: _Form(f"{key}_ps") for key in _TIMES},
}
OPTIONS = {
    name: _FORMS.get(name, _Form(name))
    for name, key in keys(Tcp).items()
    if key.kind is not None and key.kind.has_preset
}
"""The keys that every flavor has a preset for."""


@cache
def _stated() -> Mapping[tuple[str, str], Mapping[str, Any]]:
    """The presets as a plan states them, by flavor and stack."""
    return {
        (flavor, stack): json.loads(text)
        for stack, texts in _core.stacks()
        for flavor, text in zip(FLAVORS, texts, strict=True)
    }


def _stated_of(flavor: str, stack: str) -> Mapping[str, Any]:
    return _stated_of_code()[stack] if flavor not in FLAVORS else _stated()[flavor, stack]


@cache
def _stated_of_code() -> Mapping[str, Mapping[str, Any]]:
    """The presets of a flavor that is code, by stack."""
    return dict(zip(STACKS, map(json.loads, _core.flavor_of_code()[0]), strict=True))


@cache
def presets(flavor: str, stack: str = STACKS[0]) -> Mapping[str, Any]:
    """The presets of a flavor on a stack, by keys of ``[tcp]``, as a ``Tcp`` holds them."""
    stated = _stated_of(flavor, stack)
    return {key: form.from_plan(stated[form.name]) for key, form in OPTIONS.items()}


def preset_of(tcp: Tcp) -> str:
    """Whose its presets are: "cubic", or with another stack than usual "cubic on linux"."""
    return tcp.flavor if tcp.stack == STACKS[0] else f"{tcp.flavor} on {tcp.stack}"


def uses(flavor: str, key: str) -> bool:
    """Whether a flavor does anything with a key of ``[tcp]`` or ``[tcp.historic]``."""
    return key not in properties(flavor)["ignores"]


def using(key: str) -> list[str]:
    """The flavors that do something with a key."""
    return [flavor for flavor in FLAVORS if uses(flavor, key)]


@cache
def properties(flavor: str) -> Mapping[str, Any]:
    """What the core says of a flavor beside its presets.

    Returns:
        ``careful_as_published``: whether its source avoids multiple fast retransmits;
        ``ignores``: the keys that it does nothing with; ``in_linux``: what Linux calls a
        congestion control like its own; ``is_random``: whether it makes random choices.
    """
    of_code = _core.flavor_of_code()[1]
    return json.loads(next((row[3] for row in _core.flavors() if row[0] == flavor), of_code))


def is_preset(tcp: Tcp, key: str) -> bool:
    """Whether a key of a TCP is left to its flavor."""
    return bool(getattr(tcp, key) == PRESET)


def with_presets(tcp: Tcp) -> Tcp:
    """A TCP with what holds in the place of every "preset", and of what the flavor ignores."""
    own = presets(tcp.flavor, tcp.stack)
    held = {}
    if tcp.careful_fast_retransmit == AS_PUBLISHED:
        held["careful_fast_retransmit"] = properties(tcp.flavor)["careful_as_published"]
    held |= {key: own[key] for key in OPTIONS if is_preset(tcp, key) or not uses(tcp.flavor, key)}
    return tcp.model_copy(update=held)


def options_plan(tcp: Tcp) -> dict[str, Any]:
    """The options of a TCP as a plan states them."""
    settled = with_presets(tcp)
    written = {form.name: form.to_plan(getattr(settled, key)) for key, form in OPTIONS.items()}
    return {**_stated_of(tcp.flavor, tcp.stack), **written}
