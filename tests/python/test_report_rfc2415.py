"""The report of the study of initial windows: right in what it says."""

import re

import pytest

from ackclock.studies.rfc2415.figures import normalised_power
from ackclock.studies.rfc2415.levels import FTPS, HALF, RED, TABLES
from ackclock.studies.rfc2415.study import STUDY
from report_page import page_of
from study_cases import RFC2415

SOME = {"parts": (TABLES, HALF), "webs": (8, 32), "ftps": (0, 1), "iw": (1, 3), "http": ("1.0",)}
PARTS = tuple(part.name for part in STUDY.parts)


@pytest.fixture(scope="module")
def replicated(place):
    return RFC2415.run(place / "replicated", levels={}, replications=2)


@pytest.fixture(scope="module")
def single(place):
    options = {"page-clock": "open"}
    return RFC2415.run(place / "single", levels=SOME, sets=RFC2415.changes, options=options)


def test_verdicts_are_those_of_the_result(replicated, page):
    page.check_verdicts(replicated, "paper's 13")


def test_tables_and_figures_of_the_rfc_are_there(page):
    ids = set(page.values("id"))
    tables = {"delays-1", "delays-4", "utilisation", "drops", "ftp-power-3", "ftp-power-5"}
    assert tables | {"half", "reverse-table", "red-table", "conventions-table"} <= ids
    assert {f"figure-{number}" for number in (1, 2, 3, 4)} <= ids
    page.check_drawings(4)


def test_tables_show_simulated_beside_published(replicated, page):
    rows = replicated.tables["comparison"]
    first = rows[rows["metric"] == "page_delay_s"].iloc[0]
    half = (first["hi"] - first["lo"]) / 2
    assert f"{first['simulated']:.3f} ± {half:.3f}" in page.text
    known = [replicated.tables["half_and_half"], rows[rows["misprinted"] == ""]]
    inside = sum(int(table.eval("run_lo <= published <= run_hi").sum()) for table in known)
    marked = sum(int(table["run_lo"].notna().sum()) for table in known)
    assert sum(int(table.eval("lo <= published <= hi").sum()) for table in known) < inside < marked
    assert page.values("class").count("mark inside") == inside
    assert page.values("class").count("mark outside") == marked - inside


def test_misprints_are_told_as_such(page):
    assert page.text.count("misprint ") + page.text.count("misprint,") >= 12
    assert "misprinted (they repeat those of 16 webs)" in page.text


def test_every_figure_says_what_produced_it(page):
    assert len(page.captions) == 2
    assert all("96 runs, 2 replications of 48 combinations" in each for each in page.captions)


def test_the_lines_of_power_can_be_told_apart(page):
    drawings = dict(re.findall(r'<svg[^>]* id="(figure-\d)"(.*?)</svg>', page.source, re.DOTALL))
    assert set(drawings) == {f"figure-{number}" for number in (1, 2, 3, 4)}
    # A panel a number of web clients, and no more lines in it than there are numbers of ftps.
    for its in drawings.values():
        assert [f">Webs: {webs}<" in its for webs in (8, 16, 32)] == [True] * 3
        assert [f">{ftps}</text>" in its for ftps in FTPS] == [True] * 4
        assert not re.search(r">\d+/\d<", its)


def test_lines_of_pathological_scenarios(replicated):
    for http in ("1.0", "1.1"):
        shown = normalised_power(replicated.tables["changes"], http)
        assert set(shown[shown["webs"] == 32]["ftps"]) == {0}
        assert set(shown[shown["webs"] == 16]["ftps"]) == set(FTPS)


def test_what_was_not_run_is_not_there(small_page):
    ids = set(small_page.values("id"))
    assert {"delays-1", "half", "figure-1", "figure-2"} <= ids
    assert not {"delays-4", "ftp-power-5", "reverse", "red", "figure-3"} & ids
    assert "IW 2 (% decrease)" not in small_page.text


@pytest.mark.parametrize("part", PARTS)
def test_a_part_alone_has_a_page(part, place):
    levels = {"parts": (part,), "webs": (8,), "ftps": (1,), "iw": (1,)}
    result = RFC2415.run(place / part, levels=levels)
    told = page_of(result, place)
    assert "nan" not in told.text.split()
    assert ("half" in set(told.values("id"))) == (part == HALF)


def test_red_is_told_beside_larger_windows(page, place):
    assert "Drop-tail, decrease (%)" in page.text
    levels = {"parts": (TABLES, RED), "webs": (8,), "iw": (1,)}
    told = page_of(RFC2415.run(place / "red-1", levels=levels), place)
    assert "Drop-tail, decrease (%)" not in told.text
    assert "red-table" in told.values("id")


def test_what_is_changed_stands_in_words(small_page):
    assert "bottleneck of 2 Mbit/s" in small_page.text


def test_the_page_clock_is_told(page, small_page):
    assert "The delay of a page is counted without the handshakes" in page.text
    assert "The delay of a page is counted from its first SYN" in small_page.text


def test_the_foot_says_what_is_compared_and_with_which_clock(page, small_page):
    assert "Tables 1 to 6 of the RFC" in page.text
    assert "--page-clock open" in small_page.text
