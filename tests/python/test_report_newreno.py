"""What is special to the report of the study of NewReno's throughput."""

import re

import pytest

from ackclock.studies.newreno.levels import (
    BERNOULLI,
    BURSTY,
    EMULATION,
    INTERNET,
    NAMES,
    RUN_PARTS,
    VARIANTS,
)
from report_page import page_of
from study_cases import NEWRENO


@pytest.fixture(scope="module")
def replicated(place):
    return NEWRENO.run(place / "replicated", levels={}, replications=2)


@pytest.fixture(scope="module")
def single(place):
    return NEWRENO.run(place / "single", levels={"parts": (BERNOULLI, EMULATION)})


def test_verdicts_are_those_of_the_result(replicated, page):
    page.check_verdicts(replicated, "paper's 12")


def test_figures_and_tables_of_the_paper_are_there(page):
    ids = set(page.values("id"))
    two = {f"figure-{number}-{at}" for number in (6, 9, 10, 11) for at in (0, 1)}
    one = {f"figure-{number}-0" for number in (7, 12, 13, 15)} | {"figure-8"}
    assert two | one | {"variants-0", "variants-1"} <= ids
    page.check_drawings(8 + 5 + 2)
    tables = {"errors-table", "trust-table", "trust-by-loss-table", "inputs-table"}
    assert tables | {"emulation-table", "internet-table", "conventions-table"} <= ids


def test_errors_stand_beside_the_published_ones(replicated, page):
    errors = replicated.tables["errors"]
    row = errors[(errors["part"] == BERNOULLI) & (errors["model"] == "newreno")].iloc[0]
    half = (row["mean_error_pct_hi"] - row["mean_error_pct_lo"]) / 2
    span = f"{row['least_error_pct']:.0f} to {row['largest_error_pct']:.0f}"
    assert f"{row['mean_error_pct']:.1f} ± {half:.1f}, {span} 9 0-15" in page.text
    assert "max 21" in page.text


def test_a_formula_stands_in_the_class_of_its_error(replicated, page):
    errors = replicated.tables["errors"]
    rows = errors[(errors["part"] == "buffer") & (errors["flow"] == "newreno")]
    table = re.search(r'<figure class="tabular" id="trust-table">.*?</figure>', page.source, re.S)[
        0
    ]
    row = re.search(r"<tr>\s*<th[^>]*>buffer</th>.*?</tr>", table, re.S)[0]
    cells = re.findall(r"<td>(.*?)</td>", row)
    assert len(cells) == 5
    square_root = rows[rows["model"] == "square_root"]["mean_error_pct"].iloc[0]
    at = sum(square_root > limit for limit in (5, 10, 20, 50))
    assert "square root" in cells[at]


def test_every_figure_says_what_produced_it(page):
    assert len(page.captions) == 8 + 2
    assert "Simulated: 60 runs, 2 replications of 30 combinations" in page.captions[0]


def test_what_was_not_run_is_not_there(small_page):
    ids = set(small_page.values("id"))
    assert {"errors-table", "figure-7-0", "figure-15-0", "emulation-table"} <= ids
    assert not {"figure-6-0", "part-udp", "internet-table", "variants-0"} & ids


@pytest.mark.parametrize("part", NAMES)
def test_a_part_alone_has_a_page(part, place):
    page = page_of(NEWRENO.run(place / part, levels={"parts": (part,)}), place)
    assert "nan" not in page.text.split()
    ids = set(page.values("id"))
    assert ("errors-table" in ids) == (part not in (VARIANTS, INTERNET))
    assert ("figure-6-0" in ids) == (part == BURSTY)
    section = BURSTY if part == VARIANTS else part
    assert {f"part-{section}", "claims", "conventions"} <= ids
    assert not {f"part-{each}" for each in RUN_PARTS if each != section} & ids
