"""Every number that ATM Forum 98-0876 prints about its 72 results follows from those results."""

from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest

import ackclock
from ackclock.stats import analyse

PUBLISHED = Path(ackclock.__file__).parent / "studies" / "ubr_web" / "published"
FACTORS = {"tcp_flavor": "TCP Flavor", "buffer_rtt": "Buffer Size", "drop_policy": "Drop Policy"}
CASES = [
    (link, response) for link in ("WAN", "MEO", "GEO") for response in ("efficiency", "fairness")
]

# The WAN fairness column was cut, not rounded. These are the numbers where that shows.
TRUNCATED = {
    ("Individual Values", "ss"),
    ("Overall Mean", "ss"),
    ("TCP Flavor", "ss"),
    ("TCP Flavor", "pct"),
    ("TCP Flavor-Buffer Size", "ss"),
    ("TCP Flavor-Buffer Size", "pct"),
    ("standard error", "se"),
    ("Vanilla", "ci_low"),
    ("Reno", "ci_high"),
    ("NewReno", "ci_low"),
    ("SACK", "ci_low"),
    ("SACK", "ci_high"),
    ("1 RTT", "effect"),
    ("1 RTT", "ci_low"),
    ("1 RTT", "ci_high"),
    ("EPD", "ci_low"),
    ("SD", "ci_high"),
}


class Number(NamedTuple):
    """A printed number and what the analysis gives for it."""

    row: str
    column: str
    printed: Decimal
    computed: Decimal

    def follows_by(self, rounding):
        return self.computed.quantize(self.printed, rounding) == self.printed


def published(table, link):
    frame = pd.read_csv(PUBLISHED / f"{table}.csv", dtype=str, keep_default_na=False)
    return frame[frame["link"] == link].to_dict("records")


def number(row, column, printed, computed):
    # The files leave out the zeros that the tables print at the end.
    as_printed = Decimal(printed).quantize(Decimal("0.01" if column == "pct" else "0.0001"))
    # Ten decimals: far finer than print, far coarser than rounding in floating point.
    return Number(row, column, as_printed, Decimal(f"{computed:.10f}"))


@cache
def numbers(link, response, t_quantile=1.943):
    """All printed numbers of a link and a response; t[0.95; 6] to three decimals, as printed."""
    results = pd.read_csv(PUBLISHED / "results.csv")
    runs = results[results["link"] == link]
    analysis = analyse(runs, response, list(FACTORS), t_quantile=t_quantile)
    found = []
    components = analysis.allocation.set_index("component")
    own_names = {
        "Individual Values": "individual values",
        "Overall Mean": "overall mean",
        "Total Variation": "total variation",
    }
    own_names |= {printed: name for name, printed in FACTORS.items()}
    for row in published("allocation", link):
        name = row["component"]
        own = own_names.get(name) or ":".join(own_names[part] for part in name.split("-"))
        component = components.loc[own]
        found.append(number(name, "ss", row[f"ss_{response}"], component["sum_of_squares"]))
        if percent := row[f"pct_{response}"]:
            found.append(number(name, "pct", percent, component["percent"]))
    (row,) = published("standard_error", link)
    found.append(number("standard error", "se", row[f"se_{response}"], analysis.standard_error))
    own_factors = {printed: name for name, printed in FACTORS.items()}
    for row in published("main_effects", link):
        level = row["level"]
        own_level = float(level.removesuffix(" RTT")) if level.endswith(" RTT") else level
        effect = analysis.effect(own_factors[row["factor"]], own_level)
        for column, computed in zip(("effect", "ci_low", "ci_high"), effect, strict=True):
            found.append(number(level, column, row[f"{column}_{response}"], computed))
    return found


def is_trivial(item):
    """The 100 % of the total variation follows from nothing and is not counted."""
    return (item.row, item.column) == ("Total Variation", "pct")


def test_there_are_258_printed_numbers():
    counted = [item for case in CASES for item in numbers(*case) if not is_trivial(item)]
    assert len(counted) == 258
    rounded = [item for item in counted if item.follows_by(ROUND_HALF_UP)]
    assert len(rounded) == 241


def is_cut(link, response, item):
    return (link, response) == ("WAN", "fairness") and (item.row, item.column) in TRUNCATED


@pytest.mark.parametrize(("link", "response"), CASES)
def test_every_printed_number_follows(link, response):
    for item in numbers(link, response):
        cut = is_cut(link, response, item)
        assert item.follows_by(ROUND_DOWN if cut else ROUND_HALF_UP), item
        assert item.follows_by(ROUND_HALF_UP) is not cut, item


def test_the_wan_fairness_column_was_cut_but_for_one_number():
    kept = [item for item in numbers("WAN", "fairness") if not item.follows_by(ROUND_DOWN)]
    assert [(item.row, item.column) for item in kept] == [("Drop Policy", "pct")]


def test_the_truncated_numbers_are_17():
    shown = [
        (item.row, item.column)
        for item in numbers("WAN", "fairness")
        if not item.follows_by(ROUND_HALF_UP)
    ]
    assert len(shown) == 17
    assert set(shown) == TRUNCATED


def test_the_exact_quantile_misses_two_numbers_of_table_12():
    missed = [
        (response, item.row, item.column)
        for response in ("efficiency", "fairness")
        for item in numbers("GEO", response, None)
        if not item.follows_by(ROUND_HALF_UP)
    ]
    assert missed == [("efficiency", "Vanilla", "ci_low"), ("efficiency", "Reno", "ci_low")]
