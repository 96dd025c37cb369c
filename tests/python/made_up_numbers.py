"""Numbers of replications that are made up, for tests of what follows from them."""

import numpy as np
from hypothesis import strategies as st

from ackclock.studies.machinery.estimates import (
    Estimate,
)

CONSTANT_N = 6
"""Replications from which on values that are all the same decide something."""


def estimate(*values):
    return Estimate.of_mean(np.array(values, dtype=float))


def constant(value, n=CONSTANT_N):
    return estimate(*[value] * n)


def samples(count, least=2):
    """So many samples of values, one of each for a replication."""
    value = st.floats(-1000, 1000).map(lambda x: round(x, 3))
    sizes = st.integers(least, 12)
    sample = sizes.flatmap(lambda n: st.lists(value, min_size=n * count, max_size=n * count))
    return sample.map(lambda its: np.array(its).reshape(count, -1))
