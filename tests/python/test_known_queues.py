"""Queue disciplines do what their papers and RFCs say, or the page says why not."""

import pytest

from known_queues.cases import CASES


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.row)
def test_published_results(case):
    measured = list(case.measure())
    assert {each.what for each in measured if not each.holds} == case.outside
    assert bool(case.cause) == bool(case.outside)
    assert case.outside <= {each.what for each in measured}
