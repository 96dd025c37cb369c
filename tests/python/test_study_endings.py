"""The sentence with which a study ends on a terminal: numbers of conclusions, and no ids."""

from types import SimpleNamespace

import pandas as pd
import pytest

from ackclock.studies.common.tables import claims_line


def ended(holds, replications=1, **words):
    claims = pd.DataFrame({"id": [f"some-id-{at}" for at in range(len(holds))], "holds": holds})
    return claims_line(SimpleNamespace(claims=claims, replications=replications), **words)


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
    text = ended(holds, replications, missing="parts")
    assert text.startswith(told)
    assert text.endswith("The report shows each with its numbers.")
    assert "some-id" not in text
