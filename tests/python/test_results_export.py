"""Files of results: their text, byte for byte."""

import pandas as pd
import pytest

from ackclock.errors import InputError
from ackclock.results.export import table_of, write_csv, write_figure, write_parquet
from ackclock.scenario.metric_names import METRIC_NAMES
from results_campaigns import by_hand
from results_campaigns import lab as lab_of

GOLDEN = """\
tcp_flavor,loss,replication,seed,goodput_bit_s,completion_s
reno,1e-07,0,7092028254175800402,1000000.500000,
reno,1e-07,1,9670882755563961442,3000000.000000,0.333333
"sack, with a comma",0.123456789,0,7092028254175800402,0.000000,inf
"sack, with a comma",0.123456789,1,9670882755563961442,2.000000,1.000000
"""
SUMMARY = """\
tcp_flavor,n,goodput_bit_s,goodput_bit_s_lo,goodput_bit_s_hi
reno,2,2.000000,0.000000,14.706205
"""


@pytest.fixture
def hand(tmp_path):
    nan, inf = float("nan"), float("inf")
    points = [
        (
            {"tcp_flavor": "reno", "loss": 1e-07},
            {"goodput_bit_s": [1000000.5, 3e6], "completion_s": [nan, 1 / 3]},
        ),
        (
            {"tcp_flavor": "sack, with a comma", "loss": 0.123456789},
            {"goodput_bit_s": [0, 2], "completion_s": [inf, 1.0]},
        ),
    ]
    return by_hand(tmp_path / "hand", points)


def test_a_csv_file_byte_for_byte(hand, tmp_path):
    table = table_of(hand, "metrics")[[*GOLDEN.splitlines()[0].split(",")]]
    path = write_csv(table, tmp_path / "new" / "runs.csv", hand.factors)
    assert path.read_bytes().decode() == GOLDEN
    assert [each.name for each in path.parent.iterdir()] == ["runs.csv"]


def test_a_summary_byte_for_byte(tmp_path):
    points = [({"tcp_flavor": "reno"}, {"goodput_bit_s": [1, 3]})]
    its = by_hand(tmp_path / "hand", points)
    table = table_of(its, "summary")
    assert len(table.columns) == 2 + 3 * len(METRIC_NAMES)
    path = write_csv(table.iloc[:, :5], tmp_path / "summary.csv", its.factors)
    assert path.read_bytes().decode() == SUMMARY


def test_a_csv_file_has_no_formulas_and_its_numbers_stay(tmp_path):
    names = ["=1+1", "+1", "-x", "@x", "x=1"]
    table = pd.DataFrame({"=a": names, "loss": [-0.1, 1e-07, 0.5, 1.0, 2.0], "n": [-1, 2, 3, 4, 5]})
    path = write_csv(table, tmp_path / "runs.csv", ["loss", "=a"])
    assert path.read_text().splitlines() == [
        "'=a,loss,n",
        "'=1+1,-0.1,-1",
        "+1,1e-07,2",
        "'-x,0.5,3",
        "'@x,1.0,4",
        "x=1,2.0,5",
    ]


@pytest.mark.parametrize("what", ["metrics", "flows", "summary"])
def test_the_same_results_give_the_same_bytes(tmp_path, what):
    written = []
    for name in ("one", "two"):
        its = lab_of(tmp_path / name, sets=["replications=2", "duration=1 s", "probes.cwnd=off"])
        table = table_of(its, what)
        paths = [
            write_csv(table, tmp_path / f"{name}.csv", its.factors),
            write_parquet(table, tmp_path / f"{name}.parquet"),
        ]
        written.append([path.read_bytes() for path in paths])
    assert written[0] == written[1]


def test_a_parquet_file_has_all_digits(hand, tmp_path):
    path = write_parquet(hand.metrics, tmp_path / "runs.parquet")
    read = pd.read_parquet(path)
    pd.testing.assert_frame_equal(read, hand.metrics, check_dtype=False)
    assert read["seed"].dtype == "uint64"


def test_a_file_that_cannot_be_written_is_told(hand, tmp_path):
    (tmp_path / "file").write_text("kept")
    with pytest.raises(InputError, match="name a file that you may write"):
        write_csv(hand.metrics, tmp_path / "file" / "runs.csv", hand.factors)
    assert (tmp_path / "file").read_text() == "kept"


def test_a_figure_has_the_format_of_its_name(hand, tmp_path):
    figure = hand.plot.lines(y="timeouts")
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for ending, start in starts.items():
        path = write_figure(figure, tmp_path / f"figure.{ending}")
        assert path.read_bytes().startswith(start)
    with pytest.raises(InputError, match=r"end the name of a figure in \.png, \.svg, \.pdf"):
        write_figure(figure, tmp_path / "figure.gif")
