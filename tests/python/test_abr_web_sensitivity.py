"""What an alternative to a convention is worth."""

import pandas as pd
import pytest

from abr_web_runs import example_runs, made
from ackclock.studies.abr_web.levels import TABLE2
from ackclock.studies.abr_web.sensitivity import SENSITIVITY
from ackclock.studies.machinery.reproduce import concluded
from ackclock.studies.machinery.sensitivity import DEFAULTS


def test_a_row_has_distances_and_how_many_claims_hold():
    (row,) = SENSITIVITY.rows(concluded(made(example_runs(parts=(TABLE2,))))).to_dict("records")
    assert row["claims_hold"] == 4
    queues = [row[f"max_queue_{servers}"] for servers in (1, 5, 10, 15)]
    assert queues == [3000, 15_000, 19_000, 17_000]
    assert row["efficiency_15_pct"] == pytest.approx(90)
    assert row["response_5_s"] == pytest.approx(0.2)
    assert 0 < row["throughput_pct"] < 20
    assert 1 < row["queue_factor"] < 2


def test_the_page_of_conventions_gets_a_row_a_setting():
    row = SENSITIVITY.rows(concluded(made(example_runs(parts=(TABLE2,)))))
    row.loc[0] = [4.25, 3.24, 1.256, 0.9, 3000.4, 1, 2, 3, 90.04, 0.25, 4]
    table = pd.concat([row.assign(setting=each) for each in (DEFAULTS, "a=b")])
    lines = SENSITIVITY.markdown(table).splitlines()
    assert len(lines) == 4
    assert lines[2] == (
        "| *defaults* | 4.2 | 3.2 | 1.26 | 0.90 | 3000 | 1 | 2 | 3 | 90.0 | 0.25 | 4 |"
    )
    assert lines[3].startswith("| `a=b` | 4.2 |")
