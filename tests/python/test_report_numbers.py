"""Numbers as text."""

from math import nan

import pytest

from ackclock.plurals import counted
from ackclock.report.numbers import fixed, grouped, half_width, interval, signed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (fixed(0.44434), "0.444"),
        (fixed(-0.5, 1), "−0.5"),
        (fixed(nan), "–"),
        (signed(0.01234567), "+0.0123"),
        (signed(-0.25, 2), "−0.25"),
        (signed(nan), "–"),
        (grouped(323032.4), "323,032"),
        (grouped(nan), "–"),
        (half_width(0.40, 0.424), "± 0.012"),
        (half_width(nan, nan), ""),
        (interval(-0.01, 0.02, 2), "(−0.01, +0.02)"),
        (interval(nan, nan), ""),
        (counted(1, "run"), "1 run"),
        (counted(72, "run"), "72 runs"),
    ],
)
def test_numbers_as_text(text, expected):
    assert text == expected
