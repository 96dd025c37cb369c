"""Readable names and units of columns: ``goodput_bit_s`` is "goodput (Mbit/s)".

The suffix of a column's name is the unit of its values. They are shown in a multiple of the unit
that suits the largest value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    import pandas as pd

_MULTIPLES: dict[str, tuple[str, tuple[tuple[float, str], ...]]] = {
    "_bit_s": (
        "bit/s",
        ((1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s"), (1, "bit/s")),
    ),
    "_bytes": ("bytes", ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B"))),
    "_cells_s": ("cells/s", ((1, "cells/s"),)),
    "_packets": ("packets", ((1, "packets"),)),
    "_cells": ("cells", ((1, "cells"),)),
    "_share": ("1", ((0.01, "%"),)),
    "_rtt": ("rtt", ((1, "RTT"),)),
    "_bdp": ("bdp", ((1, "BDP"),)),
    "_s": ("s", ((1, "s"), (1e-3, "ms"), (1e-6, "µs"))),
}
"""By suffix of a column's name: the unit, and the multiples for display, descending."""
_KEPT_IN_NAME = ("_share",)
_CAPITALS = {
    word.lower(): word
    for word in (
        "TCP",
        "RTT",
        "RTO",
        "ACK",
        "SMSS",
        "SWS",
        "EPD",
        "PPD",
        "FBA",
        "ATM",
        "WWW",
        "UBR",
        "RED",
        "ECN",
        "HTTP",
        "FTP",
        "IW",
        "ABR",
        "VBR",
        "ACR",
        "PCR",
        "MCR",
        "ICR",
        "RIF",
        "RDF",
        "TBE",
        "ADTF",
        "FRTT",
        "VC",
        "ERICA",
        "EFCI",
        "QDLF",
        "BBR",
        "BDP",
        "CUBIC",
        "DCTCP",
        "PIE",
        "L4S",
    )
}
_CAPITALS |= {"jain": "Jain", "timeouts": "time-outs", "sack": "SACK"}
_WHOLE_NAMES = {
    "cwnd_limited": "limited by cwnd",
    "rwnd_limited": "limited by the receive window",
    "app_limited": "limited by the application",
    "max_queue": "longest queue",
    "abr_max_queue": "longest ABR queue",
    "response": "response time",
    "rebuffer": "time stalled",
    "start_up_delay": "start-up delay",
    "video_qoe": "video QoE (Mbit/s)",
    "max_min_fairness": "max-min fairness",
    "page_delay_no_setup": "page delay without handshakes",
    "page_delay_request": "page delay from the first request",
    "file_delay_no_setup": "file delay without the handshake",
    "file_delay_request": "file delay from the request",
    "back_utilisation": "utilisation of the other direction",
    "back_drop_share": "drop share of the other direction",
    "back_queue_delay": "queue delay of the other direction",
    "completion_sd": "standard deviation of completion",
    "ramp_up": "time to 1.5 MB",
    "ramp_up_10": "time to 15 MB",
    "to_60_percent": "time to 60 % of the link",
    "to_80_percent": "time to 80 % of the link",
    "to_90_percent": "time to 90 % of the link",
    "camp_a": "camp A, standard TCP",
    "camp_b": "camp B",
}
_MOST_OF_A_LEVEL = 1e5
_UNSAID = ("topology",)
"""Tables of keys that are left out of names that are clear without them."""
_IN_A_LIST = re.compile(
    r"(?:(?P<before>.+)_)?(?P<list>flows|links|sources|background|impairments)"
    r"_(?P<number>\d+)_(?P<key>.+)"
)
"""Matches a key within a list, with an index from 0: ``flows_0_tcp_flavor``."""
_OF_A_FLOW = {"tcp_flavor": "TCP"}


class Quantity(NamedTuple):
    """The readable form of a column.

    Attributes:
        name: readable name, without unit.
        unit: unit for display; empty for a number without unit.
        scale: divisor that converts values in the column's unit to ``unit``.
    """

    name: str
    unit: str
    scale: float

    @property
    def label(self) -> str:
        """Name and unit, for an axis or the head of a table."""
        return f"{self.name} ({self.unit})" if self.unit else self.name


def quantity(column: str, values: ArrayLike = (), unit: str = "") -> Quantity:
    """Return the readable form of a column.

    Args:
        column: name of the column.
        values: values to show, in the column's unit; values that are not numbers are ignored.
        unit: unit of the values, if the name does not contain it.
    """
    ending = _ending(column)
    name = words(column if ending in _KEPT_IN_NAME else column.removesuffix(ending))
    if not ending:
        return Quantity(name, unit, 1.0)
    largest = _largest(values)
    multiples = _MULTIPLES[ending][1]
    for scale, multiple in multiples:
        if largest >= scale:
            return Quantity(name, multiple, float(scale))
    # Without values, or below the smallest multiple: 0 is shown in the unit itself.
    scale, multiple = multiples[-1] if largest else _base(ending)
    return Quantity(name, multiple, float(scale))


def level_quantity(column: str, levels: ArrayLike = ()) -> Quantity:
    """Return the readable form of a factor, in a unit of its levels.

    14 kB stays 14 kB beside a level of 1 MB. If the largest level would have more than five digits
    before the point, the unit is that of the largest level.

    Args:
        column: its name.
        levels: levels in the column's unit; levels that are not numbers are ignored.
    """
    array = np.asarray(levels)
    if array.dtype.kind not in "iuf":
        return quantity(column)
    above = array[np.isfinite(array) & (array > 0)].astype(float)
    fine, coarse = quantity(column, above.min() if above.size else ()), quantity(column, levels)
    return fine if _largest(levels) < _MOST_OF_A_LEVEL * fine.scale else coarse


def unit_of(column: str) -> str:
    """Return the unit of a column's values, from its name; "1" without a unit."""
    ending = _ending(column)
    return _MULTIPLES[ending][0] if ending else "1"


def words(column: str) -> str:
    """Return the readable name of a column, for use in a sentence."""
    if column in _WHOLE_NAMES:
        return _WHOLE_NAMES[column]
    if listed := _IN_A_LIST.fullmatch(column):
        owner = _plain(f"{listed['before'] or ''}_{listed['list'].removesuffix('s')}")
        what = _OF_A_FLOW.get(listed["key"], words(listed["key"]))
        return f"{what} of {owner} {int(listed['number']) + 1}"
    return _plain(column)


def _plain(column: str) -> str:
    parts = [part for part in column.split("_") if part]
    while len(parts) > 1 and parts[0] in _UNSAID:
        del parts[0]
    return " ".join(_CAPITALS.get(part, part) for part in parts)


def sentence(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def _ending(column: str) -> str:
    return next((end for end in _MULTIPLES if column.endswith(end) and column != end), "")


def _largest(values: ArrayLike) -> float:
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        return 0.0
    finite = np.abs(array[np.isfinite(array)].astype(float))
    return float(finite.max()) if finite.size else 0.0


def _base(ending: str) -> tuple[float, str]:
    multiples = _MULTIPLES[ending][1]
    return next(((scale, unit) for scale, unit in multiples if scale == 1), multiples[0])


def within(
    frame: pd.DataFrame,
    *,
    mean: str = "mean",
    lo: str = "lo",
    hi: str = "hi",
    most: float = 1.0,
) -> pd.DataFrame:
    """Cut intervals to possible values: Student's t can give ends below 0 or shares above 1.

    Args:
        frame: columns of these names; nan stays nan.
        mean: column of the means, which an interval always includes.
        lo: column of the lower ends.
        hi: column of the upper ends.
        most: largest possible value: 1 for a share, 100 for percent, or infinite.
    """
    lows, highs = ends_within(frame[mean], frame[lo], frame[hi], most)
    return frame.assign(**{lo: lows, hi: highs})


def ends_within(
    mean: ArrayLike, lo: ArrayLike, hi: ArrayLike, most: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of intervals, cut to possible values; see ``within``.

    Args:
        mean: means, which the intervals always include; nan stays nan.
        lo: lower ends.
        hi: upper ends.
        most: largest possible value.
    """
    low, high = np.asarray(lo, dtype=float), np.asarray(hi, dtype=float)
    return (
        np.minimum(np.where(low < 0, 0.0, low), mean),
        np.maximum(np.where(high > most, most, high), mean),
    )


def level_texts(column: str, levels: Sequence[Any]) -> list[str]:
    """Return the levels of a factor as readable texts: "10 ms", "0.5 RTT", "reno"."""
    return [_number_text(column, level) if is_number(level) else _text(level) for level in levels]


def point_text(levels: Mapping[str, Any]) -> str:
    """Return the levels of a point as text: "TCP flavor reno, bottleneck delay 10 ms".

    Args:
        levels: levels by column.
    """
    return ", ".join(
        f"{quantity(column).name} {text}"
        for column, level in levels.items()
        for text in level_texts(column, [level])
    )


def _number_text(column: str, level: Any) -> str:
    shown = quantity(column, [level])
    return f"{level / shown.scale:.6g} {shown.unit}".rstrip()


def is_number(level: Any) -> bool:
    """Return whether a level is a number; False for a bool."""
    return isinstance(level, Real) and not isinstance(level, bool | np.bool_)


def _text(level: Any) -> str:
    return str(level).lower() if isinstance(level, bool | np.bool_) else str(level)
