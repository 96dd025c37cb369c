"""Why a cell is low: the first reason with evidence. A low cell without one is a fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from defaults_grid.cells import LEAST_S, Cell, Measured

GOOD = 0.9
"""Utilisation from which on a cell needs no reason."""
MOST_TIMEOUTS = 0.5
"""Of a flow, in the measured part; a cell with more needs a reason, too."""
ENOUGH = 8
"""Packets of a flow in path and queue: half of them is a window with three duplicate ACKs."""
BBR = ("bbr", "bbr3")


class Reason(NamedTuple):
    """A name for a table, what it means, and whether it is so."""

    name: str
    meaning: str
    holds: Callable[[Cell, Measured], bool]


REASONS = (
    Reason(
        "vanilla",
        "No fast retransmit: each loss waits for the timer, a second at least.",
        lambda cell, found: cell.flavor == "vanilla",
    ),
    Reason(
        "crowd",
        f"Path and queue hold fewer than {ENOUGH} packets of a flow: half of that is too few for "
        "three duplicate ACKs, so that the timer repairs most losses.",
        lambda cell, found: cell.share < ENOUGH,
    ),
    Reason(
        "steady",
        "Slow but steady (RFC 6582, section 4): the first slow start has lost as much as the path "
        "holds, and each loss takes a round trip to repair; every partial ACK restarts the timer.",
        lambda cell, found: (
            cell.flavor in ("newreno_hoe", "newreno_full")
            and found.drops == found.timeouts == 0 < found.resent
        ),
    ),
    Reason(
        "short",
        f"Measured for less than {LEAST_S} s, or the packets would be too many: a time-out takes a "
        "second, and so short a time does not make up for it.",
        lambda cell, found: found.phase_s < LEAST_S,
    ),
    Reason(
        "repair",
        "Nothing is dropped in the measured part, but segments are retransmitted: the sender "
        "still repairs the losses of the first slow start, and resends data that had arrived "
        "beyond them.",
        lambda cell, found: found.drops == 0 < found.resent,
    ),
    Reason(
        "growth",
        "Nothing is dropped or retransmitted in the measured part: the losses of the first slow "
        "start made the window small, and it grows by only a segment in two round trips.",
        lambda cell, found: cell.flavor not in ("cubic", *BBR) and found.drops == found.resent == 0,
    ),
    Reason(
        "several",
        "The link is busy, with more time-outs than elsewhere: Reno halves the window for each of "
        "several losses in it, until the window is too small for three duplicate ACKs.",
        lambda cell, found: cell.flavor == "reno" and found.utilisation >= GOOD,
    ),
    Reason(
        "probe_rtt",
        "A round trip takes two seconds. Every ten seconds (version 3: five), BBR measures the "
        "smallest RTT with little data in flight, for 200 ms and a round trip.",
        lambda cell, found: (
            cell.flavor in BBR and cell.delay == "1 s" and 0.6 < found.utilisation < GOOD
        ),
    ),
    Reason(
        "once",
        "The link is busy, and the timer of the only flow has expired once.",
        lambda cell, found: cell.flows == 1 and found.utilisation >= GOOD and found.timeouts == 1,
    ),
    Reason(
        "losses",
        "The link is busy, and more than a twentieth of the arriving packets are dropped: "
        "retransmitted segments are lost, too, and then the timer repairs them.",
        lambda cell, found: (
            cell.flavor in ("cubic", *BBR, "prague")
            and found.utilisation >= GOOD
            and found.drops > 0.05
        ),
    ),
)
NOT_RUN = "budget"
"""Of a cell whose fifty round trips are too many packets."""


def is_low(found: Measured) -> bool:
    """Whether a cell needs a reason."""
    return found.utilisation < GOOD or found.timeouts > MOST_TIMEOUTS


def reason(cell: Cell, found: Measured) -> str:
    """The name of the reason why a cell is low; empty if it is not, or if there is none."""
    if not is_low(found):
        return ""
    return next((each.name for each in REASONS if each.holds(cell, found)), "")
