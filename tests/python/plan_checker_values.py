"""What the checkers of plans have in common: bounds, keys, numbers, laws of times."""

from __future__ import annotations

MOST_PS = 10**18
MOST_U32 = 2**32 - 1
MOST_U64 = 2**64 - 1
PPM = 10**6
PPB = 10**9


def has_keys(table: dict, keys: str) -> None:
    assert set(table) == set(keys.split()), set(table) ^ set(keys.split())


def number(value: object, least: int, most: int) -> None:
    assert type(value) is int, f"{value!r} is no whole number"
    assert least <= value <= most, f"{value} is not from {least} to {most}"


def check_law(law: dict) -> None:
    """Of times."""
    keys = {"uniform": "min_ps max_ps", "exponential": "mean_ps", "pareto": "mean_ps shape_ppm"}
    has_keys(law, f"law {keys[law['law']]}")
    if law["law"] == "uniform":
        number(law["max_ps"], 0, MOST_PS)
        number(law["min_ps"], 0, law["max_ps"])
        return
    number(law["mean_ps"], 1, MOST_PS)
    if law["law"] == "pareto":
        number(law["shape_ppm"], PPM + 1, MOST_U32)
