"""Analysis of full factorial experiments."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from ackclock.stats import analyse
from ackclock.stats.factorial import ERROR, HIGHER_ORDER, TOTAL_VARIATION

# A machine may be busy: a slow example is no failure.
unhurried = settings(deadline=None, max_examples=50)


def design(values, shape, replications=1):
    """A frame with factors f0, f1, ... of these numbers of levels, and the values as response."""
    cells = [cell for cell in product(*map(range, shape)) for _ in range(replications)]
    frame = pd.DataFrame(cells, columns=[f"f{axis}" for axis in range(len(shape))])
    return frame.assign(y=np.asarray(values, dtype=float)), list(frame.columns)


@st.composite
def designs(draw, min_factors=1, max_replications=3):
    shape = draw(st.lists(st.integers(2, 4), min_size=min_factors, max_size=4))
    replications = draw(st.integers(1, max_replications))
    seed = draw(st.integers(0, 2**32 - 1))
    values = np.random.default_rng(seed).normal(size=int(np.prod(shape)) * replications)
    return design(np.round(values, 4), shape, replications)


def allocated(analysis, component, column="sum_of_squares"):
    return analysis.allocation.set_index("component").loc[component, column]


def assert_same(one, other, scale=1.0, shift=0.0):
    """The same analysis in another order of rows, or of a response scaled and shifted."""
    assert_allclose(other.grand_mean, one.grand_mean * scale + shift, atol=1e-8)
    assert_allclose(other.standard_error, one.standard_error * abs(scale), atol=1e-8)
    a, b = one.allocation.set_index("component"), other.allocation.set_index("component")
    assert_allclose(b["percent"].loc[a.index], a["percent"], atol=1e-6)
    keys, ends = ["factor", "level"], ["lo", "hi"] if scale > 0 else ["hi", "lo"]
    a, b = (
        one.effects.set_index(keys),
        other.effects.set_index(keys).loc[one.effects.set_index(keys).index],
    )
    assert_allclose(b["effect"], a["effect"] * scale, atol=1e-8)
    assert_allclose(b[ends], a[["lo", "hi"]] * scale, atol=1e-7)


def test_textbook_example_without_replication():
    # Jain 1991, section 17.2: memory (columns) and cache (rows), 15 45 / 25 75 MIPS.
    frame, factors = design([15, 45, 25, 75], (2, 2))
    analysis = analyse(frame, "y", factors)
    assert analysis.grand_mean == 40
    assert analysis.effects["effect"].tolist() == [-10, 10, -20, 20]
    assert analysis.interactions["effect"].tolist() == [5, -5, -5, 5]
    assert [allocated(analysis, name) for name in ("f0", "f1", "f0:f1")] == [400, 1600, 100]
    assert [round(analysis.percent(*pair)) for pair in (("f0",), ("f1",), ("f1", "f0"))] == [
        19,
        76,
        5,
    ]


def test_textbook_example_with_replication():
    # Jain 1991, examples 18.1 to 18.4: the 90 % intervals printed there.
    values = [15, 18, 12, 45, 48, 51, 25, 28, 19, 75, 75, 81]
    frame, factors = design(values, (2, 2), replications=3)
    analysis = analyse(frame, "y", factors, t_quantile=1.86)
    assert analysis.grand_mean == pytest.approx(41)
    sums = [allocated(analysis, name) for name in ("f0", "f1", "f0:f1", ERROR, TOTAL_VARIATION)]
    assert_allclose(sums, [1083, 5547, 300, 102, 7032])
    assert (analysis.error, analysis.degrees_of_freedom) == ("pure", 8)
    assert analysis.standard_error == pytest.approx(3.57, abs=0.005)
    assert_allclose(analysis.effect("f1", 1), (21.5, 19.58, 23.41), atol=0.01)
    assert_allclose(analysis.effect("f0", 1), (9.5, 7.58, 11.41), atol=0.01)
    last = analysis.interactions.iloc[-1]
    assert_allclose(last[["effect", "lo", "hi"]].astype(float), [5, 3.08, 6.91], atol=0.01)
    mean, lo, hi, n = analysis.grand_mean_interval()
    assert_allclose([mean, lo, hi, n], [41, 39.08, 42.91, 12], atol=0.01)


@unhurried
@given(designs(), st.sampled_from(["auto", "pooled"]))
def test_sums_of_squares_and_degrees_of_freedom_add_up(case, error):
    frame, factors = case
    table = analyse(frame, "y", factors, error=error).allocation.set_index("component")
    parts = table.drop(["individual values", "overall mean", TOTAL_VARIATION])
    total = table.loc[TOTAL_VARIATION]
    assert_allclose(parts["sum_of_squares"].sum(), total["sum_of_squares"], atol=1e-9)
    assert parts["degrees_of_freedom"].sum() == total["degrees_of_freedom"] == len(frame) - 1
    assert_allclose(parts["percent"].sum(), 100)
    assert total["percent"] == 100
    first = table["sum_of_squares"].iloc[:3]
    assert_allclose(first.iloc[0] - first.iloc[1], first.iloc[2], atol=1e-9)
    assert (table["sum_of_squares"] >= 0).all()


@unhurried
@given(designs())
def test_effects_and_interactions_sum_to_zero(case):
    frame, factors = case
    analysis = analyse(frame, "y", factors)
    assert_allclose(analysis.effects.groupby("factor")["effect"].sum(), 0, atol=1e-9)
    pairs = analysis.interactions
    for side in ("a", "b"):
        keys = ["factor_a", "factor_b", f"level_{side}"]
        assert_allclose(pairs.groupby(keys)["effect"].sum(), 0, atol=1e-9)
    assert len(pairs) == sum(
        frame[a].nunique() * frame[b].nunique() for a, b in combinations(factors, 2)
    )


@unhurried
@given(designs())
def test_the_model_is_the_least_squares_fit(case):
    frame, factors = case
    columns = [np.ones(len(frame))]
    for size in (1, 2):
        for names in combinations(factors, size):
            for _, group in frame.groupby(list(names)):
                columns.append(frame.index.isin(group.index).astype(float))
    matrix = np.stack(columns, axis=1)
    fitted = matrix @ np.linalg.lstsq(matrix, frame["y"], rcond=None)[0]
    residual = np.square(frame["y"] - fitted).sum()
    freedom = len(frame) - np.linalg.matrix_rank(matrix)
    analysis = analyse(frame, "y", factors, error="pooled")
    assert analysis.degrees_of_freedom == freedom
    assert_allclose(allocated(analysis, ERROR), residual, atol=1e-9)
    if freedom:
        assert_allclose(analysis.standard_error, np.sqrt(residual / freedom), atol=1e-9)
    means = frame.groupby("f0", sort=False)["y"].mean() - frame["y"].mean()
    assert_allclose(analysis.effects.query("factor == 'f0'")["effect"], means, atol=1e-9)


@unhurried
@given(designs(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(case, random):
    frame, factors = case
    order = random.sample(range(len(frame)), len(frame))
    assert_same(analyse(frame, "y", factors), analyse(frame.iloc[order], "y", factors))


@unhurried
@given(designs(), st.floats(0.1, 10), st.booleans(), st.floats(-100, 100))
def test_follows_a_scaled_and_shifted_response(case, size, negative, shift):
    frame, factors = case
    scale = -size if negative else size
    moved = frame.assign(y=frame["y"] * scale + shift)
    assert_same(analyse(frame, "y", factors), analyse(moved, "y", factors), scale, shift)


def test_levels_keep_the_order_and_the_values_of_the_frame():
    frame = pd.DataFrame(
        {
            "flavor": ["vanilla", "vanilla", "reno", "reno", "sack", "sack"],
            "buffer_rtt": [2, 0.5] * 3,
            "y": [3.0, 1, 4, 1, 5, 9],
        }
    )
    effects = analyse(frame, "y", ["buffer_rtt", "flavor"]).effects
    assert effects["level"].tolist() == [2, 0.5, "vanilla", "reno", "sack"]
    assert effects["factor"].tolist() == ["buffer_rtt"] * 2 + ["flavor"] * 3


def test_levels_keep_their_types():
    frame = pd.DataFrame({"flows": [1, 1, 2, 2], "rtt": [0.5, 1.5] * 2, "y": [1.0, 2, 4, 3]})
    levels = analyse(frame, "y", ["flows", "rtt"]).effects["level"].tolist()
    assert [type(level) for level in levels] == [int, int, float, float]


def test_replication_keeps_lack_of_fit_apart_from_the_error():
    # A pure three-way interaction of 1 around which every cell repeats itself with +-0.5.
    signs = [a * b * c for a, b, c in product((-1, 1), repeat=3)]
    frame, factors = design([s + d for s in signs for d in (-0.5, 0.5)], (2, 2, 2), 2)
    pure = analyse(frame, "y", factors)
    assert pure.error == "pure"
    assert allocated(pure, HIGHER_ORDER) == pytest.approx(16)
    assert allocated(pure, HIGHER_ORDER, "degrees_of_freedom") == 1
    assert allocated(pure, ERROR) == pytest.approx(4)
    assert pure.degrees_of_freedom == 8
    assert pure.standard_error == pytest.approx(np.sqrt(4 / 8))
    pooled = analyse(frame, "y", factors, error="pooled")
    assert HIGHER_ORDER not in pooled.allocation["component"].tolist()
    assert allocated(pooled, ERROR) == pytest.approx(20)
    assert pooled.degrees_of_freedom == 9
    assert pooled.standard_error == pytest.approx(np.sqrt(20 / 9))


def test_interval_widths_follow_the_levels_and_the_confidence():
    rng = np.random.default_rng(3)
    frame, factors = design(rng.normal(size=24), (4, 3, 2))
    analysis = analyse(frame, "y", factors, confidence=0.9)
    assert analysis.degrees_of_freedom == 6
    assert analysis.t_quantile == pytest.approx(1.9432, abs=1e-4)
    widths = analysis.effects.eval("hi - lo").groupby(analysis.effects["factor"]).first() / 2
    expected = 1.94318 * analysis.standard_error * np.sqrt(np.array([3, 2, 1]) / 24)
    assert_allclose(widths, expected, rtol=1e-5)
    pair = analysis.interactions.iloc[0]
    assert_allclose((pair["hi"] - pair["lo"]) / 2, expected[0] * np.sqrt(2), rtol=1e-5)
    wider = analyse(frame, "y", factors, confidence=0.99).effects
    assert (wider.eval("hi - lo") > analysis.effects.eval("hi - lo")).all()


def test_intervals_of_absent_effects_cover_zero_as_often_as_they_promise():
    rng = np.random.default_rng(5)
    covered = []
    for _ in range(200):
        frame, factors = design(rng.normal(size=12), (3, 2), replications=2)
        effects = analyse(frame, "y", factors, confidence=0.8).effects
        covered += [(effects["lo"] < 0) & (effects["hi"] > 0)]
    assert np.mean(covered) == pytest.approx(0.8, abs=0.04)


@pytest.mark.parametrize("shape", [(3,), (3, 2)])
def test_a_saturated_model_has_no_intervals(shape):
    frame, factors = design(np.arange(np.prod(shape)) ** 2 / 7, shape)
    analysis = analyse(frame, "y", factors, t_quantile=1.943)
    assert analysis.degrees_of_freedom == 0
    assert np.isnan([analysis.standard_error, analysis.t_quantile]).all()
    assert analysis.effects[["lo", "hi"]].isna().all(axis=None)
    assert analysis.effects["effect"].notna().all()
    assert np.isnan(analysis.grand_mean_interval().lo)
    assert allocated(analysis, ERROR) == 0


def test_one_factor_with_replication():
    frame, factors = design([1, 3, 4, 8], (2,), replications=2)
    analysis = analyse(frame, "y", factors)
    assert allocated(analysis, "f0") == pytest.approx(16)
    assert allocated(analysis, ERROR) == pytest.approx(10)
    assert analysis.interactions.empty
    assert analysis.interactions.columns.tolist()[-3:] == ["effect", "lo", "hi"]


@pytest.mark.parametrize("value", [0.0, 0.1, 1e9 + 0.1])
def test_a_constant_response_has_no_shares(value):
    frame, factors = design([value] * 24, (4, 3, 2))
    analysis = analyse(frame, "y", factors)
    assert analysis.allocation["percent"].isna().all()
    assert (analysis.effects["effect"] == 0).all()
    assert analysis.standard_error == 0
    assert analysis.grand_mean == value


def test_a_large_offset_costs_no_digits():
    frame, factors = design([15, 45, 25, 75], (2, 2))
    far = analyse(frame.assign(y=frame["y"] + 1e12), "y", factors)
    assert far.effects["effect"].tolist() == [-10, 10, -20, 20]
    assert far.total_sum_of_squares == 2100


def test_missing_combinations_are_named():
    frame, factors = design(range(6), (3, 2))
    with pytest.raises(ValueError, match=r"2 of 6 .*: f0=0, f1=1; f0=2, f1=0$"):
        analyse(frame.drop([1, 4]), "y", factors)


def test_many_missing_combinations_are_counted():
    frame = pd.DataFrame({"a": range(2000), "b": range(2000), "y": 0.0})
    with pytest.raises(ValueError, match=r"3998000 of 4000000 .*; and 3997990 more$"):
        analyse(frame, "y", ["a", "b"])


def test_uneven_combinations_are_named():
    frame, factors = design(range(12), (3, 2), replications=2)
    with pytest.raises(ValueError, match=r"fewer than 2 at: f0=1, f1=1$"):
        analyse(frame.drop(6), "y", factors)


def test_every_problem_is_told_at_once():
    frame = pd.DataFrame({"a": [1, None, 2], "b": ["x"] * 3, "y": [1.0, np.nan, np.inf]})
    with pytest.raises(ValueError, match="named twice") as caught:
        analyse(frame, "y", ["a", "b", "a", "bb"])
    assert str(caught.value).splitlines() == [
        "factor 'a' is named twice",
        "no column 'bb' among a, b, y; did you mean 'b'?",
        "response 'y' is not a finite number in rows 1, 2",
        "factor 'a' has no level in row 1",
        "factor 'b' has a single level, x: it needs two or more",
    ]


@pytest.mark.parametrize(
    ("factors", "response", "options", "message"),
    [
        ([], "y", {}, "at least one factor"),
        (["f0", "y"], "y", {}, "both the response and a factor"),
        (["f0", "f1"], "y", {"confidence": 90}, "between 0 and 1"),
        (["f0", "f1"], "y", {"error": "pure"}, "needs replication"),
        (["f0", "f1"], "y", {"error": "none"}, '"pooled"'),
    ],
)
def test_refuses_what_it_cannot_analyse(factors, response, options, message):
    frame, _ = design(range(4), (2, 2))
    with pytest.raises(ValueError, match=message):
        analyse(frame, response, factors, **options)


def test_refuses_an_empty_frame():
    with pytest.raises(ValueError, match="no row"):
        analyse(pd.DataFrame({"a": [], "y": []}), "y", ["a"])


def test_names_that_the_analysis_does_not_have():
    frame, factors = design([15, 45, 25, 75], (2, 2))
    analysis = analyse(frame, "y", factors)
    with pytest.raises(KeyError, match="f2"):
        analysis.percent("f2")
    with pytest.raises(KeyError, match="no level 7"):
        analysis.effect("f0", 7)
