"""The text and the hash of a plan."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.scenario.plan import canonical_json, plan_hash

PLANS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), PLANS, max_size=4))
def test_the_order_of_keys_does_not_matter(plan):
    backwards = dict(reversed(plan.items()))
    assert canonical_json(plan) == canonical_json(backwards)
    assert plan_hash(plan) == plan_hash(backwards)


def test_the_text_has_one_form():
    assert canonical_json({"b": [1, None], "a": {"é": True}}) == '{"a":{"é":true},"b":[1,null]}'


def test_a_hash_stays_what_it_is():
    assert plan_hash({"schema": 1}).startswith("67d6291b")


@pytest.mark.parametrize("plan", [{"a": 0.5}, {"a": [{"b": 1.0}]}])
def test_real_numbers_are_refused(plan):
    with pytest.raises(TypeError, match="integers only"):
        canonical_json(plan)
