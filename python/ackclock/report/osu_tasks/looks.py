"""Colours and markers of the levels of this study, the same in all of its figures."""

from __future__ import annotations

from ackclock.plots.shares import Paint
from ackclock.plots.style import (
    BLACK,
    BLUE,
    GREY,
    LIGHT,
    PUBLISHED,
    SERIES,
    SIMULATED,
    VERMILLION,
    series_look,
)
from ackclock.studies.osu_tasks.levels import DROP_POLICIES, PERSISTENT, TCP_FLAVORS, WWW

POLICY_LOOKS = {policy: series_look(number) for number, policy in enumerate(DROP_POLICIES)}
FLAVOR_LOOKS = dict(zip(TCP_FLAVORS, SERIES, strict=True))
METRIC_LOOKS = {"efficiency": SIMULATED, "fairness": PUBLISHED}
TRAFFIC_LOOKS = {PERSISTENT: SIMULATED, WWW: PUBLISHED}
FACTOR_NAMES = {
    "drop_policy": "Drop policy",
    "tcp_flavor": "TCP flavor",
    "sources": "Sources",
    "buffer": "Buffer",
    "buffer_rtt": "Buffer",
    "share": "Guaranteed part",
}
INTERACTIONS, ERROR = "First-order interactions", "Error"
PAINTS = {
    "Drop policy": Paint(VERMILLION),
    "TCP flavor": Paint(BLUE),
    "Sources": Paint("#00664A"),
    "Buffer": Paint("#8C510A"),
    INTERACTIONS: Paint(LIGHT, BLACK),
    ERROR: Paint("white", BLACK, BLACK),
}
"""Of the components of the variation, in the order of a bar."""
LINE = GREY
"""Of what is only compared with."""
