"""Scenarios to start from, one for each kind of topology."""

from __future__ import annotations

from pathlib import Path

KINDS = ("dumbbell", "parking_lot", "graph", "atm_dumbbell", "atm_clients", "atm_network")


def starter(kind: str) -> str:
    """The text of a commented scenario.

    Args:
        kind: of its topology, one of ``KINDS``.
    """
    return (Path(__file__).parent / f"{kind}.toml").read_text(encoding="utf-8")
