"""The published studies in the lab: tables, claims, and the scenario behind each cell."""

import csv
import json
import shutil
from importlib import import_module
from pathlib import Path

import pytest

import ackclock.studies
from ackclock import _core
from ackclock.campaign.design import text_hash
from ackclock.lab.campaigns.run_states import state as state_of_run
from ackclock.lab.states.state import State
from ackclock.lab.studies import api as studies
from ackclock.lab.studies.api import parts_of, point, study
from ackclock.lab.studies.points import points
from ackclock.scenario.plan import canonical_json
from ackclock.studies import STUDIES, study_of
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import Execution, campaign_of, make
from ackclock.studies.machinery.settings import scenarios
from lab_calls import call, settings_of

VALIDATION = Path(__file__).parents[2] / "docs" / "validation"
"""What the studies have written, as their pages show it."""


@pytest.fixture
def settings(tmp_path):
    return settings_of(tmp_path)


def has_run(settings, name, *, ended=True):
    """A folder as the study leaves it: a campaign of its first part, and its tables."""
    first = points(name)[0]
    out = settings.folder / "out" / name
    folder = study_of(name).part(first.part).folder
    place = out / (first.part if folder is None else folder)
    place.mkdir(parents=True)
    (place / "scenario.toml").write_text(first.scenario.text)
    (place / "design.json").write_text("{}")
    (place / "journal.jsonl").write_text("")
    if ended:
        for table in (VALIDATION / name).glob("*.csv"):
            shutil.copy(table, out)
    return out


def rows_of(name, file):
    with (VALIDATION / name / file).open(newline="") as read:
        return list(csv.DictReader(read))


def cells_of(its):
    return [
        cell for table in its["tables"] for row in table["rows"] for cell in row["cells"] if cell
    ]


CELLS = {
    "ubr-web": ("results-wan", 5, 1),
    "rfc2415": ("table-1", 1, 2),
    "newreno": ("table-3", 5, 0),
    "abr-web": ("table-2", 1, 2),
    "osu-tasks": ("windows", 3, 0),
}
"""A table of a study, and the row and the column of a cell; of others the first cell."""
WORDS = {
    "true": "holds",
    "false": "does not hold",
    **{same: same for same in ("undecided", "exploratory")},
    "": None,
}
"""Verdicts as the files and as the lab have them."""


@pytest.mark.parametrize("name", STUDIES)
def test_a_cell_opens_as_the_run_of_the_study(name, settings):
    """The same plan, seed and numbers as in the campaign that the study makes."""
    parts = study_of(name).parts
    first = next((part.name for part in parts if not part.probed), None)
    if first is None:
        pytest.skip("the measures of this study need probes, which the lab adds by itself")
    table, row, column = CELLS.get(name, (first, 0, 0))
    (found,) = [each for each in study(settings, name)["tables"] if each["id"] == table]
    number = found["rows"][row]["cells"][column]["point"]
    behind = points(name)[number]
    measure = study_of(name).part(behind.part).measure
    opened = call(settings, "GET", f"/api/studies/{name}/points/{number}").json()
    assert opened["title"].startswith(study_of(name).title)
    state = State.read(opened["state"])
    its = state.load(settings)
    (alone,) = its.points()
    how = Execution(settings.folder)
    own = settings.folder / "own"
    (campaign,) = make(
        [campaign_of(behind.scenario, [behind.point], own, how, measure=measure)], how
    )
    compiled = alone.compile()
    assert text_hash(canonical_json(compiled.without_probes())) == campaign.design.points[0].plan
    assert state.seed(its) == campaign.runs[0].seed
    module, _, function = measure.partition(":")
    columns = _core.run(canonical_json(compiled.without_probes()), state.seed(its))
    given = getattr(import_module(module), function)(columns, compiled.facts)
    assert repr(given) == repr(campaign.runs[0].row)
    # And so does the run of the campaign itself, of which only one point was made.
    again = state_of_run(campaign, 0, 0)
    assert again["note"] is None
    assert State.read(again).load(settings).points()[again["point"]].compile() == compiled


@pytest.mark.parametrize("name", STUDIES)
def test_every_point_of_a_study_can_be_opened(name):
    """The plan of each; of a large study every tenth point."""
    every = points(name)
    for behind in every[:: max(1, len(every) // 60)]:
        opened = State.read(behind.state()).load(settings_of(Path()))
        (alone,) = opened.points()
        assert alone.compile().plan == behind.point.compile().plan


@pytest.mark.parametrize("name", STUDIES)
def test_the_points_are_those_of_the_parts(name):
    its = study_of(name)
    assert [each.part for each in points(name)] == [
        part.name
        for part in its.parts
        if part.runs
        for point in scenarios(Request(its))[part.name].points()
        if not part.left_out(part.named(point.levels))
        and (part.points is None or part.named(point.levels) in part.points)
    ]


@pytest.mark.parametrize("name", STUDIES)
def test_without_runs_there_are_only_the_printed_numbers(name, settings):
    its = study(settings, name)
    cells = cells_of(its)
    assert its["ran"] is None
    assert f"ackclock reproduce {name}" in its["sentence"]
    assert all(cell["ours"] is None for cell in cells)
    has_published = any(cell["published"] is not None for cell in cells)
    of_study = study_of(name)
    assert has_published == bool(of_study.printed or of_study.published)
    assert all(cell["one_run"] is None for cell in cells)
    assert {(claim["verdict"], claim["p"], claim["reached"]) for claim in its["claims"]} == {
        (None, "", "")
    }
    assert all(claim["text"] and claim["source"] for claim in its["claims"])
    json.dumps(its, allow_nan=False)


@pytest.mark.parametrize("name", STUDIES)
def test_with_runs_each_printed_number_has_one_beside_it(name, settings):
    out = has_run(settings, name)
    its = study(settings, name)
    missing = [
        cell for cell in cells_of(its) if cell["published"] is not None and cell["ours"] is None
    ]
    # The mean error of Table IV of Parvez et al. is of transfers that nobody can simulate.
    assert len(missing) == (1 if name == "newreno" else 0)
    assert its["ran"] is not None
    assert out.relative_to(settings.folder).as_posix() in its["sentence"]
    verdicts = {row["id"]: row["holds"] for row in rows_of(name, "claims.csv")}
    assert {claim["id"]: claim["verdict"] for claim in its["claims"]} == {
        claim: WORDS[holds] for claim, holds in verdicts.items()
    }
    assert all(claim["why"] for claim in its["claims"])
    json.dumps(its, allow_nan=False)


def beside(its, *tables_):
    """Published, mean, lo, hi, and the interval of one run, of the cells of some tables."""
    return sorted(
        (
            cell["published"],
            *(round(cell["ours"][end], 6) for end in ("mean", "lo", "hi")),
            *(cell["one_run"] or ()),
        )
        for table in its["tables"]
        if table["id"].startswith(tables_)
        for row in table["rows"]
        for cell in row["cells"]
        if cell
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [("ubr-web", "results"), ("abr-web", "table-2"), ("rfc2415", "table-")],
)
def test_the_numbers_are_those_of_the_comparison(name, shown, settings):
    has_run(settings, name)
    rows = rows_of(name, "comparison.csv")
    if name == "rfc2415":
        rows += rows_of(name, "half_and_half.csv")
    columns = ("published", "simulated", "lo", "hi", "run_lo", "run_hi")
    expected = sorted(
        tuple(float(row[column]) for column in columns if row.get(column)) for row in rows
    )
    found = beside(study(settings, name), shown)
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours == pytest.approx(theirs, abs=3e-6)


def rewritten(path, change):
    """A file of a study, each row changed."""
    with path.open(newline="") as read:
        rows = [{**row, **change(row)} for row in csv.DictReader(read)]
    with path.open("w", newline="") as written:
        file = csv.DictWriter(written, list(rows[0]))
        file.writeheader()
        file.writerows(rows)


@pytest.mark.parametrize(
    ("name", "shown"),
    [("ubr-web", "results"), ("abr-web", "table-2"), ("rfc2415", "table-1")],
)
def test_a_number_has_the_interval_in_which_one_run_may_lie(name, shown, settings):
    out = has_run(settings, name)

    def ends(row):
        mean = float(row["simulated"])
        return {"run_lo": f"{mean - 7}", "run_hi": f"{mean + 8}"}

    rewritten(out / "comparison.csv", ends)

    def cells():
        tables = study(settings, name)["tables"]
        return cells_of({"tables": [each for each in tables if each["id"].startswith(shown)]})

    assert len(cells()) > 20
    for cell in cells():
        mean = cell["ours"]["mean"]
        assert cell["one_run"] == pytest.approx([mean - 7, mean + 8], abs=3e-6)
    rewritten(out / "comparison.csv", lambda row: {"run_lo": "", "run_hi": ""})
    assert all(cell["one_run"] is None for cell in cells())


def test_numbers_of_several_points_have_no_interval_of_one_run(settings):
    has_run(settings, "ubr-web")
    tables = study(settings, "ubr-web")["tables"]
    of_several = [each for each in tables if not each["id"].startswith("results")]
    cells = [cell for cell in cells_of({"tables": of_several}) if cell["ours"]]
    assert len(cells) > 100
    assert all(cell["one_run"] is None for cell in cells)


def test_a_claim_has_p_and_how_many_tables_of_single_runs_reach_it(settings):
    out = has_run(settings, "abr-web")
    first, second, third, fourth = (claim.id for claim in study_of("abr-web").claims)
    given = {
        first: ("true", "0.000012", "1.000000"),
        second: ("undecided", "0.210000", "0.347000"),
        third: ("false", "0.031250", "0.000000"),
        fourth: ("", "", ""),
    }
    rewritten(
        out / "claims.csv",
        lambda row: dict(zip(("holds", "p", "reached"), given[row["id"]], strict=True)),
    )
    claims = {each["id"]: each for each in study(settings, "abr-web")["claims"]}
    told = {id: (its["verdict"], its["p"], its["reached"]) for id, its in claims.items()}
    assert told == {
        first: ("holds", "p < 0.001", "100\u00a0%"),
        second: ("undecided", "p = 0.21", "35\u00a0%"),
        third: ("does not hold", "p = 0.031", "0\u00a0%"),
        fourth: (None, "", ""),
    }


def test_numbers_of_the_testbed_are_those_of_its_table(settings):
    has_run(settings, "newreno")
    (table,) = [each for each in study(settings, "newreno")["tables"] if each["id"] == "table-3"]
    for row, expected in zip(table["rows"], rows_of("newreno", "emulation.csv"), strict=True):
        throughput = row["cells"][0]
        assert throughput["ours"]["mean"] == float(expected["throughput_bit_s"])
        assert throughput["published"] == pytest.approx(float(expected["published_bit_s"]))
        assert throughput["ours"]["text"].endswith("Mbit/s")
        assert row["cells"][3]["ours"]["mean"] == float(expected["timeouts"])


def test_numbers_of_a_part_are_those_of_its_points(settings):
    has_run(settings, "osu-tasks")
    (table,) = [each for each in study(settings, "osu-tasks")["tables"] if each["id"] == "gfr"]
    rows = rows_of("osu-tasks", "gfr-results.csv")
    by_label = {(row["link"], row["sources"], row["port"]): float(row["mcr_share"]) for row in rows}
    assert {
        tuple(row["label"]): row["cells"][0]["ours"]["mean"] for row in table["rows"]
    } == by_label


def test_printed_and_own_numbers_of_a_column_are_in_one_unit(settings):
    has_run(settings, "abr-web")
    (table,) = study(settings, "abr-web")["tables"]
    for row in table["rows"]:
        cell = row["cells"][2]
        assert cell["published_text"].endswith("Mbit/s")
        assert cell["ours"]["text"].endswith("Mbit/s")
        assert float(cell["published_text"].split()[0]) * 1e6 == pytest.approx(cell["published"])


def test_a_misprint_is_told(settings):
    its = study(settings, "rfc2415")
    notes = [cell["note"] for cell in cells_of(its) if cell["note"]]
    assert len(notes) == 12
    assert set(notes) == {"misprinted: the drop rates of 16 web clients are repeated"}


def test_a_study_that_has_not_ended_says_how_it_goes_on(settings):
    has_run(settings, "newreno", ended=False)
    its = study(settings, "newreno")
    assert its["ran"] is not None
    assert "resumes from there" in its["sentence"]
    assert all(cell["ours"] is None for cell in cells_of(its))
    (listed,) = [each for each in studies.studies(settings) if each["name"] == "newreno"]
    assert listed["ran"] == its["ran"]
    assert not listed["ended"]


def test_files_of_something_else_are_no_runs_of_a_study(settings):
    out = has_run(settings, "newreno", ended=False)
    (out / "claims.csv").write_text("id,holds\nmine,true\n")
    assert "resumes from there" in study(settings, "newreno")["sentence"]
    (out / "claims.csv").write_bytes(b"\xff\x00")
    assert "resumes from there" in study(settings, "newreno")["sentence"]


def test_nothing_above_the_folder_and_behind_a_link_is_read(settings):
    out = has_run(settings, "newreno", ended=False)
    within = settings_of(out / "bursty")
    shutil.copy(VALIDATION / "newreno" / "claims.csv", out)
    assert "has not ended" in study(within, "newreno")["sentence"]
    assert "Ours: from" in study(settings, "newreno")["sentence"]
    (out / "claims.csv").rename(out / "moved.csv")
    (out / "claims.csv").symlink_to(out / "moved.csv")
    assert "has not ended" in study(settings, "newreno")["sentence"]


def test_studies_are_listed(settings):
    has_run(settings, "abr-web")
    listed = call(settings, "GET", "/api/studies").json()
    assert [each["name"] for each in listed] == list(STUDIES)
    assert [each["name"] for each in listed if each["ran"]] == ["abr-web"]
    for each in listed:
        assert each["command"] == f"ackclock reproduce {each['name']}"
        assert each["parts"] == parts_of(each["name"])
        assert each["title"]
        assert each["source"]


def test_every_study_of_the_package_is_listed():
    packages = {
        path.parent.name for path in Path(ackclock.studies.__file__).parent.glob("*/study.py")
    }
    listed = {its.path.split(".")[2] for its in STUDIES.values()}
    assert packages - {"machinery"} == listed


def test_what_is_not_there_is_told(settings):
    for path in ("newrenoo", "..", "newreno/points/9999", "newreno/points/-1", "x/points/0"):
        assert call(settings, "GET", f"/api/studies/{path}").status_code == 404
    message = call(settings, "GET", "/api/studies/newrenoo").json()["problems"][0]["message"]
    assert 'did you mean "newreno"?' in message


def test_a_point_is_titled_by_its_levels():
    number = next(
        at for at, each in enumerate(points("newreno")) if each.part == "background" and at
    )
    assert point("newreno", str(number))["title"].startswith(
        "Throughput of TCP NewReno: background: queue drop_tail, background 100"
    )


def test_the_parts_of_a_study_say_what_they_take(settings):
    for name in STUDIES:
        its = study(settings, name)
        assert its["about"].endswith(("?", "."))
        found = its["parts"]
        assert [part["name"] for part in found] == (parts_of(name) or [""])
        assert sum(part["points"] for part in found) == len(points(name))
        # Parts without points count again what is printed.
        assert all((part["estimate_s"] > 0) == (part["points"] > 0) for part in found)
