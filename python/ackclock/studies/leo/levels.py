"""Parts and points of the study."""

from __future__ import annotations

from typing import NamedTuple

SATELLITE, LTE = "satellite", "lte"
FLAVORS = ("cubic", "bbr", "bbr3", "reno_sack")
WHOLE, CHANGES, LOSSES = PATHS = ("satellite", "changes only", "losses only")
CUBIC, CODEL, PROBE = "cubic", "cubic+codel", "probe alone"
SCHEMES = (CUBIC, CODEL, "vegas", "ledbat", "bbr", PROBE)


class Satellite(NamedTuple):
    """A download over the satellite: its TCP, and which of the path's effects there are."""

    flavor: str
    path: str


class Lte(NamedTuple):
    """A download over LTE: its TCP, and its queue if that is not an endless buffer."""

    scheme: str
