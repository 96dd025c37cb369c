"""What holds of every study: order, resuming, files, the terminal, the report."""

import re
import signal
from dataclasses import replace

import pytest

from ackclock.campaign import Progressed
from ackclock.errors import InputError
from ackclock.studies import STUDIES, study_of
from modern_cases import EXAMPLES
from report_page import page_of
from study_cases import CLASSIC, NEWRENO, OSU_TASKS, RFC2415, files_of, shown

CASES = (*CLASSIC, *(each.case for each in EXAMPLES))

WAN = ("WAN",)
MADE = {
    "ubr-web": [
        ({"levels": {"links": WAN, "flavors": ("SACK",)}}, 0),
        ({"replications": 3}, 2 * 24),
        ({"seed": 2}, 24 + 1),  # one run is recorded
        ({"sets": ("topology.port.z=0.5",)}, 12),  # EPD has no Z
        ({"sets": ("variables.wan_buffers=[531, 1062, 3000]",)}, 8),
        (
            # No NewReno is selected.
            {
                "levels": {"links": WAN, "flavors": ("Reno", "SACK")},
                "sets": ("variables.newreno=newreno",),
            },
            0,
        ),
        ({"sets": ("tcp.min_rto=400 ms",)}, 24 + 1),
        ({"levels": {"links": ("WAN", "MEO")}}, 24 + 1),
    ],
    "rfc2415": [
        ({"options": {"page-clock": "open"}}, 0),
        ({"levels": {"parts": ("half-and-half",)}}, 0),
        ({"replications": 3}, 2 * 13),
        ({"seed": 2}, 13),
        ({"sets": ("variables.red_max_p=0.2",)}, 0),  # no RED is selected
        ({"sets": ("tcp.min_rto=400 ms",)}, 13),
    ],
    "newreno": [
        ({"levels": {"parts": ("emulation",)}}, 0),
        ({"replications": 3}, 2 * 22),
        ({"seed": 2}, 22),
        ({"sets": ("variables.udp_on=2 s",)}, 0),  # no UDP is selected
        ({"sets": ("variables.testbed_min_rto=400 ms",)}, 6),
        ({"sets": ("tcp.min_rto=400 ms",)}, 16),  # the testbed has its own
    ],
    "abr-web": [
        ({"levels": {"servers": (5,)}}, 0),
        ({"replications": 3}, 2 * 14),  # one of the 15 points is in two parts
        ({"seed": 2}, 14 + 1),  # one run is recorded
        ({"sets": ("topology.switch.z=0.7",)}, 6),  # Selective Drop alone has a Z
    ],
    "osu-tasks": [
        ({"levels": {"parts": ("windows",)}}, 0),
        ({"replications": 2}, 8 + 24),
        ({"seed": 2}, 8 + 24 + 4),  # four runs are recorded
    ],
}
"""After the runs of the small levels: what else is asked for, and how many runs that makes."""
LATER = [
    (
        RFC2415,
        ("variables.red_min_thresh=20",),
        {**RFC2415.small, "parts": ("tables", "red")},
        r"--set variables\.red_min_thresh=20: ",
    ),
    (
        NEWRENO,
        ("variables.testbed_min_rto=100 s",),
        NEWRENO.small,
        r"flows\[0\]\.tcp\.min_rto",
    ),
    (OSU_TASKS, ("tcp.flavor=reno",), OSU_TASKS.small, "retransmit_wait"),
]
"""Settings that are wrong in the last of the parts only, and words of the message."""


@pytest.fixture(scope="module", params=CASES, ids=lambda case: case.name)
def case(request):
    return request.param


@pytest.fixture(autouse=True)
def no_calls():
    for case in CASES:
        case.core.calls.clear()


@pytest.fixture(scope="module")
def replicated(case, place):
    return case.run(place / f"{case.name}-replicated", replications=2)


@pytest.fixture(scope="module")
def single(case, place):
    return case.run(place / f"{case.name}-single", sets=case.changes)


def test_all_studies_are_tested():
    assert {case.name for case in CASES} == set(STUDIES)


def test_runs_come_part_by_part_and_point_by_point(case, tmp_path):
    made = case.runs(tmp_path, replications=2, seed=5)
    for part in made.parts.values():
        points = part.runs[part.part.columns].drop_duplicates()
        assert part.runs["replication"].tolist() == [0, 1] * len(points)
    assert list(made.parts) == [part.name for part in made.request.parts if part.runs]


def test_a_replication_has_the_same_seed_at_every_point(case, tmp_path):
    runs = case.runs(tmp_path, replications=2).frame
    assert (runs.groupby("replication")["seed"].nunique() == 1).all()
    assert runs["seed"].nunique() == 2


def test_the_number_of_threads_changes_no_byte(case, tmp_path):
    outputs = []
    for jobs in (1, 2, 5):
        folder = tmp_path / str(jobs)
        outputs.append(files_of(case.run(folder, jobs, replications=2), folder))
    assert len(outputs[0]) > len(case.headers)
    assert outputs[0] == outputs[1] == outputs[2]


def test_files_have_the_columns_that_are_promised(case, tmp_path):
    written = files_of(case.run(tmp_path), tmp_path)
    tables = {name for name in written if "/" not in name and name.endswith(".csv")}
    assert tables == {f"{name}.csv" for name in case.headers}
    for name, header in case.headers.items():
        assert written[f"{name}.csv"].decode().splitlines()[0].startswith(header)


def test_what_was_not_run_has_no_file(case, tmp_path):
    whole = set(files_of(case.run(tmp_path), tmp_path))
    assert case.gone <= whole
    assert not case.gone & set(files_of(case.run(tmp_path, levels=case.other), tmp_path))


def test_an_interrupted_study_goes_on_where_it_was(case, tmp_path):
    whole = files_of(case.run(tmp_path / "whole", replications=2), tmp_path / "whole")
    calls, folder, interrupted = len(case.core.calls), tmp_path / "cut", []

    def interrupt(event):
        if isinstance(event, Progressed) and event.made >= 3 and not interrupted:
            interrupted.append(event)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt, match="the same command resumes from there"):
        case.run(folder, 1, on_progress=interrupt, replications=2)
    assert not list(folder.glob("*.csv"))
    case.core.calls.clear()
    assert files_of(case.run(folder, replications=2), folder) == whole
    assert len(case.core.calls) <= calls - 3


def test_what_is_done_is_not_done_again_unless_it_changes(case, tmp_path):
    def made(**asked):
        case.core.calls.clear()
        case.run(tmp_path, **asked)
        return len(case.core.calls)

    assert made() > 0
    assert made() == 0
    for asked, runs in MADE.get(case.name, ()):
        assert (asked, made(**asked)) == (asked, runs)


@pytest.mark.parametrize(("its", "sets", "levels", "message"), LATER)
def test_nothing_is_run_if_a_later_part_is_wrong(its, sets, levels, message, tmp_path):
    with pytest.raises(InputError, match=message):
        its.run(tmp_path, sets=sets, levels=levels)
    assert not list(tmp_path.iterdir())


def test_a_plan_that_the_core_refuses_has_its_reason(case, tmp_path, monkeypatch):
    monkeypatch.setattr(case.core, "refusal", "`tick_ps` must be positive")
    with pytest.raises(InputError) as error:
        case.run(tmp_path)
    reason = "runs of the study have failed: ValueError: `tick_ps` must be positive"
    assert error.value.messages == [reason]


def test_the_command_gives_the_same_result(case, tmp_path):
    begin = f"ackclock reproduce {case.name} --replications 2 --seed 7"
    assert case.request(replications=2, seed=7).command == f"{begin} {case.command}"
    whole = case.request(levels={}, replications=2, seed=7, sets=("tcp.min_rto=1 s",))
    assert whole.command == f"{begin} --set 'tcp.min_rto=1 s'"


def test_the_terminal_shows_tables_of_80_columns(case, replicated, single, tmp_path):
    for result in (replicated, single, case.run(tmp_path, levels=case.other)):
        text = shown(result)
        assert max(map(len, text.splitlines())) <= 80
        assert "nan" not in text.split()
        assert f"{len(result.claims)} conclusions" in " ".join(text.split())


def test_the_report_needs_no_other_file(page, small_page):
    page.check_that_it_needs_no_other_file()
    small_page.check_that_it_needs_no_other_file()


def test_ids_are_unique_and_every_reference_has_one(page, small_page):
    page.check_references()
    small_page.check_references()


def test_the_same_result_gives_the_same_bytes(single, small_page, place):
    assert page_of(single, place).source == small_page.source


def test_every_claim_has_its_verdict(case, replicated, page):
    claims = replicated.study.claims
    assert all(claim.id in page.text for claim in claims)
    assert all(" ".join(claim.statement.split()) in page.text for claim in claims)
    assert all(claim.source and claim.statement and claim.needs for claim in claims)
    assert len({claim.id for claim in claims}) == len(claims) == case.claims


def test_one_replication_gives_no_claim_its_truth(single):
    assert "true" not in set(single.claims["holds"])
    assert set(single.claims["holds"]) <= {"undecided", "false", ""}
    assert single.claims["reached"].isna().all()


def test_tables_of_single_runs_are_drawn_where_every_point_was_run_once(replicated, page):
    claims, table = replicated.study.claims, replicated.claims
    are_drawn = replicated.study.runs_a_cell == 1
    drawn = [
        are_drawn and claim.is_of_runs and holds != ""
        for claim, holds in zip(claims, table["holds"], strict=True)
    ]
    assert list(table["reached"].notna()) == drawn
    assert table["reached"].dropna().between(0, 1).all()
    assert ("We drew 2,000 tables from our runs" in page.text) == any(drawn)
    shown = [f"{100 * share:.0f} %" for share in table["reached"].dropna()]
    # The report of the tasks shows a verdict with its task, too.
    times = 2 if replicated.study.name == "osu-tasks" else 1
    assert sorted(re.findall(r"reached by (\d+ %)", page.text)) == sorted(times * shown)


def test_marks_of_printed_numbers_are_explained_where_they_are_of_one_run(replicated, page):
    study = replicated.study
    has_marks = study.runs_a_cell == 1 and bool(study.printed)
    assert ("95 % prediction interval of one of our runs. If both" in page.text) == has_marks


def test_a_report_without_intervals_says_so(small_page):
    assert "With one replication a single result has no interval" in small_page.text
    assert "without an interval" in small_page.text
    assert not [each for each in small_page.values("class") if each.startswith("mark")]
    assert "±" not in small_page.text
    assert "nan" not in small_page.text.split()


def test_every_convention_is_there_and_what_is_changed_stands_out(case, single, small_page, page):
    part = single.study.main_part
    for each in part.file.settings(single.scenario):
        assert f"{each.key} {' '.join(each.meaning.split())}" in small_page.text
    assert case.changed in small_page.text
    assert small_page.values("class").count("changed") == len(case.changes)
    assert "Changed from their defaults: none." in page.text


def test_the_foot_says_how_to_get_the_same(replicated, page):
    assert replicated.command in page.text
    assert f"ackclock {replicated.version}" in page.text
    fewer = any(part.fewer for part in replicated.study.parts)
    degrees = "n − 1" if fewer else "1"
    assert f"Student's t with {degrees} degrees of freedom" in page.text


def test_text_from_outside_is_escaped(case, single, place):
    request = replace(single.request, sets=("title=<script>&",))
    result = replace(single, made=replace(single.made, request=request), version="<b>")
    page = page_of(result, place)
    assert "title=<script>&" in page.text
    assert "<script>" not in page.source


def test_every_file_of_print_is_described(case):
    folder = study_of(case.name).main_part.file.path.parent / "published"
    for path in folder.glob("*.csv"):
        assert path.name in (folder / "README.md").read_text(encoding="utf-8")
