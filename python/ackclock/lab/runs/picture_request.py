"""The requested content of a picture of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ackclock.errors import InputError
from ackclock.lab.settings import MOST_COLUMNS
from ackclock.lab.states.state import whole

SHOWN = ("cwnd", "rtt", "queue", "goodput", "states", "drops", "delays", "completions")
_USUAL = ("cwnd", "rtt", "queue", "goodput", "states")
_COLUMNS = 900
_MOST_NAMES = 64


@dataclass(frozen=True)
class PictureRequest:
    """The requested content of a picture.

    Attributes:
        show: panels, from ``SHOWN``.
        flows: names of the flows with curves; none for the first few.
        link: name of the link with the queue; none for the bottleneck.
        window: start and end, s; none for the whole run.
        width: columns of pixels.
    """

    show: tuple[str, ...] = _USUAL
    flows: tuple[str, ...] | None = None
    link: str | None = None
    window: tuple[float, float] | None = None
    width: int = _COLUMNS

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> PictureRequest:
        """Read the request in a body, which may have more keys.

        Raises:
            InputError: the request has errors.
        """
        problems: list[str] = []
        show = texts(body, "show", problems)
        unknown = [each for each in show or () if each not in SHOWN]
        if unknown:
            problems.append(f"show: {unknown[0]} is unknown; choose from {', '.join(SHOWN)}")
        flows = texts(body, "flows", problems)
        link = body.get("link")
        if not isinstance(link, str | None):
            problems.append("link: expected a name or null")
        wanted = cls(
            _USUAL if show is None else show,
            flows,
            link,
            window(body, problems),
            whole({"width": body.get("width") or _COLUMNS}, "width", 1, MOST_COLUMNS, problems),
        )
        if problems:
            raise InputError(problems)
        return wanted


def texts(body: Mapping[str, Any], name: str, problems: list[str]) -> tuple[str, ...] | None:
    """Return a list of texts of a body; none if it is missing. Add errors to ``problems``."""
    value = body.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        problems.append(f"{name}: expected a list of texts")
    elif len(value) > _MOST_NAMES:
        problems.append(f"{name}: at most {_MOST_NAMES} can be drawn")
    else:
        return tuple(value)
    return None


def window(body: Mapping[str, Any], problems: list[str]) -> tuple[float, float] | None:
    """Return the requested window of a run, s; add errors to ``problems``."""
    value = body.get("window")
    if value is None:
        return None
    is_pair = isinstance(value, list) and len(value) == 2
    if not is_pair or not all(isinstance(each, int | float) for each in value):
        problems.append("window: expected two times in s, like [2.5, 3]")
    elif not 0 <= value[0] < value[1] < 1e9:
        problems.append(
            "window: the second time must be after the first, and both must be 0 or more"
        )
    else:
        return float(value[0]), float(value[1])
    return None
