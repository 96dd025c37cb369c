"""The report of the seven TCP-over-UBR tasks: its sections, their figures, answers and numbers."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from ackclock.stats import mean_interval
from ackclock.studies.machinery.experiment import Experiment
from ackclock.studies.machinery.figures import explained
from ackclock.studies.machinery.tables import component_name
from ackclock.studies.osu_tasks.claims import CLAIMS
from ackclock.studies.osu_tasks.levels import EPD, PARTS, PER_VC_POLICIES, SATELLITES, SD, TAIL, WAN
from ackclock.studies.osu_tasks.report import STYLE
from ackclock.studies.osu_tasks.report.guarantees import gains
from ackclock.studies.osu_tasks.report.sources import differences
from osu_tasks_results import example_result
from report_page import Page, page_of

NAMES_OF_PARTS = [part.name for part in PARTS]


@pytest.fixture(scope="module")
def replicated():
    return example_result(replications=3)


@pytest.fixture(scope="module")
def single():
    return example_result(("buffers", "retransmit"), replications=1)


def test_each_task_has_a_section_with_question_experiment_figure_answer_and_claims(page):
    sections = re.split(r'<section class="leaf" id="', page.source)[1:]
    by_id = {text.partition('"')[0]: Page(_whole(text)) for text in sections}
    by_task = [part.name for part in sorted(PARTS, key=lambda part: part.task)]
    assert [id for id in by_id if id.startswith("part-")] == [f"part-{name}" for name in by_task]
    for name in NAMES_OF_PARTS:
        its = by_id[f"part-{name}"]
        places = [
            its.text.index(word) for word in ("Question.", "Experiment.", "Answer", "Claims of")
        ]
        assert places == sorted(places)
        assert its.all("svg")
        assert its.all("li")


def _whole(text):
    """A section that was cut at the beginning of the next, with the ends of its tags."""
    return f'<section id="{text.partition("</section>")[0]}</section>'


def test_every_claim_stands_in_the_section_of_its_task(page):
    places = {id: page.source.index(f'id="part-{id}"') for id in NAMES_OF_PARTS}
    for claim in CLAIMS:
        at = page.source.index(f'<tr role="row" id="{claim.id}"')
        (part,) = [need for need in claim.needs if need in NAMES_OF_PARTS]
        before = max((name for name in places if places[name] < at), key=places.get)
        assert before == part
        assert f'<a href="#{claim.id}">' in page.source


def test_claims_that_were_not_run_are_there_too(small_page):
    missing = [claim for claim in CLAIMS if "policies" in claim.needs]
    assert missing
    for claim in missing:
        assert claim.statement in small_page.text
    assert "not decided: not run: policies" in small_page.text


def test_verdicts_are_those_of_the_result(replicated, page):
    # Once with the task, and once in the list of all.
    page.check_verdicts(replicated, "programme's 14", times=2)


def test_one_replication_has_no_intervals(small_page):
    searched = small_page.text.count("98.40 ± 0.20")
    assert small_page.text.count("±") == searched > 0
    assert "without an interval" in small_page.text
    assert "nan" not in small_page.text.split()
    assert "Bars:" not in small_page.text


@pytest.fixture
def sketched(monkeypatch):
    """Figures are made, and stand in the page without what is in them."""

    def sketch(figure, id, title, description):
        assert figure.axes
        assert title
        assert description.endswith(".")
        return f'<svg id="{id}"></svg>'

    monkeypatch.setattr("ackclock.report.blocks.inline_svg", sketch)


@pytest.mark.parametrize("part", NAMES_OF_PARTS)
def test_a_part_alone_has_a_page(part, place, sketched):
    alone = page_of(example_result((part,), replications=1), place)
    assert "nan" not in alone.text.split()
    alone.check_references()
    ids = set(alone.values("id"))
    assert {f"part-{part}", f"conventions-{part}", "claims"} <= ids
    assert "conventions-shared" not in ids


def test_metrics_that_no_run_has_are_missing(replicated, place, sketched):
    """As fairness of the excess, where nobody got anything beyond an MCR."""
    its = replicated.parts["gfr"]
    lost = {name: float("nan") for name in its.runs if name.startswith("excess_fairness")}
    assert lost
    broken = replace(its, runs=its.runs.assign(**lost))
    made = replace(replicated.made, parts={"gfr": broken})
    assert "nan" not in page_of(replace(replicated, made=made), place).text.split()


def test_what_all_parts_share_stands_there_once(page):
    shared = page.source.index('id="conventions-shared"')
    key = "<code>tcp.min_rto</code>"
    assert page.source.count(key) == 1
    assert page.source.index(key) > shared


def test_every_figure_says_what_produced_it(page):
    figures = page.source.count('<div class="drawings">')
    assert len(page.captions) == figures > 10
    assert all(caption.startswith("Simulated: ") for caption in page.captions)


def test_a_mean_over_points_is_taken_over_the_replications_that_all_have():
    part = example_result(("policies",), replications=12).parts["policies"]
    assert sorted(set(part.results["n"])) == [4, 12]
    table = part.over(["link"], ["efficiency"])
    runs = part.runs[(part.runs["link"] == WAN) & (part.runs["replication"] < 4)]
    expected = mean_interval(runs.groupby("replication")["efficiency"].mean())
    row = table[table["link"] == WAN].iloc[0]
    found = (row["efficiency"], row["efficiency_lo"], row["efficiency_hi"])
    assert found == pytest.approx(expected[:3])
    assert row["n"] == 4


def test_a_source_counts_replications_of_points_with_many_sources_apart():
    result = example_result(("policies",), replications=12)
    source = Experiment(result, result.parts["policies"], STYLE).source
    assert "12 replications of 320 combinations and 4 replications of 320 combinations" in source
    assert "Simulated: 5120 runs" in source


def test_the_foot_has_both_numbers_of_replications(place, sketched):
    both = page_of(example_result(("buffers",), replications=12), place)
    assert "Replications of each combination: 12, or 4 with 50 sources or more." in both.text


@pytest.mark.parametrize(
    ("part", "replications", "foot", "fewer"),
    [
        ("retransmit", 30, "30, or 10 with 50 sources or more", True),
        ("retransmit", 2, "2", False),
        ("retransmit", 1, "1", False),
        ("bursty", 5, "2", True),
        ("windows", 5, "5", False),
    ],
)
def test_the_foot_speaks_of_fewer_replications_where_there_are(
    part, replications, foot, fewer, place, sketched
):
    text = page_of(example_result((part,), replications=replications), place).text
    assert f"Replications of each combination: {foot}. Runs" in text
    assert ("A point with 50 sources or more has fewer replications" in text) is fewer


def test_a_missing_value_makes_a_mean_over_points_missing(replicated):
    part = replicated.parts["policies"]
    runs = part.runs.copy()
    runs.loc[(runs["link"] == WAN) & (runs["drop_policy"] == EPD), "fairness"] = np.nan
    table = replace(part, runs=runs).over(["link"], ["fairness"])
    assert table.set_index("link")["fairness"].isna().to_dict()[WAN]
    assert table["fairness"].notna().sum() == len(table) - 1


def test_shares_of_the_variation_sum_to_all_of_it(replicated):
    frame = explained(replicated.parts["policies"], "efficiency", STYLE.names)
    assert frame.groupby("row")["percent"].sum().to_numpy() == pytest.approx(100)
    assert component_name("drop_policy:tcp_flavor", STYLE.names) == "Drop policy × TCP flavor"


def gain(part, change, kind):
    table = gains(part)
    its = (table["link"] == WAN) & (table["change"] == change) & (table["kind"] == kind)
    (row,) = table[its].to_dict("records")
    return row["mean"], row["lo"], row["hi"]


def difference(runs, factor, level, base):
    """The difference of two means over everything else, by replication, with its interval."""
    means = runs.pivot_table("efficiency", "replication", factor)
    return pytest.approx(mean_interval(means[level] - means[base], 0.9)[:3])


def test_gains_are_differences_of_means_over_all_else_or_alone_from_tail_drop():
    part = example_result(("guaranteed-rate",), replications=4).parts["guaranteed-rate"]
    runs = part.runs[part.runs["link"] == WAN]
    reserved = "10\u00a0% for UBR"
    assert gain(part, reserved, "over all") == difference(runs, "share", 0.1, 0.0)
    assert gain(part, SD, "over all") == difference(runs, "drop_policy", SD, TAIL)
    tail, without = runs[runs["drop_policy"] == TAIL], runs[runs["share"] == 0]
    assert gain(part, reserved, "alone") == difference(tail, "share", 0.1, 0.0)
    assert gain(part, SD, "alone") == difference(without, "drop_policy", SD, TAIL)


def test_gains_of_points_that_were_not_run_are_left_out(replicated):
    part = replicated.parts["guaranteed-rate"]
    runs = part.runs[part.runs["drop_policy"] != EPD]
    assert EPD not in set(gains(replace(part, runs=runs))["change"])
    few = gains(replace(part, runs=runs[runs["drop_policy"] != TAIL]))
    assert set(few["kind"]) == {"over all"}
    assert len(set(few["change"])) == 1


def test_what_a_wait_changes_is_paired_too(replicated):
    part = replicated.parts["retransmit"]
    table = differences(part, "efficiency")
    assert len(table) == len(part.results) / 2
    row = table.iloc[0]
    runs = part.runs[
        (part.runs["sources"] == row["sources"]) & (part.runs["buffer_rtt"] == row["buffer_rtt"])
    ]
    at = runs.pivot_table("efficiency", "replication", "wait")
    assert row["difference"] == pytest.approx((at[at.columns[1]] - at[at.columns[0]]).mean())


def section(page, part):
    return page.source.split(f'id="part-{part}"')[1].partition("</section>")[0]


def test_buffers_are_shown_by_policy(replicated, page):
    part = replicated.parts["buffers"]
    shown = section(page, "buffers")
    text = Page(f"<section>{shown}</section>").text
    assert "Selective Drop (SD) or FBA (not with 1000 sources)" in text
    for link, policy in product(SATELLITES, PER_VC_POLICIES):
        # A panel of each of the two figures.
        assert shown.count(f">{link}, {policy}</text>") == 2
    few = part.results.query("link == 'GEO' and sources == 5 and buffer_rtt == 0.5")
    for policy in PER_VC_POLICIES:
        (row,) = few[few["drop_policy"] == policy].to_dict("records")
        half = (row["efficiency_hi"] - row["efficiency_lo"]) / 2
        mean = f"{row['efficiency']:.3f} ± {half:.3f} (5)"
        assert f"GEO, {policy}, a buffer of half an RTT: efficiency {mean}" in text
    # Five numbers of sources behind SD, four behind FBA.
    rows = shown.split('id="buffers-efficiency"')[1].partition("</table>")[0]
    assert rows.count('rowspan="5"') == rows.count('rowspan="4"') == 2 * 2


def test_the_search_is_there_where_it_found_nothing(page):
    for policy in PER_VC_POLICIES:
        assert (
            f"GEO, {policy}, the smallest buffer that reaches 98 %, searched for, in RTT: "
            "0.375 (5), none (100)."
        ) in page.text
    assert pd.isna(example_result(("buffers",)).tables["buffers-smallest"]["smallest_rtt"]).any()
