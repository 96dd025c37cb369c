"""The script that puts measured tables into the pages of the validation and of the conventions."""

from __future__ import annotations

import csv
import re
import sys
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import pytest

from ackclock.studies import STUDIES, study_of

ROOT = Path(__file__).parents[2]
VALIDATION = ROOT / "docs/validation"
TEXTS = {page.stem: page.read_text(encoding="utf-8") for page in sorted(VALIDATION.glob("*.md"))}
MARKS = {
    name: found
    for name, text in TEXTS.items()
    if (found := re.findall(r"^<!-- table (.+) -->$", text, re.MULTILINE))
}
"""By page: the names in its marks."""
MARK = "<!-- table some -->\n"
TABLE = "| a |\n|---|\n| 1 |\n"


@pytest.fixture(scope="module")
def fill():
    """The script, with its folder found as if it were run."""
    sys.path.insert(0, str(VALIDATION))
    yield import_module("fill")
    sys.path.remove(str(VALIDATION))


def rows_of(name: str, file: str) -> list[dict[str, str]]:
    with (VALIDATION / name / f"{file}.csv").open(newline="", encoding="utf-8") as read:
        return list(csv.DictReader(read))


def shown(name: str, table: str) -> list[list[str]]:
    """The cells of a table in a page, without its headings."""
    after = TEXTS[name].partition(f"<!-- table {table} -->\n")[2].partition("\n\n")[0]
    return [line[2:-2].split(" | ") for line in after.splitlines()[2:]]


@pytest.mark.parametrize("there", ["", "| a |\n|---|\n| 0 |\n| 7 |\n"])
def test_only_the_table_behind_the_mark_is_written_anew(there: str, fill) -> None:
    around = f"Before.\n\n{MARK}{{}}\nWhat follows stays.\n\n| b |\n|---|\n| 2 |\n"
    assert fill.with_table(around.format(there), "table some", TABLE) == around.format(TABLE)


def test_a_table_without_its_mark_is_not_lost(fill) -> None:
    with pytest.raises(ValueError, match="<!-- table other -->"):
        fill.with_table(MARK, "table other", TABLE)


def test_each_study_has_its_mark() -> None:
    page = (ROOT / "docs/conventions.md").read_text(encoding="utf-8")
    for study in filter(lambda name: study_of(name).sensitivity, STUDIES):
        assert page.count(f"<!-- sensitivity of {study} -->\n") == 1, study


def test_each_mark_has_its_function_and_each_function_its_mark(fill) -> None:
    assert {page: sorted(names) for page, names in MARKS.items()} == {
        page: sorted(tables) for page, tables in fill.PAGES.items()
    }


@pytest.mark.parametrize("name", MARKS)
def test_each_table_of_a_page_has_a_mark(name: str) -> None:
    lines = TEXTS[name].splitlines()
    for before, line in pairwise(lines):
        assert not line.startswith("|") or before.startswith(("|", "<!-- table ")), line


@pytest.mark.parametrize("name", MARKS)
def test_a_page_shows_what_its_files_hold(name: str, fill) -> None:
    filled = fill.page_of(name)
    assert filled == TEXTS[name], "run .venv/bin/python docs/validation/fill.py"
    assert not re.search(r"^\|.*\bnan\b", filled, re.MULTILINE)


@pytest.mark.parametrize("name", MARKS)
@pytest.mark.parametrize("file", ["claims-first-edition", "causes"])
def test_what_is_written_by_hand_is_about_claims(name: str, file: str, fill) -> None:
    if file == "claims-first-edition" and name not in fill.CLASSIC:
        pytest.skip("its first verdicts are of the second edition")
    named = [row["id"] for row in rows_of(name, file)]
    assert len(set(named)) == len(named)
    assert set(named) <= {row["id"] for row in rows_of(name, "claims")}


def test_distances_are_means_over_the_cells_of_a_link() -> None:
    rows = rows_of("ubr-web", "comparison")
    assert [link for link, *_ in shown("ubr-web", "distances")] == ["WAN", "MEO", "GEO"]
    for link, *cells in shown("ubr-web", "distances"):
        for metric, cell in zip(("efficiency", "fairness"), cells, strict=True):
            its = [
                float(row["simulated"]) - float(row["published"])
                for row in rows
                if (row["link"], row["metric"]) == (link, metric)
            ]
            assert cell == f"{fmean(map(abs, its)):.3f} ({fmean(its):+.3f})"


def test_policies_are_means_over_sources_and_buffers() -> None:
    rows = rows_of("osu-tasks", "policies-results")
    policies = ["Tail drop", "PPD", "EPD", "SD", "FBA"]
    table = shown("osu-tasks", "policies")
    assert len(table) == len({(row["link"], row["tcp_flavor"]) for row in rows})
    for link, flavor, *cells in table:
        for policy, cell in zip(policies, cells, strict=True):
            its = [
                row
                for row in rows
                if (row["link"], row["tcp_flavor"], row["drop_policy"]) == (link, flavor, policy)
            ]
            assert len(its) == 8
            means = (fmean(float(row[name]) for row in its) for name in ("efficiency", "fairness"))
            assert cell == ", ".join(f"{mean:.2f}" for mean in means)


FIRST = "id,holds\none,true\ntwo,false\n"
CAUSES = 'id,cause\ntwo,"A bar, such as |, is text."\n'


def claims(fill, folder: Path, table: str) -> list[str]:
    """The table of claims from made-up files, without its headings."""
    files = {"claims": table, "claims-first-edition": FIRST, "causes": CAUSES}
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    (make,) = {tables["claims"] for tables in fill.CLASSIC.values()}
    headings, _, *rows = make(folder).splitlines()
    assert headings == "| claim | before | now | p | reached | cause |"
    return rows


def test_claims_show_both_verdicts_and_how_sure_they_are(fill, tmp_path) -> None:
    table = (
        "id,holds,p,reached,evidence\n"
        "one,true,0.000100,0.354000,x\n"
        "two,undecided,0.034000,,x\n"
        "three,,,,not decided: x\n"
        "four,false,1.000000,0.000000,x\n"
    )
    assert claims(fill, tmp_path, table) == [
        "| `one` | holds | holds | < 0.001 | 35 % |  |",
        "| `two` | fails | undecided | 0.034 |  | A bar, such as \\|, is text. |",
        "| `three` |  | not run |  |  |  |",
        "| `four` |  | fails | 1 | 0 % |  |",
    ]


def test_claims_without_p_have_empty_cells(fill, tmp_path) -> None:
    assert claims(fill, tmp_path, "id,holds,evidence\ntwo,true,x\n") == [
        "| `two` | fails | holds |  |  | A bar, such as \\|, is text. |"
    ]


def test_claims_of_a_modern_study_show_their_numbers_and_causes(fill, tmp_path) -> None:
    table = "id,holds,p,evidence\none,true,0.0001,3 of 4\ntwo,exploratory,0.2,5\n"
    for name, text in {"claims": table, "causes": CAUSES}.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    assert fill.PAGES["bbr-share"]["claims"](tmp_path).splitlines() == [
        "| claim | verdict | p | what we found | cause |",
        "|---|---|---|---|---|",
        "| `one` | holds | < 0.001 | 3 of 4 |  |",
        "| `two` | exploratory | 0.2 | 5 | A bar, such as \\|, is text. |",
    ]


def test_printed_numbers_stand_beside_ours(fill, tmp_path) -> None:
    (tmp_path / "a-comparison.csv").write_text(
        "buffer,metric,published,source,simulated,lo,hi,run_lo,run_hi,delta\n"
        "2,share,0.5,Table 1,0.4,0.39,0.41,0.3,0.45,-0.1\n"
        "4,share,0.5,Table 1,0.45,0.44,0.46,0.3,0.6,-0.05\n"
    )
    modern = import_module("tables.modern")
    assert modern.printed(tmp_path).splitlines()[2:] == [
        "| a, buffer 2 | share | 0.5 | 0.4 (0.39 to 0.41) | outside | Table 1 |",
        "| a, buffer 4 | share | 0.5 | 0.45 (0.44 to 0.46) | inside | Table 1 |",
    ]


def test_experiments_are_shown_as_they_are_kept(tmp_path, fill) -> None:
    text = "setting,share\n(defaults),0.48\ntcp.stack=linux,\n"
    (tmp_path / "experiments.csv").write_text(text, encoding="utf-8")
    modern = import_module("tables.modern")
    assert modern.experiments(tmp_path).splitlines()[2:] == [
        "| *defaults* | 0.48 |",
        "| `tcp.stack=linux` |  |",
    ]
    assert "experiments" in modern.tables_of(study_of("bbr-share"), tmp_path)
    assert "experiments" not in modern.tables_of(study_of("bbr-share"), tmp_path / "none")
