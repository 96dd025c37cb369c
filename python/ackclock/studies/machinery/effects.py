"""Effects, shares and other named numbers as claims compare them, and in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ackclock.studies.machinery.estimates import (
    Decision,
    Estimate,
    at_least,
    every,
    open_unless,
    significant,
)
from ackclock.studies.machinery.evidence import shown
from ackclock.studies.machinery.variation import MainEffect, Number


def above(high: MainEffect, low: MainEffect) -> Any:
    """Whether one effect is larger and the 90 % intervals do not overlap."""
    return high.effect - high.half_width > low.effect + low.half_width


def includes_zero(effect: MainEffect, resolution: float) -> Any:
    """Whether the interval of an effect includes 0, and is no wider than at a resolution."""
    return open_unless(effect.half_width <= resolution, abs(effect.effect) <= effect.half_width)


def not_below(number: Number, resolution: float) -> Any:
    """Whether a number is not significantly below 0, by an interval no wider than a resolution."""
    decision = ~significant(number < 0)
    if not isinstance(number, Estimate):
        return decision
    its = number.interval()
    return open_unless(Decision(its.hi - its.mean <= resolution), decision)


def largest(numbers: Mapping[str, Number], name: str) -> Any:
    """Whether a number is the largest."""
    return every(numbers[name] > each for key, each in numbers.items() if key != name)


def second(numbers: Mapping[str, Number], name: str) -> Any:
    """Whether exactly one number is larger."""
    smaller = [numbers[name] > each for key, each in numbers.items() if key != name]
    return at_least(len(smaller) - 1, smaller) & ~every(smaller)


def shares_text(shares: Mapping[str, Estimate], decimals: int = 2) -> str:
    """All shares in words, the largest first."""
    ordered = sorted(shares.items(), key=lambda its: -its[1].mean)
    return "; ".join(f"{name} {share.mean:.{decimals}f} %" for name, share in ordered)


def effects_text(effects: Mapping[str, MainEffect]) -> str:
    """Effects with their 90 % intervals in words."""
    numbers = {name: (e.effect.mean, e.half_width.mean) for name, e in effects.items()}
    return "; ".join(
        f"{name} {effect:+.4f} ({effect - half:+.4f}, {effect + half:+.4f})"
        for name, (effect, half) in numbers.items()
    )


def numbers_text(
    numbers: Mapping[str, Estimate], *, decimals: int = 4, signed: bool = False, unit: str = ""
) -> str:
    """Named numbers with their 95 % intervals in words."""
    return "; ".join(
        f"{name} {shown(each, decimals=decimals, signed=signed, unit=unit)}"
        for name, each in numbers.items()
    )
