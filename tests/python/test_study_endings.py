"""The sentence with which a study ends on a terminal: numbers of conclusions, and no ids."""

from types import SimpleNamespace

import pandas as pd
import pytest

from ackclock.studies.machinery.terminal import claims_line
from ackclock.studies.machinery.words import verdicts


def result(holds, replications):
    claims = pd.DataFrame({"id": [f"some-id-{at}" for at in range(len(holds))], "holds": holds})
    study = SimpleNamespace(whose="the paper's", missing="parts that were not run")
    return SimpleNamespace(claims=claims, replications=replications, study=study)


@pytest.mark.parametrize(
    ("holds", "replications", "told"),
    [
        (
            ["true"] * 15 + ["false"] * 12,
            1,
            "15 of the paper's 27 conclusions hold with one run a cell; --replications 30 decides"
            " them",
        ),
        (["true", "false", ""], 30, "1 of the paper's 3 conclusions holds with 30 runs a cell. 1"),
        (["", ""], 1, "0 of the paper's 2 conclusions hold with one run a cell. 2 need parts"),
    ],
)
def test_a_study_ends_in_words(holds, replications, told):
    text = claims_line(result(holds, replications))
    assert text.startswith(told)
    assert text.endswith("The report shows each with its numbers.")
    assert "some-id" not in text


@pytest.mark.parametrize(
    ("holds", "replications", "told"),
    [
        (
            ["true"] * 15 + ["false"] * 12,
            1,
            "15 of the paper's 27 claims hold with one run a cell and 12 do not: one run decides"
            " none of them, --replications 30 does.",
        ),
        (
            ["true", "false", ""],
            1,
            "1 of the paper's 3 claims hold with one run a cell and 1 does not: one run decides"
            " none of them, --replications 30 does. 1 cannot be decided without parts that were"
            " not run.",
        ),
        (
            ["true"] * 15 + ["false"] * 12,
            30,
            "15 of the paper's 27 claims hold; 12 fail.",
        ),
        (
            ["", ""],
            1,
            "None of the paper's 2 claims can be decided without parts that were not run.",
        ),
    ],
)
def test_a_report_begins_with_what_one_run_does_not_decide(holds, replications, told):
    assert verdicts(result(holds, replications)) == told
