"""The analysis of variation of many tables at once, effects and shares as claims compare them."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from ackclock.stats import analyse
from ackclock.stats.intervals import mean_interval
from ackclock.studies.machinery.effects import above, includes_zero, largest, second
from ackclock.studies.machinery.estimates import (
    Estimate,
)
from ackclock.studies.machinery.evidence import variation
from ackclock.studies.machinery.variation import MainEffect, Variation
from made_up_numbers import constant, estimate

# The analysis of variation.


FACTORS = ("a", "b", "c")
SHAPES = [(2, 2, 2), (4, 3, 2), (2, 4, 3), (3, 3, 3)]


def random_tables(shape, tables, seed=1):
    """A full factorial with random values, and a named factor that has a large effect."""
    random = np.random.default_rng([seed, *shape])
    levels = [[f"{name}{at}" for at in range(n)] for name, n in zip(FACTORS, shape, strict=True)]
    return {key: random.normal(3 * (key[0] == "a1"), 1, size=tables) for key in product(*levels)}


def analysed(cells, table=0):
    rows = [(*key, its[table]) for key, its in cells.items()]
    return analyse(pd.DataFrame(rows, columns=[*FACTORS, "y"]), "y", FACTORS, 0.9)


def variation_of(cells):
    return Variation(cells, FACTORS, 0.9, lambda its: its)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_variation_of_each_table_is_that_of_the_textbook(shape):
    cells = random_tables(shape, 5)
    found = variation_of(cells)
    for table in range(5):
        expected = analysed(cells, table)
        squares = expected.allocation.set_index("component")["sum_of_squares"]
        shares = expected.allocation.set_index("component")["percent"]
        names = [":".join(names) for n in (1, 2) for names in pairs_of(n)]
        assert list(found.shares()) == names
        for name in names:
            assert found.squares(name)[table] == pytest.approx(squares[name])
            assert found.share(name)[table] == pytest.approx(shares[name])
            assert found.shares()[name][table] == pytest.approx(shares[name])
        for name, levels in found.levels.items():
            for level in levels:
                effect = expected.effect(name, level)
                its = found.effect(name, level)
                assert its.effect[table] == pytest.approx(effect.effect)
                assert its.half_width[table] == pytest.approx(effect.hi - effect.effect)


def pairs_of(n):
    return [names for names in product(FACTORS, repeat=n) if list(names) == sorted(set(names))]


def test_levels_may_come_in_any_order():
    cells = random_tables((4, 3, 2), 2)
    keys = list(cells)
    np.random.default_rng(1).shuffle(keys)
    found = variation_of({tuple(key): cells[tuple(key)] for key in keys})
    expected = analysed(cells, 1)
    # They stay in the order in which they come.
    assert list(found.effects("b")) == list(pd.unique(pd.Series([key[1] for key in keys])))
    for level, its in found.effects("b").items():
        assert its.effect[1] == pytest.approx(expected.effect("b", level).effect)
    assert found.share("a:c")[1] == pytest.approx(expected.percent("a", "c"))


@pytest.mark.parametrize("value", [0.0, 0.9, 0.1, 1 / 3, 1e6 + 0.1])
def test_tables_that_do_not_vary_have_no_effects_and_no_shares(value):
    found = variation_of({key: np.full(3, value) for key in random_tables((4, 3, 2), 1)})
    assert {its.tolist()[0] for its in found.shares().values()} == {0}
    assert all((its.effect == 0).all() for its in found.effects("a").values())
    assert all((its.half_width == 0).all() for its in found.effects("a").values())


@pytest.mark.parametrize("shape", SHAPES)
def test_the_variation_of_estimates_is_that_of_the_means_without_each_replication(shape):
    runs = random_tables(shape, 7)
    numbers = {key: Estimate.of_mean(its) for key, its in runs.items()}
    found = variation(numbers, FACTORS, drawn=False)
    for k in range(8):
        left = [each for each in range(7) if each != k - 1]
        expected = analysed({key: its[left].mean(keepdims=True) for key, its in runs.items()})
        effect = expected.effect("a", "a0")
        assert found.effect("a", "a0").effect.values[k] == pytest.approx(effect.effect)
        width = found.effect("a", "a0").half_width.values[k]
        assert width == pytest.approx(effect.hi - effect.effect)
        assert found.share("b:c").values[k] == pytest.approx(expected.percent("b", "c"))
    assert found.share("a").n == 7


def test_the_interval_of_an_effect_over_replications_is_students():
    runs = random_tables((4, 3, 2), 9)
    numbers = {key: Estimate.of_mean(its) for key, its in runs.items()}
    found = variation(numbers, FACTORS, drawn=False).effect("c", "c1").effect.interval()
    each = [analysed(runs, k).effect("c", "c1").effect for k in range(9)]
    assert found == pytest.approx(mean_interval(each))


def test_cells_with_fewer_replications_count_as_few():
    runs = random_tables((2, 2, 2), 9)
    first = next(iter(runs))
    numbers = {key: Estimate.of_mean(its[: 4 if key == first else 9]) for key, its in runs.items()}
    found = variation(numbers, FACTORS, drawn=False)
    assert found.share("a").n == 4
    means = {key: np.array([its.mean]) for key, its in numbers.items()}
    assert found.share("a").mean == pytest.approx(analysed(means).percent("a"))


def test_drawn_tables_are_analysed_as_they_are():
    cells = random_tables((2, 2, 2), 4)
    assert variation(cells, FACTORS, drawn=True).share("a").shape == (4,)


# Effects and shares as claims compare them.


def effect(number, half_width):
    return MainEffect(constant(number), constant(half_width))


def test_an_effect_is_above_another_if_their_intervals_do_not_overlap():
    assert above(effect(3, 1), effect(0, 1)).holds is True
    assert above(effect(3, 2), effect(0, 1)).holds is False
    assert above(effect(3, 1.5), effect(0, 2)).holds is False
    drawn = MainEffect(np.array([3, 3]), np.array([1, 2]))
    assert above(drawn, MainEffect(np.zeros(2), np.ones(2))).tolist() == [True, False]


@pytest.mark.parametrize(
    ("number", "half_width", "holds"),
    [
        (0.5, 1, True),
        (-1, 1, True),
        (1.1, 1, False),
        (-1.1, 1, False),
        (0.5, 3, None),
        (4, 3, False),
    ],
)
def test_an_interval_that_includes_0_must_be_sharp(number, half_width, holds):
    assert includes_zero(effect(number, half_width), 2).holds is holds
    drawn = MainEffect(np.array([number]), np.array([half_width]))
    assert includes_zero(drawn, 2).tolist() == [abs(number) <= half_width]


def test_of_several_numbers_one_is_the_largest_and_one_the_second():
    numbers = {name: constant(its) for name, its in {"a": 3, "b": 1, "c": 2}.items()}
    assert {name: largest(numbers, name).holds for name in numbers} == {
        "a": True,
        "b": False,
        "c": False,
    }
    assert {name: second(numbers, name).holds for name in numbers} == {
        "a": False,
        "b": False,
        "c": True,
    }
    unsure = {**numbers, "a": estimate(*[1, 3] * 3)}
    assert {name: largest(unsure, name).holds for name in numbers} == {
        "a": None,
        "b": False,
        "c": None,
    }
    drawn = {name: np.array([its, 4 - its, 0]) for name, its in {"a": 3, "b": 1, "c": 2}.items()}
    assert largest(drawn, "a").tolist() == [True, False, False]
    assert second(drawn, "c").tolist() == [True, True, False]
