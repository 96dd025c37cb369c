"""Tables and drawings that the reports of several studies have."""

from math import nan
from types import SimpleNamespace

import pandas as pd
import pytest

from ackclock.studies.machinery.analysis import means_over
from ackclock.studies.machinery.tables import Column, means_table, pair

KEYS = {"link": "Link", "policy": "Policy"}
RUNS = pd.DataFrame(
    [
        {"link": link, "policy": policy, "sources": n, "replication": k, "share": share + 0.02 * k}
        for link, policy, n, share in (
            ("LAN", "EPD", 5, 0.5),
            ("LAN", "EPD", 50, 0.7),
            ("LAN", "SD", 5, 0.6),
            ("WAN", "EPD", 5, 0.9),
            ("WAN", "EPD", 50, 0.8),
        )
        for k in range(2)
    ]
)


def table(*columns):
    results = means_over(RUNS, ["link", "policy", "sources"], ["link", "policy"], ["share"])
    return means_table("t", "A table.", results, KEYS, columns)


def texts(rows):
    return [[cell.text for cell in row] for row in rows]


def test_rows_that_share_all_but_the_last_key_are_a_group():
    shown = table(Column("share", "Share"))
    assert texts(shown.head) == [["Link", "Policy", "Share"]]
    lan, wan = shown.groups
    assert texts(lan) == [["LAN", "EPD", "0.610"], ["SD", "0.610"]]
    assert texts(wan) == [["WAN", "EPD", "0.860"]]
    assert (lan[0][0].rows, wan[0][0].rows) == (2, 1)


def test_a_cell_is_empty_where_there_is_no_such_point():
    results = means_over(
        RUNS, ["link", "policy", "sources"], ["link", "policy", "sources"], ["share"]
    )
    columns = [Column("share", f"{n} sources", "Share", {"sources": n}, 0.01, 1) for n in (5, 50)]
    shown = means_table("t", "A table.", results, KEYS, columns)
    assert texts(shown.head) == [["Link", "Policy", "Share"], ["5 sources", "50 sources"]]
    assert shown.head[0][2].columns == 2
    assert texts(shown.groups[0]) == [["LAN", "EPD", "51.0", "71.0"], ["SD", "61.0", ""]]
    # t[0.975; 1] = 12.71, s = 2 / sqrt(2) %.
    assert shown.groups[0][0][2].detail == "± 12.7"


def test_whole_numbers_have_thousands_separators():
    shown = table(Column("share", "Share", unit=1e-4, decimals=0))
    assert shown.groups[1][0][2].text == "8,600"


def pair_of(published, **ends):
    known = {"lo": 1.9, "hi": 2.1, "run_lo": 1.5, "run_hi": 2.5}
    return pair(SimpleNamespace(simulated=2.0, published=published, **{**known, **ends}))


@pytest.mark.parametrize(
    ("published", "mark"),
    [(2.0, "inside"), (1.5, "inside"), (1.49, "outside"), (2.2, "inside"), (2.51, "outside")],
)
def test_a_mark_says_whether_one_run_may_give_the_published_number(published, mark):
    simulated, printed = pair_of(published)
    assert (simulated.text, simulated.detail) == ("2.000", "± 0.100")
    assert (printed.text, printed.mark) == (f"{published:.3f}", mark)


def test_without_intervals_there_is_no_mark():
    simulated, printed = pair_of(2.0, lo=nan, hi=nan, run_lo=nan, run_hi=nan)
    assert (simulated.detail, printed.mark) == ("", "")
