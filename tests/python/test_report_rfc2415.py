"""The report of the study of initial windows: whole, self-contained, right in what it says."""

import re
from dataclasses import replace

import pytest

from ackclock.report.rfc2415 import write_report
from ackclock.report.rfc2415.figures import _normalised
from ackclock.studies.rfc2415.claims import CLAIMS
from ackclock.studies.rfc2415.levels import FTPS, HALF, PARTS, RED, TABLES, Selection
from ackclock.studies.rfc2415.result import Request
from ackclock.studies.rfc2415.settings import STUDY
from ackclock.studies.rfc2415.study import reproduce
from fake_pages_core import CORE
from report_page import Page

SOME = Selection(parts=(TABLES, HALF), webs=(8, 32), ftps=(0, 1), iws=(1, 3), https=("1.0",))
CHANGES = ("tcp.min_rto=400 ms", "topology.bottleneck.rate=2 Mbit/s")


def study(folder, **request):
    return reproduce(Request(**request), folder, 2, lambda event: None, CORE)


def page_of(result, folder):
    path = folder / "report.html"
    write_report(result, path)
    return Page(path.read_bytes().decode())


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("report")


@pytest.fixture(scope="module")
def replicated(place):
    return study(place / "replicated", replications=2)


@pytest.fixture(scope="module")
def page(replicated, place):
    return page_of(replicated, place)


@pytest.fixture(scope="module")
def single(place):
    return study(place / "single", selection=SOME, sets=CHANGES, page_clock="open")


@pytest.fixture(scope="module")
def small_page(single, place):
    return page_of(single, place)


@pytest.fixture(params=["page", "small_page"])
def any_page(request):
    return request.getfixturevalue(request.param)


def test_it_needs_no_other_file(any_page):
    any_page.check_that_it_needs_no_other_file()


def test_ids_are_unique_and_every_reference_has_one(any_page):
    any_page.check_references()


def test_the_same_result_gives_the_same_bytes(replicated, page, place):
    assert page_of(replicated, place).source == page.source


def test_every_claim_is_told(any_page):
    ids = {each.get("id") for each in any_page.all("tr")}
    assert {claim.id for claim in CLAIMS} <= ids
    assert all(claim.statement in any_page.text for claim in CLAIMS)


def test_verdicts_are_those_of_the_result(replicated, page):
    counts = replicated.claims["holds"].value_counts()
    classes = page.values("class")
    assert classes.count("verdict holds") == counts.get("true", 0)
    assert classes.count("verdict fails") == counts.get("false", 0)
    assert f"{counts.get('true', 0)} of the paper's 13 claims hold" in page.text


def test_tables_and_figures_of_the_rfc_are_there(page):
    ids = set(page.values("id"))
    tables = {"delays-1", "delays-4", "utilisation", "drops", "ftp-power-3", "ftp-power-5"}
    assert tables | {"half", "reverse-table", "red-table", "conventions-table"} <= ids
    assert {f"figure-{number}" for number in (1, 2, 3, 4)} <= ids
    assert len(page.all("svg")) == 4
    assert all(each["role"] == "img" for each in page.all("svg"))


def test_tables_show_simulated_beside_published(replicated, page):
    rows = replicated.comparison
    first = rows[rows["metric"] == "page_delay_s"].iloc[0]
    half = (first["hi"] - first["lo"]) / 2
    assert f"{first['simulated']:.3f} ± {half:.3f}" in page.text
    known = [replicated.half_and_half, rows[rows["misprinted"] == ""]]
    inside = sum(int(table.eval("lo <= published <= hi").sum()) for table in known)
    marked = sum(int(table["lo"].notna().sum()) for table in known)
    assert page.values("class").count("mark inside") == inside
    assert page.values("class").count("mark outside") == marked - inside


def test_misprints_are_told_as_such(page):
    assert page.text.count("misprint ") + page.text.count("misprint,") >= 12
    assert "misprinted (they repeat those of 16 webs)" in page.text


def test_every_figure_says_what_produced_it(page):
    captions = re.findall(r'<span class="source">(.*?)</span>', page.source)
    assert len(captions) == 2
    assert all("96 runs, 2 replications of 48 combinations" in each for each in captions)


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
        shown = _normalised(replicated, http)
        assert set(shown[shown["webs"] == 32]["ftps"]) == {0}
        assert set(shown[shown["webs"] == 16]["ftps"]) == set(FTPS)


def test_one_replication_has_no_intervals_and_no_marks(small_page):
    assert "so that there is no interval" in small_page.text
    assert not [each for each in small_page.values("class") if each.startswith("mark")]
    assert "±" not in small_page.text
    assert "nan" not in small_page.text.split()


def test_what_was_not_run_is_not_there(small_page):
    ids = set(small_page.values("id"))
    assert {"delays-1", "half", "figure-1", "figure-2"} <= ids
    assert not {"delays-4", "ftp-power-5", "reverse", "red", "figure-3"} & ids
    assert "IW 2 (% decrease)" not in small_page.text


@pytest.mark.parametrize("part", PARTS)
def test_a_part_alone_has_a_page(part, place):
    result = study(place / part, selection=Selection(parts=(part,), webs=(8,), ftps=(1,), iws=(1,)))
    told = page_of(result, place)
    assert "nan" not in told.text.split()
    assert ("half" in set(told.values("id"))) == (part == HALF)


def test_red_is_told_beside_larger_windows(page, place):
    assert "Drop-tail, decrease (%)" in page.text
    selection = Selection(parts=(TABLES, RED), webs=(8,), iws=(1,))
    told = page_of(study(place / "red-1", selection=selection), place)
    assert "Drop-tail, decrease (%)" not in told.text
    assert "red-table" in told.values("id")


def test_every_convention_is_told_and_what_is_changed_stands_out(single, small_page, page):
    for each in STUDY.settings(single.scenario):
        assert f"{each.key} {each.meaning}" in small_page.text
    assert small_page.values("class").count("changed") == 2
    assert "400 ms changed from 200 ms" in small_page.text
    assert "bottleneck of 2 Mbit/s" in small_page.text
    assert "Changed from their defaults: none." in page.text


def test_the_page_clock_is_told(page, small_page):
    assert "The delay of a page is counted without the handshakes" in page.text
    assert "The delay of a page is counted from its first SYN" in small_page.text


def test_the_foot_tells_how_to_get_the_same(replicated, page, small_page):
    assert replicated.command in page.text
    assert f"ackclock {replicated.version}" in page.text
    assert "Tables 1 to 6 of the RFC" in page.text
    assert "Student's t with 1 degrees of freedom" in page.text
    assert "--page-clock open" in small_page.text


def test_text_from_outside_is_escaped(single, place):
    told = page_of(replace(single, command="ackclock --set 'x=<script>&'", version="<b>"), place)
    assert "x=<script>&" in told.text
    assert "<script>" not in told.source
