"""The report of the study of WWW over ABR: whole, self-contained, right in what it says."""

import re
from dataclasses import replace

import pytest

from ackclock.report.abr_web import write_report
from ackclock.studies.abr_web.claims import CLAIMS
from ackclock.studies.abr_web.levels import SERVICE, TABLE2, Selection
from ackclock.studies.abr_web.result import Request
from ackclock.studies.abr_web.settings import STUDY
from ackclock.studies.abr_web.study import reproduce
from fake_abr_core import CORE
from report_page import Page

CHANGES = ("tcp.min_rto=400 ms", "topology.abr.icr=1 Mbit/s")


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
    return study(place / "single", selection=Selection(servers=(1, 3)), sets=CHANGES)


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


def test_the_same_result_gives_the_same_bytes(single, small_page, place):
    assert page_of(single, place).source == small_page.source


def test_every_claim_is_told(any_page):
    ids = {each.get("id") for each in any_page.all("tr")}
    assert {claim.id for claim in CLAIMS} <= ids
    assert all(claim.statement in any_page.text for claim in CLAIMS)


def test_verdicts_are_those_of_the_result(replicated, page):
    counts = replicated.claims["holds"].value_counts()
    classes = page.values("class")
    assert classes.count("verdict holds") == counts.get("true", 0)
    assert classes.count("verdict fails") == counts.get("false", 0)
    assert f"{counts.get('true', 0)} of the paper's 4 claims hold" in page.text


def test_all_tables_and_figures_are_there(page):
    ids = set(page.values("id"))
    assert {"table-2", "details-table", "services-table", "conventions-table"} <= ids
    drawings = {"longest-queue-drawing", "efficiency-drawing"}
    drawings |= {f"{kind}-{servers}" for kind in ("queue", "acr") for servers in (2, 5, 15)}
    drawings |= {f"responses-{servers}" for servers in (3, 5, 10)}
    assert drawings <= ids
    assert len(page.all("svg")) == len(drawings) == 11
    assert all(each["role"] == "img" for each in page.all("svg"))


def test_table_2_stands_beside_the_published_one(replicated, page):
    row = replicated.comparison[
        (replicated.comparison["servers"] == 9)
        & (replicated.comparison["metric"] == "throughput_bit_s")
    ].iloc[0]
    half = (row["hi"] - row["lo"]) / 2e6
    assert f"{row['simulated'] / 1e6:.2f} ± {half:.2f} 33.04" in page.text
    assert "23,471" in page.text
    assert "is 11,004 cells of an access link here and 11 040 in the paper" in page.text
    assert "an efficiency of 100 % is 35.1 Mbit/s" in page.text


def test_every_figure_says_what_produced_it(page):
    captions = re.findall(r'<span class="source">(.*?)</span>', page.source)
    assert len(captions) == 2 + 3 + 1
    assert "Simulated: 30 runs, 2 replications of 15 combinations" in captions[0]
    assert "Simulated: replication 0 of this combination, seed" in captions[2]
    assert "Simulated: 78 runs, 2 replications of 39 combinations" in captions[-1]


def test_one_replication_has_no_intervals(small_page):
    assert "so that there is no interval" in small_page.text
    assert "±" not in small_page.text
    assert "nan" not in small_page.text.split()


@pytest.mark.parametrize(("part", "ids"), [(TABLE2, {"table-2"}), (SERVICE, {"services-table"})])
def test_a_part_alone_has_a_page(part, ids, place):
    told = page_of(study(place / part, selection=Selection(parts=(part,))), place)
    assert "nan" not in told.text.split()
    found = set(told.values("id")) & {"table-2", "services-table"}
    assert found == ids
    assert {"claims", "conventions"} <= set(told.values("id"))


def test_every_convention_is_told_and_what_is_changed_stands_out(single, small_page, page):
    for each in STUDY.settings(single.scenario):
        assert f"{each.key} {' '.join(each.meaning.split())}" in small_page.text
    assert small_page.values("class").count("changed") == 2
    assert "400 ms changed from 200 ms" in small_page.text
    assert "Changed from their defaults: none." in page.text


def test_the_foot_tells_how_to_get_the_same(replicated, page):
    assert replicated.command in page.text
    assert f"ackclock {replicated.version}" in page.text
    assert "Student's t with 1 degrees of freedom" in page.text


def test_text_from_outside_is_escaped(single, place):
    told = page_of(replace(single, command="ackclock --set 'x=<script>&'", version="<b>"), place)
    assert "x=<script>&" in told.text
    assert "<script>" not in told.source
