"""Check the inputs of the formulas, set defaults, and convert them to arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ackclock.models.registry import PARAMETERS, RTO_IN_RTTS, Domain


class DomainError(ValueError):
    """Values outside the domain of a formula.

    Attributes:
        problems: one message per wrong parameter, by the name of the parameter.
    """

    def __init__(self, problems: Mapping[str, str]) -> None:
        self.problems = dict(problems)
        # A single argument, so that the error survives pickling between processes.
        super().__init__(self.problems)

    def __str__(self) -> str:
        """Return all problems in one line."""
        return "; ".join(f"{name}: {problem}" for name, problem in self.problems.items())


def checked(**values: Any) -> dict[str, np.ndarray]:
    """Check numbers and arrays, and return them as arrays of floats that broadcast together.

    Defaults of values that are none: ``q`` is p, ``rto_s`` is 3 R, ``window_limit`` is infinite.

    Args:
        values: values by parameter; must contain p and rtt_s if a default uses them.

    Raises:
        DomainError: a value is outside its domain or nan, or shapes do not fit.
    """
    defaults = {
        "q": lambda: values["p"],
        "rto_s": lambda: RTO_IN_RTTS * np.asarray(values["rtt_s"], dtype=float),
        "window_limit": lambda: np.inf,
    }
    found: dict[str, np.ndarray] = {}
    problems: dict[str, str] = {}
    for name, value in values.items():
        defaulted = value is None and name in defaults
        try:
            found[name] = _numbers(name, defaults[name]() if defaulted else value, defaulted)
        except (TypeError, ValueError) as error:
            # A problem that follows from another value is reported only for that value.
            if not defaulted:
                problems[name] = str(error)
    if not problems:
        try:
            np.broadcast_shapes(*(array.shape for array in found.values()))
        except ValueError:
            shapes = ", ".join(f"{name} {array.shape}" for name, array in found.items())
            problems["shapes"] = f"these cannot be broadcast against each other: {shapes}"
    if problems:
        raise DomainError(problems)
    return found


def chosen(name: str, word: str) -> str:
    """Check that a word is one of the choices of a parameter, and return it.

    Raises:
        DomainError: the word is not one of the choices.
    """
    words = PARAMETERS[name].domain
    if word not in words:
        raise DomainError({name: f"{word!r}: choose from {', '.join(map(repr, words))}"})
    return word


def _numbers(name: str, value: Any, defaulted: bool) -> np.ndarray:
    parameter = PARAMETERS.get(name)
    example = parameter.example if parameter else "20"
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"expected numbers, for example {example}") from None
    domain = _PEAK if parameter is None or not isinstance(parameter.domain, Domain) else None
    domain = domain or parameter.domain
    wrong = ~_inside(array, domain)
    if wrong.any() and not defaulted:
        several = f" ({np.count_nonzero(wrong)} of {array.size} values)" if array.ndim else ""
        raise ValueError(
            f"{array[wrong].flat[0]:g}{several}: must be {domain}, for example {example}"
        )
    return array


_PEAK = Domain(0, np.inf, with_low=False, with_high=False)
"""Domain of a peak window, segments; the exact root falls below 1 if p is close to 1."""


def _inside(array: np.ndarray, domain: Domain) -> np.ndarray:
    low = array >= domain.low if domain.with_low else array > domain.low
    high = array <= domain.high if domain.with_high else array < domain.high
    return low & high
