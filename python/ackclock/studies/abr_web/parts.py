"""What each part of the study changes in its scenario file, and how its points are called there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ackclock.studies.abr_web.levels import (
    ABR,
    CARRIERS,
    COMPARED_SERVERS,
    EPD,
    PAPERS,
    SD,
    SERVICE,
    TABLE2,
    Carrier,
    Point,
)

_SWITCH = "topology.switch"
_POLICIES = {EPD: "epd", SD: "selective_drop"}


def _settings(carrier: Carrier) -> str:
    """The keys of a level, as an inline table."""
    if carrier.service == ABR:
        values = {"topology.service": "abr"}
    else:
        values = {
            "topology.service": "ubr",
            f"{_SWITCH}.policy": _POLICIES[carrier.service],
            f"{_SWITCH}.ubr_buffer": f"{carrier.buffer_rtt:g} rtt",
            "tcp.flavor": carrier.tcp,
        }
    return ", ".join(f"{json.dumps(key)}={json.dumps(value)}" for key, value in values.items())


_BY_NAME = {str(carrier): carrier for carrier in CARRIERS}
_LEVELS = ", ".join(f'"{name}"={{{_settings(each)}}}' for name, each in _BY_NAME.items())
OWN_SETS: Mapping[str, tuple[str, ...]] = {
    TABLE2: (),
    SERVICE: (f"sweep.factors={{servers={list(COMPARED_SERVERS)}, carrier={{{_LEVELS}}}}}",),
}
"""Texts ``key=value``, as for ``--set``."""


def point_of(part: str, levels: Mapping[str, Any]) -> Point:
    """The point that the columns of the sweep of a part stand for."""
    carrier = _BY_NAME[levels["carrier"]] if part == SERVICE else PAPERS
    return Point(part, levels["servers"], *carrier)
