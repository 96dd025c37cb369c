"""Quantities with units."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.scenario.units import (
    CELLS,
    DIMENSIONS,
    PACKETS,
    RATE,
    RTT,
    SIZE,
    TIME,
    VOLUME,
    parse,
    show,
)


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("45 Mbit/s", RATE, 45_000_000),
        ("149.76 Mbit/s", RATE, 149_760_000),
        ("275 ms", TIME, 275 * 10**9),
        ("5us", TIME, 5 * 10**6),
        (" 0.1 ns ", TIME, 100),
        ("2 min", TIME, 120 * 10**12),
        ("128 B", SIZE, 128),
        ("1 kB", SIZE, 1000),
        ("1 KiB", SIZE, 1024),
        ("531 cells", CELLS, 531),
        ("1 cell", CELLS, 1),
        ("1 packet", PACKETS, 1),
        ("50 packets", PACKETS, 50),
        ("2 TB", VOLUME, 2 * 10**12),
        ("0.5 rtt", RTT, Fraction(1, 2)),
    ],
)
def test_what_a_quantity_means(text, dimension, value):
    assert parse(text, dimension) == value


@pytest.mark.parametrize(
    ("text", "dimension", "message"),
    [
        ("10 mbit/s", RATE, 'did you mean "10 Mbit/s"'),
        ("10 Mbps", RATE, 'did you mean "10 Mbit/s"'),
        ("1.5 GBit/s", RATE, 'did you mean "1.5 Gbit/s"'),
        ("10 Ms", TIME, 'did you mean "10 ms"'),
        ("3 seconds", TIME, 'did you mean "3 s"'),
        ("5 µs", TIME, 'did you mean "5 us"'),
        ("10 KB", SIZE, 'did you mean "10 kB"'),
        ("5 Cells", CELLS, 'did you mean "5 cells"'),
        ("5 pkts", PACKETS, 'did you mean "5 packets"'),
        ("5 kB", PACKETS, 'expected a number of packets, but "kB" is a unit of size'),
        ("10 ms", RATE, 'expected a rate, but "ms" is a unit of time'),
        ("10 mbit/s", TIME, 'expected a time, but "mbit/s" is a unit of rate'),
        ("10 MB/s", RATE, "units of rate are bit/s"),
        ("1 rrt", RTT, 'did you mean "1 rtt"'),
        ("50 pakets", PACKETS, 'did you mean "50 packets"'),
        ("1 Tbit/s", RATE, "units of rate are bit/s"),
        ("1 parsec", TIME, "units of time are ps, ns, us, ms, s, min"),
        ("100", TIME, '"100" has no unit; write it like "100 ms"'),
        ("ms", TIME, '"ms" is not a time'),
        ("1,5 s", TIME, '"1,5 s" is not a time'),
        ("0.5 ps", TIME, "not a whole number of ps"),
        ("0.5 cells", CELLS, "not a whole number of cells"),
        ("-1 cells", CELLS, "negative"),
        ("20000000 min", TIME, "too large: at most 16666 min"),
    ],
)
def test_what_a_wrong_quantity_is_told(text, dimension, message):
    with pytest.raises(ValueError, match=r"^.*$") as refused:
        parse(text, dimension)
    assert message in str(refused.value)


@given(st.sampled_from([d for d in DIMENSIONS if d.whole]), st.data())
def test_a_shown_value_is_read_back(dimension, data):
    value = data.draw(st.integers(0, dimension.maximum))
    assert parse(show(value, dimension), dimension) == value


@given(st.integers(0, 10**9), st.sampled_from(DIMENSIONS), st.data())
def test_a_unit_is_a_multiple_of_the_base(number, dimension, data):
    unit = data.draw(st.sampled_from(list(dimension.units)))
    value = number * dimension.units[unit]
    if value <= dimension.maximum:
        assert parse(f"{number} {unit}", dimension) == value
        assert parse(f"{number}.000{unit}", dimension) == value


@given(st.text(max_size=12), st.sampled_from(DIMENSIONS))
def test_any_text_is_in_range_or_refused(text, dimension):
    try:
        value = parse(text, dimension)
    except ValueError:
        return
    assert 0 <= value <= dimension.maximum


def test_one_is_shown_in_the_singular():
    assert [show(n, PACKETS) for n in (0, 1, 2)] == ["0 packets", "1 packet", "2 packets"]


def test_a_value_is_shown_as_people_write_it():
    assert [show(v, TIME) for v in (0, 1500, 275 * 10**9, 10**14, 3 * 10**12)] == [
        "0 ms",
        "1.5 ns",
        "275 ms",
        "100 s",
        "3 s",
    ]
