"""Expressions: what they are worth, and what they refuse."""

import contextlib
import math
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.errors import InputError
from ackclock.scenario import load
from ackclock.scenario.expression import ExpressionError, element, evaluate
from scenario_texts import ATM, DUMBBELL, EVERYTHING

NAMES = {
    ("k",): Fraction(1, 2),
    ("word",): "small",
    ("yes",): True,
    ("list",): [Fraction(3), Fraction(5), "10 ms"],
    ("delay",): "10 ms",
    ("tcp", "smss"): Fraction(1460),
    ("flows", 0, "count"): Fraction(2),
}


def value(text):
    def resolve(path):
        if path not in NAMES and path[:-1] in NAMES and isinstance(path[-1], int):
            return element(NAMES[path[:-1]], path[-1], path[0])
        if path not in NAMES:
            raise ExpressionError(f"unknown name {path}")
        return NAMES[path]

    return evaluate(text, resolve)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("= 1 + 2 * 3", 7),
        ("=0.1 + 0.2", Fraction(3, 10)),
        ("= 1e-3", Fraction(1, 1000)),
        ("= -k ** 2", Fraction(-1, 4)),
        ("= 2 ** -3", Fraction(1, 8)),
        ("= 7 // 2 + 7 % 2", 4),
        ("= -7 // 2", -4),
        ("= (1 + 2) / 4", Fraction(3, 4)),
        ("= tcp.smss + 40", 1500),
        ("= flows[0].count * 2", 4),
        ("= list[1]", 5),
        ("= list[-3]", 3),
        ("= list[flows[0].count - 2]", 3),
        ("= [4, 5, 6][k * 2]", 5),
        ("= min(3, k, 2)", Fraction(1, 2)),
        ("= max(list[0:2])", 5),
        ("= round(2.5) + round(3.5)", 6),
        ("= floor(-0.5) + ceil(0.2)", 0),
        ("= abs(-3)", 3),
        ("= log2(8) + log2(0.25)", 1),
        ("= delay", "10 ms"),
        ("= 2 * delay", Fraction(2, 100)),
        ("= '1 Mbit/s' / 8", 125_000),
        ("= 'a' if k < 1 else 'b'", "a"),
        ("= 1 if word == 'small' else 2", 1),
        ("= 1 if word != 'small' else 2", 2),
        ("= 1 if yes and not (k > 1 or k == 0.25) else 2", 1),
        ("= 1 if 0 < k <= 0.5 < 1 else 2", 1),
        ("= 1 if delay == 0.01 else 2", 1),
        ("= 1 if delay < 1 else 2", 1),
        ("= true if yes else false", True),
        ("= k > 0", True),
        ("= [1, 'a'] == [1, 'a']", True),
    ],
)
def test_what_an_expression_is_worth(text, expected):
    assert value(text) == expected


def test_a_list_is_a_list():
    assert value("= list[0:2]") == [3, 5]
    assert value("= list[1:]") == [5, "10 ms"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("=", "is not an expression"),
        ("= 1 +", "is not an expression"),
        ("= 1; 2", "is not an expression"),
        ("= x", "unknown name"),
        ("= __import__('os')", "the functions are min"),
        ("= min.__class__", "unknown name"),
        ("= (1).real", "is not a key"),
        ("= 'a'.upper()", "the functions are"),
        ("= [x for x in list]", "is not allowed in expressions"),
        ("= lambda: 1", "is not allowed in expressions"),
        ("= {1: 2}", "is not allowed in expressions"),
        ("= f'{k}'", "is not allowed in expressions"),
        ("= (y := 1)", "is not allowed in expressions"),
        ("= k if k else 1", "not true or false"),
        ("= k in list", "in, not in"),
        ("= 1 is 1", "in, not in"),
        ("= 1 << 100", "is not allowed in expressions"),
        ("= ~1", "is not allowed in expressions"),
        ("= 'a' * 1000000000", "'a' is \"a\", not a number"),
        ("= list * 1000000000", "not a number"),
        ("= word + 1", 'word is "small", not a number'),
        ("= yes + 1", "yes is true, not a number"),
        ("= word < 1", "not a number"),
        ("= 9 ** 9 ** 9", "too large"),
        ("= 0.1 ** 99999", "too large"),
        ("= 3 ** -999999999", "too large"),
        ("= 2.5 ** 1000000.5", "too large"),
        ("= (-1) ** 0.5", "not a real number"),
        ("= 0 ** -1", "divides by zero"),
        ("= 1 / 0", "divides by zero"),
        ("= 1 % 0", "divides by zero"),
        ("= 1e999", "write a number"),
        ("= 1j", "write a number"),
        ("= None", "write a number"),
        ("= ...", "write a number"),
        ("= b'a'", "write a number"),
        ("= log2(0)", "takes numbers above 0"),
        ("= log2(1, 2)", "takes one number"),
        ("= round()", "takes one number"),
        ("= round(number=1)", "the functions are"),
        ("= max()", "has no values"),
        ("= min(word)", "not a number"),
        ("= list[3]", "has no element"),
        ("= list[0.5]", "has no element"),
        ("= list[0:1:2]", "not a number|not allowed in expressions"),
        ("= list['a']", "not a number"),
        ("= k[k]", "k is 0.5, not a list"),
        ("= " + "1 + " * 400 + "1", "longer than 1000"),
        ("= " + "-" * 900 + "1", "nested too deeply|is not an expression"),
        ("= " + "(" * 450 + "1" + ")" * 450, "nested too deeply|is not an expression"),
        ("= " + "9" * 990, "more than 600 digits"),
    ],
)
def test_what_an_expression_refuses(text, message):
    with pytest.raises(ExpressionError, match=message):
        value(text)


NUMBERS = st.fractions(min_value=0, max_value=10**6, max_denominator=1000)


def written(number):
    return f"({number.numerator} / {number.denominator})"


@st.composite
def arithmetic(draw, depth=3):
    """An expression, and a function that works it out with Python's own fractions."""
    if depth == 0 or draw(st.booleans()):
        number = draw(NUMBERS)
        return written(number), number
    (left, a), (right, b) = draw(arithmetic(depth=depth - 1)), draw(arithmetic(depth=depth - 1))
    sign = draw(st.sampled_from(["+", "-", "*", "/", "//", "%", "min", "max", "<"]))
    if sign in "/ // %" and b == 0:
        sign = "+"
    by_python = {
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "/": lambda: a / b,
        "//": lambda: Fraction(a // b),
        "%": lambda: a % b,
        "min": lambda: min(a, b),
        "max": lambda: max(a, b),
        "<": lambda: a if a < b else b,
    }[sign]()
    if sign in ("min", "max"):
        return f"{sign}({left}, {right})", by_python
    if sign == "<":
        return f"({left} if {left} < {right} else {right})", by_python
    return f"({left} {sign} {right})", by_python


@given(arithmetic())
def test_arithmetic_is_exact(case):
    text, expected = case
    if len(text) < 990:
        assert value(f"= {text}") == expected


@given(st.fractions(min_value=Fraction(1, 10**6), max_value=10**6))
def test_a_logarithm_is_close_and_the_same_everywhere(number):
    text = f"= log2({written(number)})"
    assert math.isclose(float(value(text)), math.log2(number), rel_tol=1e-12, abs_tol=1e-12)
    assert value(text).denominator <= 10**60


@given(
    st.fractions(min_value=Fraction(1, 100), max_value=100, max_denominator=100),
    st.fractions(min_value=-5, max_value=5, max_denominator=7),
)
def test_a_power_is_close(base, exponent):
    result = value(f"= {written(base)} ** {written(exponent)}")
    assert math.isclose(float(result), float(base) ** float(exponent), rel_tol=1e-9)


@given(st.text(max_size=60))
def test_any_text_has_a_value_or_is_refused_at_once(text):
    begun = time.monotonic()
    with contextlib.suppress(ExpressionError):
        value(f"= {text}")
    assert time.monotonic() - begun < 5


def problem(text, *sets):
    with pytest.raises(InputError) as refused:
        load(text, sets)
    return "\n".join(refused.value.messages)


def test_expressions_see_keys_in_base_units_and_defaults():
    scenario = load(ATM)
    assert scenario.tcp.initial_ssthresh == 56_250
    scenario = load(DUMBBELL, ["probes.queue== tcp.min_rto / 10", "tcp.initial_window== 20 // 2"])
    assert scenario.probes.queue == 10**11
    assert load(DUMBBELL, ["warm_up== duration / 4"]).warm_up == 25 * 10**11
    text = DUMBBELL + '[variables]\nhow = "= tcp.initial_ssthresh"\n'
    assert load(text).variables == {"how": "unlimited"}


def test_expressions_are_evaluated_after_the_sweep_has_set_its_keys():
    points = load(EVERYTHING).points()
    limits = {
        (point.levels["k"], point.scenario.topology.bottleneck.queue.limit.number)
        for point in points
    }
    assert limits == {(0.25, 10), (0.5, 20)}
    assert {point.levels["tcp_flavor"] for point in points} == {"reno", "sack"}


def test_a_named_level_is_a_name():
    text = DUMBBELL + (
        "[tcp]\ninitial_window = \"= 10 if buffer == 'large' else 2\"\n"
        '[sweep.factors]\nbuffer = { small = { "tcp.smss" = "500 B" }, large = { "tcp.smss" = '
        '"1000 B" } }\n'
    )
    windows = [point.scenario.tcp.initial_window for point in load(text).points()]
    assert windows == [2, 10]


def test_a_result_finer_than_the_base_unit_is_rounded_but_a_count_is_not():
    scenario = load(DUMBBELL, ["duration== 10 / 3", "topology.bottleneck.rate== 10 ** 7 / 3"])
    assert scenario.duration == 3_333_333_333_333
    assert scenario.topology.bottleneck.rate == 3_333_333
    assert "12.5 is not a whole number of packets" in problem(
        DUMBBELL, "topology.bottleneck.queue.limit== 25 / 2"
    )


def test_an_expression_may_give_a_text_with_a_unit_or_a_list():
    scenario = load(
        DUMBBELL,
        [
            "topology.bottleneck.delay== '5 ms' if tcp.nagle else '7 ms'",
            "topology.bottleneck.impairments=[{ kind = 'scripted', lost = '= [3, 1 + 1]' }]",
            "probes.cwnd== ['flow']",
        ],
    )
    assert scenario.topology.bottleneck.delay == 7 * 10**9
    assert scenario.topology.bottleneck.impairments[0].lost == (3, 2)
    assert scenario.probes.cwnd == ("flow",)


def test_a_circle_is_shown_once():
    text = DUMBBELL + '[variables]\na = "= b"\nb = "= c"\nc = "= a"\nd = "= a"\n'
    told = problem(text)
    assert told.count("depends on itself") == 1
    assert "variables.a -> variables.b -> variables.c -> variables.a" in told


def test_a_key_of_its_own_is_a_circle():
    assert "duration -> duration" in problem(DUMBBELL, "duration== 2 * duration")


def test_a_wrong_value_is_told_where_it_stands_and_not_where_it_is_used():
    told = problem(DUMBBELL, "tcp.smss=10 apples", "tcp.receive_buffer== 4 * tcp.smss")
    assert told.count("\n") == 0
    assert told.startswith("--set tcp.smss=10 apples")


def test_what_is_not_there_cannot_be_used():
    assert "precision.target is not given" in problem(DUMBBELL, "warm_up== precision.target")
    assert "topology.links[0].delay: unknown key" in problem(
        DUMBBELL, "warm_up== topology.links[0].delay"
    )
    assert "flows is a list" in problem(DUMBBELL, "warm_up== flows[0].count")
    assert "tcp is a table" in problem(DUMBBELL, "warm_up== tcp")
    assert "unknown name" in problem(DUMBBELL, "warm_up== sweep.points")
