"""The sentence with which a study ends on a terminal: numbers of conclusions, and no ids."""

from math import nan
from types import SimpleNamespace

import pandas as pd
import pytest

from ackclock.studies.machinery.claims import p_text, share_text
from ackclock.studies.machinery.terminal import claims_line
from ackclock.studies.machinery.words import how_decided, inside, verdicts


def result(holds, replications):
    claims = pd.DataFrame({"id": [f"some-id-{at}" for at in range(len(holds))], "holds": holds})
    study = SimpleNamespace(whose="the paper's", missing="parts that were not run")
    return SimpleNamespace(claims=claims, replications=replications, study=study)


@pytest.mark.parametrize(
    ("holds", "replications", "told"),
    [
        (
            ["true"] * 15 + ["false"] * 10 + ["undecided"] * 2,
            30,
            "15 of the paper's 27 conclusions hold with 30 runs a cell, 10 fail and 2 are"
            " undecided.",
        ),
        (
            ["true", "false", "undecided", ""],
            10,
            "1 of the paper's 4 conclusions holds with 10 runs a cell, 1 fails and 1 is undecided;"
            " --replications 30 decides more. 1 cannot be decided without parts that were not run.",
        ),
        (
            ["undecided"] * 27,
            1,
            "0 of the paper's 27 conclusions hold with one run a cell, 0 fail and 27 are undecided;"
            " --replications 30 decides more.",
        ),
        (
            ["", ""],
            1,
            "None of the paper's 2 conclusions can be decided without parts that were not run.",
        ),
    ],
)
def test_a_study_ends_in_words(holds, replications, told):
    text = claims_line(result(holds, replications))
    assert text == f"{told} The report shows each with its numbers."


@pytest.mark.parametrize(
    ("holds", "replications", "told"),
    [
        (
            ["true"] * 15 + ["false"] * 12,
            30,
            "15 of the paper's 27 claims hold and 12 fail.",
        ),
        (
            ["true"] * 15 + ["false"] * 12,
            2,
            "15 of the paper's 27 claims hold and 12 fail.",
        ),
        (
            ["true", "false", ""],
            30,
            "1 of the paper's 3 claims holds and 1 fails. 1 cannot be decided without parts that "
            "were not run.",
        ),
        (
            ["true", "undecided"],
            29,
            "1 of the paper's 2 claims holds, 0 fail and 1 is undecided; --replications 30 decides "
            "more.",
        ),
        (
            ["", ""],
            1,
            "None of the paper's 2 claims can be decided without parts that were not run.",
        ),
    ],
)
def test_a_report_begins_with_how_many_claims_hold(holds, replications, told):
    assert verdicts(result(holds, replications)) == told


def explained(reached, source="RFC"):
    claims = pd.DataFrame({"holds": "true", "reached": reached})
    return how_decided(SimpleNamespace(claims=claims), source)


def test_a_report_explains_how_verdicts_follow_from_runs():
    compared, similar, drawn = explained([nan, 0.35])
    assert "95\u00a0% interval of each difference that matters excludes 0" in compared
    assert "90\u00a0% interval of the difference lies within a stated resolution" in similar
    assert drawn.startswith("For the RFC every combination was run once. We drew 2,000 tables")
    assert "by the procedure of the RFC" in drawn


def test_without_tables_of_single_runs_a_report_does_not_explain_them():
    assert len(explained([nan, nan])) == 2


@pytest.mark.parametrize(
    ("p", "told"),
    [
        (nan, ""),
        (0.0, "p < 0.001"),
        (0.00099, "p < 0.001"),
        (0.001, "p = 0.001"),
        (0.03125, "p = 0.031"),
        (1.0, "p = 1"),
    ],
)
def test_p_values_in_words(p, told):
    assert p_text(p) == told


@pytest.mark.parametrize(
    ("share", "told"), [(nan, ""), (0.0, "0\u00a0%"), (0.3474, "35\u00a0%"), (1.0, "100\u00a0%")]
)
def test_shares_of_tables_in_words(share, told):
    assert share_text(share) == told


def test_a_published_number_lies_inside_if_one_run_may_give_it():
    rows = [(1.0, 0.5, 1.5), (0.4, 0.5, 1.5), (1.6, 0.5, 1.5), (1.5, 0.5, 1.5), (1.0, nan, nan)]
    table = pd.DataFrame(rows, columns=["published", "run_lo", "run_hi"]).assign(lo=0.99, hi=1.01)
    assert list(inside(table)) == [True, False, False, True, None]


def test_a_report_explains_exploratory_claims_where_there_are_some():
    claims = pd.DataFrame({"holds": ["true", "exploratory"], "reached": [nan, nan]})
    *_, said = how_decided(SimpleNamespace(claims=claims), "paper")
    assert "a number that we did not find in the paper itself" in said
    assert not any("exploratory" in each for each in explained([nan]))


def test_exploratory_claims_count_neither_way():
    its = result(["true", "false", "exploratory"], 10)
    assert "1 of the paper's 2 claims holds and 1 fails. 1 more is exploratory." in verdicts(its)
    alone = result(["", "exploratory"], 1)
    assert verdicts(alone).startswith("None of the paper's 1 claim can be decided")
