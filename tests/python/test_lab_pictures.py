"""Frames, and curves with no more points than can be seen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ackclock import _core
from ackclock.lab.frame import Words, frame, read
from ackclock.lab.runs.panels import coded

TYPES = (np.float64, np.float32, np.int32, np.uint32, np.uint16, np.uint8)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
FACTS = st.dictionaries(
    TEXTS.filter(lambda name: name != "arrays"),
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e9, 1e9) | TEXTS,
        lambda inside: st.lists(inside, max_size=3) | st.dictionaries(TEXTS, inside, max_size=3),
        max_leaves=5,
    ),
    max_size=4,
)


@st.composite
def columns(draw):
    """An array, or words."""
    values = draw(arrays.arrays(draw(st.sampled_from(TYPES)), draw(st.integers(0, 40))))
    if values.dtype.kind == "u" and draw(st.booleans()):
        return Words(values, draw(st.lists(TEXTS, max_size=4)))
    return values


@given(st.lists(st.tuples(FACTS, st.dictionaries(TEXTS, columns(), max_size=4)), max_size=3))
def test_frames_come_back_as_they_were_written(frames):
    stream = b"".join(frame(head, its) for head, its in frames)
    assert len(stream) % 8 == 0
    found = read(stream)
    assert [head for head, _ in found] == [head for head, _ in frames]
    for (_, its), (_, written) in zip(found, frames, strict=True):
        assert list(its) == list(written)
        for name, values in written.items():
            numbers = values.numbers if isinstance(values, Words) else values
            again = its[name].numbers if isinstance(its[name], Words) else its[name]
            assert again.dtype == numbers.dtype
            assert again.tobytes() == numbers.tobytes()
            if isinstance(values, Words):
                assert list(its[name].words) == list(values.words)


@pytest.mark.parametrize("size", range(1, 40))
def test_a_stream_that_is_cut_is_no_frame(size):
    whole = frame({"a": 1}, {"x": np.arange(3.0)})
    with pytest.raises(ValueError, match="not frames"):
        read(whole[:-size])


def test_a_frame_refuses_what_it_cannot_hold():
    with pytest.raises(TypeError, match="x: a frame has no type for int64"):
        frame({}, {"x": np.arange(3)})
    with pytest.raises(ValueError, match="not JSON compliant"):
        frame({"x": float("nan")}, {})


@given(st.lists(st.sampled_from(["slow start", "recovery", None, ""])))
def test_words_are_numbered(words):
    its = coded(words)
    assert [its.words[number] for number in its.numbers] == [word or "" for word in words]


@st.composite
def curves(draw):
    """A curve, and the picture that it is drawn in."""
    size = draw(st.integers(1, 300))
    steps = draw(arrays.arrays(np.float64, size, elements=st.floats(0, 3)))
    y = draw(arrays.arrays(np.float64, size, elements=st.floats(-1e6, 1e6)))
    begin = draw(st.floats(-10, 400))
    return np.cumsum(steps), y, begin, begin + draw(st.floats(0.01, 500)), draw(st.integers(1, 40))


def seen(x, y, begin, end, width):
    """The points of a curve in a picture; the core's whole numbers have no sign."""
    return _core.points_to_draw(x, y, begin, end, width).astype(np.int64)


@given(curves())
def test_every_column_of_pixels_keeps_its_extremes_and_its_ends(curve):
    x, y, begin, end, width = curve
    kept = seen(x, y, begin, end, width)
    assert (np.diff(kept) > 0).all()
    inside = np.flatnonzero((x >= begin) & (x <= end))
    of = np.floor((x - begin) * (width / (end - begin)))
    for column in np.unique(of[inside]):
        all_of_it = inside[of[inside] == column]
        shown = np.intersect1d(kept, all_of_it)
        assert {all_of_it[0], all_of_it[-1]} <= set(shown)
        assert y[shown].min() == y[all_of_it].min()
        assert y[shown].max() == y[all_of_it].max()
        if inside.size > 4 * width + 2:
            assert shown.size <= 4


@given(curves())
def test_lines_lead_out_of_the_picture(curve):
    x, y, begin, end, width = curve
    kept = seen(x, y, begin, end, width)
    before, after = np.flatnonzero(x < begin), np.flatnonzero(x > end)
    if before.size:
        assert before[-1] in kept
    if after.size:
        assert after[0] in kept
    outside = kept[(x[kept] < begin) | (x[kept] > end)]
    assert set(outside) <= {*before[-1:], *after[:1]}


def test_few_points_are_all_kept():
    x = np.arange(30.0)
    assert (_core.points_to_draw(x, np.zeros(30), 0.0, 29.0, 10) == np.arange(30)).all()
    assert _core.points_to_draw(np.empty(0), np.empty(0), 0.0, 1.0, 10).size == 0


def test_a_long_curve_becomes_short():
    rng = np.random.default_rng(1)
    x, y = np.sort(rng.uniform(0, 30, 200_000)), rng.normal(size=200_000)
    kept = seen(x, y, 0.0, 30.0, 900)
    assert 3000 < kept.size <= 4 * 901
    assert y[kept].max() == y.max()
    assert y[kept].min() == y.min()


def test_a_curve_is_of_times_and_as_many_numbers():
    x = np.arange(30.0)
    assert (_core.points_to_draw(x, x, 0.0, 30.0, 2) == [0, 14, 15, 29]).all()
    with pytest.raises(ValueError, match="as many values as times"):
        _core.points_to_draw(x, x[:-1], 0.0, 30.0, 2)
    with pytest.raises(TypeError, match="contiguous"):
        _core.points_to_draw(x, np.arange(60.0)[::2], 0.0, 30.0, 2)
    with pytest.raises(TypeError, match="'y'"):
        _core.points_to_draw(x, np.arange(30, dtype=np.int32), 0.0, 30.0, 2)
