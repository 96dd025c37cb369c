"""Printed numbers beside ours: a point may have several, from several sources."""

import pandas as pd
import pytest

from ackclock.studies.machinery.pictures import printed_of
from ackclock.studies.machinery.points_in_print import by_source

KEYS = ["flows", "buffer"]


def printed(*rows):
    return pd.DataFrame(rows, columns=[*KEYS, "published", "source"])


def test_one_number_a_point_is_one_line_whatever_its_source():
    rows = printed((1, 2, 0.9, "Figure 1"), (1, 3, 0.8, "Figure 2"))
    found = by_source(rows, KEYS)
    assert list(found) == [""]
    assert found[""].equals(rows)


def test_several_numbers_at_a_point_are_a_line_for_each_source():
    rows = printed((1, 2, 0.9, "model"), (1, 2, 0.8, "router"), (1, 3, 0.7, "router"))
    found = by_source(rows, KEYS)
    assert {name: its["published"].tolist() for name, its in found.items()} == {
        "model": [0.9],
        "router": [0.8, 0.7],
    }


def test_nothing_printed_is_no_line():
    assert by_source(printed(), KEYS) == {}


@pytest.mark.parametrize(
    ("source", "name"), [("", "printed"), ("Figure 15 router", "printed (Figure 15 router)")]
)
def test_the_line_has_a_name(source, name):
    assert printed_of(source) == name
