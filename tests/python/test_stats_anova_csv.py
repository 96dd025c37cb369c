"""Analysis of a CSV file: what it reads, what it refuses, what it prints."""

import io
import pickle

import pandas as pd
import pytest
from rich.console import Console

from ackclock.errors import InputError
from ackclock.stats.anova_csv import anova_csv, render, write_tables

GOOD = "flavor, buffer_rtt ,goodput,note\nreno,1,2.5,a\nreno,2,3.5,\nsack,1.0,4.5,b\nsack,2,7.5,\n"


@pytest.fixture
def csv_file(tmp_path):
    def write(text):
        path = tmp_path / "results.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def problems(path, response="goodput", factors=("flavor", "buffer_rtt"), **options):
    with pytest.raises(InputError) as caught:
        anova_csv(path, response, factors, **options)
    return caught.value.messages


def printed(analysis, **options):
    console = Console(file=io.StringIO(), width=100, color_system=None)
    console.print(render(analysis, "goodput", **options))
    return console.file.getvalue()


def test_reads_numbers_and_text_as_levels(csv_file):
    analysis = anova_csv(csv_file(GOOD), "goodput", ["flavor", "buffer_rtt"], 0.95)
    assert analysis.grand_mean == 4.5
    assert analysis.confidence == 0.95
    assert analysis.effect("flavor", "sack").effect == 1.5
    assert analysis.effect("buffer_rtt", 2).effect == 1


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\n\n"),
        "\n" + GOOD,
        GOOD.replace("reno", '" reno"'),
    ],
    ids=["byte order mark", "carriage returns", "blank lines", "blank first line", "quotes"],
)
def test_reads_what_other_programs_write(csv_file, text):
    assert anova_csv(csv_file(text), "goodput", ["flavor"]).effect("flavor", "reno").effect == -1.5


def test_words_for_nothing_are_levels(csv_file):
    path = csv_file("policy,y\nNone,1\nNA,2\n")
    assert anova_csv(path, "y", ["policy"]).effects["level"].tolist() == ["None", "NA"]


def test_says_why_a_file_cannot_be_read(csv_file, tmp_path):
    assert problems(tmp_path / "none.csv") == [
        f"cannot read {tmp_path / 'none.csv'}: No such file or directory"
    ]
    assert problems(tmp_path)[0].startswith(f"cannot read {tmp_path}: ")
    assert "is empty" in problems(csv_file(""))[0]
    assert "is empty" in problems(csv_file("\n\n"))[0]
    assert "no rows" in problems(csv_file("flavor,buffer_rtt,goodput\n"))[0]
    assert "not UTF-8 text (byte 2)" in problems(csv_file(b"a,\xff\n"))[0]
    assert "not a readable CSV" in problems(csv_file('a,"b\n'))[0]


def test_says_what_is_wrong_with_the_shape_of_a_file(csv_file):
    path = csv_file("a,a,y\n1,2,3\n\n1,2\n1,2,3,4\n")
    assert problems(path) == [
        f"{path} has more than one column 'a'",
        f"{path}: the header has 3 columns; other numbers of values are in rows 4, 5",
    ]


def test_tells_every_problem_at_once(csv_file):
    text = "flavor,buffer_rtt,drop,goodput\nreno,1,epd,2\nreno,2,epd,fast\n\nsack,1,epd,nan\n"
    assert problems(csv_file(text), factors=("flavor", "buffer_rtt", "drop"), confidence=95) == [
        "confidence must be between 0 and 1 (for example 0.95), not 95",
        "response 'goodput' is not a finite number in rows 3, 5",
        "factor 'drop' has a single level, epd: it needs two or more",
        "1 of 4 combinations of levels have no value: flavor=sack, buffer_rtt=2, drop=epd",
    ]


def test_suggests_the_column_that_was_meant(csv_file):
    columns = "flavor, buffer_rtt, goodput, note"
    assert problems(csv_file(GOOD), "godput", ["flavour", "xyz"]) == [
        f"no column 'godput' among {columns}; did you mean 'goodput'?",
        f"no column 'flavour' among {columns}; did you mean 'flavor'?",
        f"no column 'xyz' among {columns}",
    ]


def test_a_blank_level_is_none(csv_file):
    path = csv_file("flavor,goodput\nreno,1\n ,2\n")
    assert problems(path, factors=["flavor"]) == [
        "factor 'flavor' has no level in row 3",
        "factor 'flavor' has a single level, reno: it needs two or more",
    ]


def test_a_long_list_of_rows_ends_in_a_count(csv_file):
    path = csv_file("flavor,goodput\n" + "reno,x\nsack,x\n" * 10)
    assert problems(path, factors=["flavor"]) == [
        "response 'goodput' is not a finite number in rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"
        " and 10 more"
    ]


def test_a_response_cannot_be_a_factor(csv_file):
    assert "both" in problems(csv_file(GOOD), "buffer_rtt")[0]


def test_prints_allocation_effects_and_what_the_error_is(csv_file):
    text = printed(anova_csv(csv_file(GOOD), "goodput", ["flavor"]))
    assert "goodput: mean 4.5000, n = 4, 90 % interval 2.1915 to 6.8085" in text
    rows = [line.strip("│").split("│") for line in text.splitlines() if line.startswith("│")]
    cells = [[cell.strip() for cell in row] for row in rows]
    assert ["flavor", "9.000", "1", "64.29"] in cells
    assert ["error", "5.000", "2", "35.71"] in cells
    assert ["overall mean", "81.000", "1", "-"] in cells
    assert ["flavor", "reno", "-1.5000", "-3.8085", "0.8085", ""] in cells
    assert "Standard error 1.5811 with 2 degrees of freedom, from the variation between" in text
    assert "First-order" not in text


def test_marks_an_effect_whose_interval_excludes_zero(csv_file):
    path = csv_file("a,goodput\nx,1\nx,1.1\ny,5\ny,5.1\n")
    assert printed(anova_csv(path, "goodput", ["a"])).count("yes") == 2


def test_prints_interactions_on_request_and_dashes_without_intervals(csv_file):
    analysis = anova_csv(csv_file(GOOD), "goodput", ["flavor", "buffer_rtt"])
    text = printed(analysis, interactions=True)
    assert "First-order interactions on goodput" in text
    assert "First-order" not in printed(analysis)
    assert "reno:1 " in text
    assert "Replicate the runs" in text
    assert "nan" not in text


def test_prints_names_that_look_like_markup(csv_file):
    path = csv_file("[red],goodput\n[b],1\n[/b],2\n")
    text = printed(anova_csv(path, "goodput", ["[red]"]))
    assert [text.count(name) for name in ("[red]", "[b]", "[/b]")] == [2, 1, 1]


def test_prints_a_constant_response(csv_file):
    text = printed(anova_csv(csv_file("a,goodput\nx,0\ny,0\n"), "goodput", ["a"]))
    assert "mean 0, n = 2" in text


def test_input_error_holds_its_messages():
    assert str(InputError(["one", "two"])) == "one\ntwo"
    assert InputError("one").messages == ["one"]
    assert pickle.loads(pickle.dumps(InputError(["one", "two"]))).messages == ["one", "two"]


def test_written_tables_have_all_digits(csv_file, tmp_path):
    analysis = anova_csv(csv_file(GOOD.replace("3.5", "3.51234567890123")), "goodput", ["flavor"])
    folder = tmp_path / "a" / "tables"
    write_tables(analysis, folder)
    written = pd.read_csv(folder / "effects.csv")
    assert list(written["effect"]) == list(analysis.effects["effect"])
    assert list(written["lo"]) == list(analysis.effects["lo"])
    allocation = pd.read_csv(folder / "allocation.csv")
    assert list(allocation["sum_of_squares"]) == list(analysis.allocation["sum_of_squares"])
    summary = pd.read_csv(folder / "summary.csv").iloc[0]
    assert summary["mean"] == analysis.grand_mean
    assert summary["standard_error"] == analysis.standard_error
    assert (folder / "interactions.csv").read_text().startswith("factor_a,level_a,factor_b,level_b")


def test_a_level_in_a_written_table_is_no_formula(csv_file, tmp_path):
    analysis = anova_csv(csv_file(GOOD.replace("reno", "=1+1")), "goodput", ["flavor"])
    write_tables(analysis, tmp_path)
    assert "\nflavor,'=1+1," in (tmp_path / "effects.csv").read_text()


def test_tables_are_not_written_over_a_file(csv_file):
    path = csv_file(GOOD)
    with pytest.raises(InputError, match="is a file; name a folder, for example results-anova"):
        write_tables(anova_csv(path, "goodput", ["flavor"]), path)
    assert path.read_text() == GOOD
