"""Numbers as text, the same everywhere in a report."""

from __future__ import annotations

from math import isfinite

MISSING = "–"
"""For a value that does not exist, such as fairness where nothing was asked for."""
_MINUS = "−"


def fixed(value: float, decimals: int = 3) -> str:
    """A number with this many decimals."""
    return _minus(f"{value:.{decimals}f}") if isfinite(value) else MISSING


def signed(value: float, decimals: int = 4) -> str:
    """A number with its sign."""
    return _minus(f"{value:+.{decimals}f}") if isfinite(value) else MISSING


def grouped(value: float) -> str:
    """A large number, whole, with thousands separators."""
    return _minus(f"{value:,.0f}") if isfinite(value) else MISSING


def half_width(lo: float, hi: float, decimals: int = 3) -> str:
    """Half of an interval: "± 0.012"; nothing where there is none, or where nothing varies."""
    return f"± {(hi - lo) / 2:.{decimals}f}" if isfinite(hi - lo) and hi > lo else ""


def interval(lo: float, hi: float, decimals: int = 4) -> str:
    """The ends of an interval: "(−0.012, +0.034)"; nothing where there is none."""
    if not isfinite(hi - lo):
        return ""
    return f"({signed(lo, decimals)}, {signed(hi, decimals)})"


def _minus(text: str) -> str:
    return text.replace("-", _MINUS)
