"""Paired comparisons of levels with a baseline, by common random numbers."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats as scipy_stats

from ackclock.stats import compare_levels, holm, mean_interval, paired_comparison, ratio_interval

# A machine may be busy: a slow example is no failure.
unhurried = settings(deadline=None, max_examples=50)
seeds = st.integers(0, 2**32 - 1)
p_values = st.lists(st.one_of(st.floats(0, 1), st.just(np.nan)), max_size=6)

LEVELS = ["reno", "newreno", "sack"]
DELAYS = [0.01, 0.1]


def results(seed, runs=5, levels=LEVELS, delays=DELAYS):
    """A campaign in which a replication moves all of its runs alike."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=runs)
    rows = [
        (delay, level, run, 10 + 2 * place + common[run] + rng.normal() / 5)
        for delay in delays
        for place, level in enumerate(levels)
        for run in range(runs)
    ]
    return pd.DataFrame(rows, columns=["delay_s", "flavor", "replication", "goodput"])


def compared(frame, baseline="reno", others=("delay_s",), **options):
    return compare_levels(frame, "goodput", "flavor", baseline, others, **options)


def test_textbook_paired_observations():
    # Jain 1991, example 13.5: six workloads on two systems; 90 % interval (-7.75, 7.11).
    a = np.array([5.4, 16.6, 0.6, 1.4, 0.6, 7.3])
    b = np.array([19.1, 3.5, 3.4, 2.5, 3.6, 1.7])
    result = paired_comparison(a, b, 0.9)
    assert result.difference == pytest.approx(-0.32, abs=0.005)
    assert_allclose([result.lo, result.hi], [-7.75, 7.11], atol=0.01)
    assert result.p == pytest.approx(0.9349, abs=1e-4)
    assert result.n == 6


def test_textbook_zero_mean_test():
    # Jain 1991, example 13.3: differences of seven workloads; 99 % interval (-1.21, 3.27).
    differences = [1.5, 2.6, -1.8, 1.3, -0.5, 1.7, 2.4]
    result = paired_comparison(differences, [0.0] * 7, 0.99)
    assert_allclose([result.lo, result.hi], [-1.21, 3.27], atol=0.015)
    assert np.isnan(result[6:9]).all()


def test_textbook_comparison_of_two_inventory_policies():
    # Law, Kelton 2000, section 10.2.1: monthly costs over five replications; 4.98, [1.65, 8.31].
    frame = pd.DataFrame(
        {
            "policy": ["(20, 40)"] * 5 + ["(20, 80)"] * 5,
            "replication": [*range(5)] * 2,
            "cost": np.ravel(
                [[126.97, 124.31, 126.68, 122.66, 127.23], [118.21, 120.22, 122.45, 122.68, 119.40]]
            ),
        }
    )
    table = compare_levels(frame, "cost", "policy", "(20, 80)", confidence=0.9)
    assert table["policy"].tolist() == ["(20, 40)"]
    assert_allclose(table[["difference", "lo", "hi"]].loc[0], [4.98, 1.65, 8.31], atol=0.005)


@unhurried
@given(seeds, st.integers(2, 10), st.sampled_from([0.5, 0.9, 0.95]))
def test_agrees_with_the_paired_t_test_of_scipy(seed, n, confidence):
    after, before = np.random.default_rng(seed).normal(5, 1, size=(2, n))
    result = paired_comparison(after, before, confidence)
    expected = scipy_stats.ttest_rel(after, before)
    ends = expected.confidence_interval(confidence)
    assert_allclose([result.lo, result.hi, result.p], [ends.low, ends.high, expected.pvalue])
    ratio = ratio_interval(after, before, confidence)
    assert_allclose(result[6:9], np.array(ratio[:3]) - 1, atol=1e-9)
    assert_allclose(result[1:4], [before.mean(), after.mean(), (after - before).mean()])


@pytest.mark.parametrize(("shift", "p"), [(0.0, 1), (0.1, 0), (-7.3, 0)])
def test_equal_differences_have_no_width(shift, p):
    before = np.array([3.0, 3.0, 3.0])
    result = paired_comparison(before + shift, before)
    assert result.lo == result.difference == result.hi == pytest.approx(shift)
    assert result.p == p
    assert_allclose(result[6:9], [shift / 3] * 3)


def test_too_few_pairs_have_no_interval():
    one, none = paired_comparison([3.0], [2.0]), paired_comparison([], [])
    assert (one.n, one.baseline_mean, one.mean, one.difference, one.relative) == (1, 2, 3, 1, 0.5)
    assert np.isnan([one.lo, one.hi, one.relative_lo, one.relative_hi, one.p]).all()
    assert none.n == 0
    assert np.isnan(none[1:]).all()


def test_nan_is_not_left_out_of_given_pairs():
    result = paired_comparison([1.0, np.nan, 3.0], [1.0, 2.0, 2.5])
    assert np.isnan([result.difference, result.lo, result.hi, result.p, result.relative]).all()


def test_hand_worked_correction():
    # Ascending 0.005 0.01 0.03 0.04, times 4 3 2 1: the last must not fall below the one before.
    assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])


@unhurried
@given(p_values)
def test_correction_is_the_closed_test_of_bonferroni(values):
    # A hypothesis is rejected if every set of hypotheses with it is: no stepping in the definition.
    raw = np.array(values, dtype=float)
    tests = np.flatnonzero(~np.isnan(raw))
    expected = np.full(raw.shape, np.nan)
    for test in tests:
        sets = [s for k in range(1, len(tests) + 1) for s in combinations(tests, k) if test in s]
        expected[test] = min(1, max(len(s) * raw[list(s)].min() for s in sets))
    assert_allclose(holm(values), expected)


def test_table_holds_every_combination_and_level():
    table = compared(results(1))
    assert table.columns.tolist() == [
        *("delay_s", "flavor", "baseline", "n", "left_out", "baseline_mean", "mean"),
        *("difference", "lo", "hi", "simultaneous_lo", "simultaneous_hi"),
        *("relative", "relative_lo", "relative_hi", "p", "p_holm"),
    ]
    assert table["delay_s"].tolist() == [0.01, 0.01, 0.1, 0.1]
    assert table["flavor"].tolist() == ["newreno", "sack"] * 2
    assert (table["baseline"] == "reno").all()
    assert table["n"].tolist() == [5] * 4
    assert table["left_out"].tolist() == [0] * 4


def values(frame, flavor, delay):
    """Goodput by replication."""
    chosen = frame[(frame["flavor"] == flavor) & (frame["delay_s"] == delay)]
    return chosen.set_index("replication")["goodput"].sort_index()


@unhurried
@given(seeds, st.integers(2, 8))
def test_every_row_is_a_paired_comparison(seed, runs):
    frame = results(seed, runs)
    table = compared(frame, confidence=0.9)
    for _, row in table.iterrows():
        alone = paired_comparison(
            values(frame, row["flavor"], row["delay_s"]),
            values(frame, "reno", row["delay_s"]),
            0.9,
        )
        assert_allclose(row[list(alone._fields)].astype(float), alone)
    assert_allclose(table["p_holm"], holm(table["p"]))


@unhurried
@given(seeds)
def test_simultaneous_intervals_are_bonferronis(seed):
    frame = results(seed)
    table = compared(frame)
    assert len(table) == 4
    for _, row in table.iterrows():
        differences = values(frame, row["flavor"], row["delay_s"]) - values(
            frame, "reno", row["delay_s"]
        )
        expected = mean_interval(differences, 1 - 0.05 / 4)
        assert_allclose([row["simultaneous_lo"], row["simultaneous_hi"]], expected[1:3], atol=1e-9)


def test_a_single_comparison_needs_no_correction():
    table = compared(results(1, levels=["reno", "sack"], delays=[0.1]))
    assert_allclose(table[["simultaneous_lo", "simultaneous_hi"]], table[["lo", "hi"]])
    assert_allclose(table["p_holm"], table["p"])


@unhurried
@given(seeds, st.integers(2, 8))
def test_pooling_averages_each_replication_first(seed, runs):
    frame = results(seed, runs)
    table = compared(frame, pooled=True)
    assert table["flavor"].tolist() == ["newreno", "sack"]
    assert table["combinations"].tolist() == [2, 2]
    assert "delay_s" not in table
    for _, row in table.iterrows():
        means = [
            sum(values(frame, flavor, delay) for delay in DELAYS) / 2
            for flavor in (row["flavor"], "reno")
        ]
        expected = paired_comparison(*means)
        assert_allclose(row[list(expected._fields)].astype(float), expected, rtol=1e-6)


@unhurried
@given(seeds, st.booleans())
def test_the_order_of_the_runs_does_not_matter(seed, pooled):
    frame = results(seed)
    keys = ["flavor"] if pooled else ["delay_s", "flavor"]
    plain, shuffled = (
        compared(each, pooled=pooled).set_index(keys).sort_index().drop(columns="baseline")
        for each in (frame, frame.sample(frac=1, random_state=seed % 1000))
    )
    assert_allclose(shuffled.to_numpy(dtype=float), plain.to_numpy(dtype=float), rtol=1e-6)


@unhurried
@given(seeds, st.booleans())
def test_swapping_level_and_baseline_flips_the_sign(seed, pooled):
    frame = results(seed, levels=["reno", "sack"])
    plain = compared(frame, "reno", pooled=pooled)
    swapped = compared(frame, "sack", pooled=pooled)
    for one, other in (("difference",) * 2, ("lo", "hi"), ("simultaneous_lo", "simultaneous_hi")):
        assert_allclose(swapped[other], -plain[one], atol=1e-9)
    for one, other in (("relative",) * 2, ("relative_lo", "relative_hi")):
        assert_allclose((1 + swapped[other]) * (1 + plain[one]), 1)
    assert_allclose(swapped[["p", "p_holm"]], plain[["p", "p_holm"]])
    assert_allclose(swapped["mean"], plain["baseline_mean"])


@unhurried
@given(seeds, st.floats(0.1, 10), st.floats(-5, 5))
def test_follows_scale_and_shift(seed, scale, shift):
    frame = results(seed)
    plain = compared(frame)
    moved = compared(frame.assign(goodput=frame["goodput"] * scale + shift))
    names = ["difference", "lo", "hi", "simultaneous_lo", "simultaneous_hi"]
    assert_allclose(moved[names], plain[names] * scale, rtol=1e-6, atol=1e-8)
    assert_allclose(moved[["p", "p_holm"]], plain[["p", "p_holm"]], rtol=1e-4, atol=1e-12)
    relative = ["relative", "relative_lo", "relative_hi"]
    scaled = compared(frame.assign(goodput=frame["goodput"] * scale))
    assert_allclose(scaled[relative], plain[relative], rtol=1e-6)


def test_replications_without_a_partner_are_left_out_and_counted():
    frame = results(2, delays=[0.1])
    runs = frame.set_index(["flavor", "replication"])["goodput"]
    # No value at the baseline, no run of newreno, and both for sack: one pair less each.
    runs["reno", 0] = np.nan
    runs = runs.drop(("newreno", 1))
    runs["sack", 2] = np.inf
    runs = runs.drop([("sack", 3), ("reno", 3)])
    table = compared(runs.reset_index(), others=())
    assert table["n"].tolist() == [2, 2]
    assert table["left_out"].tolist() == [3, 2]
    expected = frame.pivot(index="replication", columns="flavor", values="goodput")
    newreno = paired_comparison(*expected.loc[[2, 4], ["newreno", "reno"]].to_numpy().T)
    sack = paired_comparison(*expected.loc[[1, 4], ["sack", "reno"]].to_numpy().T)
    assert_allclose(table[list(newreno._fields)].to_numpy(dtype=float), [newreno, sack])


def test_pooling_needs_a_replication_in_every_combination():
    frame = results(3)
    missing = (frame["flavor"] == "sack") & (frame["delay_s"] == 0.1) & (frame["replication"] == 2)
    table = compared(frame[~missing], pooled=True).set_index("flavor")
    assert table["n"].to_dict() == {"newreno": 5, "sack": 4}
    assert table["left_out"].to_dict() == {"newreno": 0, "sack": 1}
    assert table["combinations"].to_dict() == {"newreno": 2, "sack": 2}
    table = compared(frame[(frame["flavor"] != "sack") | (frame["replication"] != 2)], pooled=True)
    assert table["left_out"].tolist() == [0, 1]
    lost = (frame["flavor"] == "sack") & (frame["delay_s"] == 0.1)
    table = compared(frame[~lost], pooled=True).set_index("flavor")
    assert table["combinations"].to_dict() == {"newreno": 2, "sack": 1}
    assert table["n"].to_dict() == {"newreno": 5, "sack": 5}


def test_what_has_no_pair_is_no_test():
    frame = results(4)
    frame.loc[(frame["flavor"] == "sack") & (frame["delay_s"] == 0.1), "goodput"] = np.nan
    table = compared(frame).set_index(["delay_s", "flavor"])
    empty = table.loc[(0.1, "sack")]
    assert (empty["n"], empty["left_out"]) == (0, 5)
    assert empty.drop(["baseline", "n", "left_out"]).isna().all()
    others = table.drop((0.1, "sack"))
    assert_allclose(others["p_holm"], holm(others["p"]))
    first = values(frame, "sack", 0.01) - values(frame, "reno", 0.01)
    expected = mean_interval(first, 1 - 0.05 / 3)
    row = table.loc[(0.01, "sack")]
    assert_allclose([row["simultaneous_lo"], row["simultaneous_hi"]], expected[1:3])
    pooled = compared(frame, pooled=True).set_index("flavor")
    assert pooled["combinations"].to_dict() == {"newreno": 2, "sack": 1}


def test_single_replications_have_differences_without_intervals():
    table = compared(results(5, runs=1))
    assert table["n"].tolist() == [1] * 4
    assert table["difference"].notna().all()
    assert (
        table[["lo", "hi", "simultaneous_lo", "simultaneous_hi", "p", "p_holm"]]
        .isna()
        .all(axis=None)
    )


def test_levels_that_make_no_difference():
    frame = results(6).assign(goodput=lambda runs: runs["replication"] * 0.1)
    table = compared(frame)
    zeros = ["difference", "lo", "hi", "simultaneous_lo", "simultaneous_hi", "relative"]
    assert (table[[*zeros, "relative_lo", "relative_hi"]].abs() < 1e-15).all(axis=None)
    assert (table[["p", "p_holm"]] == 1).all(axis=None)


def test_rows_are_in_order_of_first_appearance():
    frame = results(7).sort_values(["flavor", "delay_s"], ascending=False)
    table = compared(frame)
    assert table["delay_s"].tolist() == [0.1, 0.1, 0.01, 0.01]
    assert table["flavor"].tolist() == ["sack", "newreno"] * 2


def test_levels_keep_their_types():
    frame = results(7, levels=[2, 0, 1], delays=["far", None]).assign(
        flavor=lambda runs: pd.Categorical(runs["flavor"])
    )
    table = compared(frame, 0)
    assert table["flavor"].tolist() == [2, 1, 2, 1]
    assert table["flavor"].dtype == table["baseline"].dtype == frame["flavor"].dtype
    assert table["delay_s"].isna().tolist() == [False, False, True, True]
    numbers = compared(results(7, levels=[2, 0, 1]), 0)
    assert numbers["flavor"].dtype == numbers["baseline"].dtype == int
    assert numbers["delay_s"].dtype == float


def test_a_design_that_is_not_crossed_has_the_rows_that_occur():
    frame = results(8)
    frame = frame[(frame["flavor"] != "sack") | (frame["delay_s"] == 0.1)]
    assert compared(frame)["flavor"].tolist() == ["newreno", "newreno", "sack"]
    zipped = frame[(frame["flavor"] == "reno") == (frame["delay_s"] == 0.01)]
    with pytest.raises(ValueError, match="'goodput' both at flavor = reno and at another level"):
        compared(zipped)
    with pytest.raises(ValueError, match="no pair to compare"):
        compared(zipped, pooled=True)


def test_leaves_the_frame_alone():
    frame = results(9)
    before = frame.copy()
    compared(frame)
    pd.testing.assert_frame_equal(frame, before)


def problems(*arguments, **options):
    with pytest.raises(ValueError, match=r".") as caught:
        compare_levels(*arguments, **options)
    return str(caught.value).splitlines()


def test_names_all_columns_that_will_not_do():
    frame = results(1).assign(n=1)
    columns = "delay_s, flavor, replication, goodput, n"
    assert problems(frame, "godput", "flavor", "reno", ["n", "delay", "flavor"]) == [
        "column 'flavor' is named twice",
        "the result has a column 'n' of its own: rename the factor",
        f"no column 'godput' among {columns}",
        f"no column 'delay' among {columns}",
    ]


def test_names_all_runs_that_will_not_do():
    frame = results(1, levels=[1.0, 2.0], delays=[0.1, 0.2], runs=2)
    frame.loc[1, "flavor"] = np.nan
    frame.loc[2, "replication"] = np.nan
    assert problems(frame, "goodput", "flavor", 3) == [
        "'flavor' is missing in row 1",
        "'replication' is missing in row 2",
        "more than one run of the same flavor, replication, for example in rows 4, 7: "
        "are all other factors named?",
        "'flavor' has no level 3; its levels are 1, 2",
    ]


def test_a_factor_needs_another_level():
    frame = results(1, levels=["reno"])
    assert problems(frame, "goodput", "flavor", "reno", ["delay_s"]) == [
        "'flavor' has a single level, reno: nothing to compare"
    ]


def test_refuses_a_confidence_that_is_no_probability():
    with pytest.raises(ValueError, match="between 0 and 1"):
        compared(results(1), confidence=95)
    with pytest.raises(ValueError, match="between 0 and 1"):
        paired_comparison([1.0, 2.0], [1.0, 1.0], 95)
