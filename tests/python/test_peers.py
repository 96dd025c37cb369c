"""What `make bench-peers` gives the simulators and reads from them; none of them is needed here."""

import sys
from pathlib import Path

import numpy as np
import pytest

from ackclock.capture.run import capture
from ackclock.scenario.distributions import shipped

PEERS = Path(__file__).parents[2] / "benches" / "peers"


@pytest.fixture(autouse=True, scope="module")
def scripts():
    """The folder of the scripts, found as if one of them were run."""
    sys.path.insert(0, str(PEERS))
    yield
    sys.path.remove(str(PEERS))


@pytest.fixture(scope="module")
def sizes(tmp_path_factory):
    from inputs import write_sizes

    path = tmp_path_factory.mktemp("peers") / "sizes.csv"
    write_sizes(path, 1)
    return path


@pytest.mark.parametrize(
    ("u", "size"), [(0.05, 10), (0.1, 10), (0.35, 100), (0.6, 1000), (1.0, 1000)]
)
def test_a_size_lies_log_linearly_between_its_quantiles(u, size):
    from inputs import size_at

    assert size_at(u, (10**8, 6 * 10**8, 10**9), (10, 1000, 1000)) == size


def test_a_file_of_sizes_follows_the_distribution_and_its_seed(sizes, tmp_path):
    from inputs import OBJECTS, SEGMENT, write_sizes

    header, *lines = sizes.read_text(encoding="utf-8").splitlines()
    drawn = np.array(lines, dtype=int)
    assert header == "bytes"
    assert drawn.size == OBJECTS
    median = shipped("mah_http").median("log")
    assert np.median(drawn) == pytest.approx(median, rel=0.05)
    assert not (drawn % SEGMENT == 1).any()
    for seed, same in ((1, True), (2, False)):
        write_sizes(tmp_path / "again.csv", seed)
        assert ((tmp_path / "again.csv").read_bytes() == sizes.read_bytes()) is same


def test_pauses_are_those_of_the_seed_whatever_the_load(sizes, tmp_path):
    from inputs import compiled, write_pauses

    from ackclock import _core
    from ackclock.results.pages import pages_of
    from ackclock.scenario.plan import canonical_json

    write_pauses(tmp_path / "pauses.csv", 2, 1, sizes, 3)
    lines = (tmp_path / "pauses.csv").read_text(encoding="utf-8").splitlines()
    written = [[float(time) for time in line.split(",")] for line in lines]
    assert len(written) == 3
    plan = compiled(2, 1, sizes, ["duration=60 s"]).plan
    pages = pages_of(_core.run(canonical_json(plan), 3)["transfers"])
    for flow in range(3):
        opened, completed = (
            pages.opened_s[pages.flow == flow],
            pages.completed_s[pages.flow == flow],
        )
        assert written[flow][0] == pytest.approx(opened[0], abs=1e-9)
        if flow < 2:
            paused = opened[1:] - completed[:-1]
            assert paused.size
            assert written[flow][1 : paused.size + 1] == pytest.approx(paused, abs=1e-9)


def test_a_page_counts_once_all_its_objects_have_come(tmp_path):
    from simulators import delays

    rows = [
        "kind,flow,page,stage,bytes,opened_s,completed_s",
        "web,0,0,0,100,1.0,1.5",
        "ftp,1,0,0,1000000,0.5,9.5",
        *(f"web,0,0,1,100,1.5,{end}" for end in (2.0, 2.5, 1.75)),
        "web,0,1,0,100,4.0,4.5",
    ]
    (tmp_path / "transfers.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert delays(tmp_path / "transfers.csv") == ([1.5], [9.0])


def test_packets_of_a_capture_are_those_of_the_run(sizes):
    from inputs import scenario
    from packets import KINDS, _captured, _count

    its = scenario(8, 2, sizes, ["duration=20 s"])
    made = capture(next(iter(its.points())), ["r1 -> r2"])
    count = _count(_captured(made.pcapng))
    assert sum(count["offered", kind] for kind in KINDS) == made.passed[0].packets
    assert sum(count["dropped", kind] for kind in KINDS) == made.passed[0].lost > 0
    assert min(count["offered", kind] for kind in KINDS) > 0


def test_a_difference_agrees_if_its_joint_interval_holds_zero():
    from agreement import CASES, METRICS, agreement
    from simulators import Measured

    def runs(shift):
        return [Measured(50 + shift, 1 + n / 100, 0.5 - n / 100, 9, 7, 5) for n in range(10)]

    table = {
        (name, case): runs(name == "ackclock") for name in ("ackclock", "ns-2") for case in CASES
    }
    rows = agreement(table)
    assert len(rows) == len(CASES) * len(METRICS)
    for row in rows:
        shifted = row["metric"] == "utilisation"
        assert row["agrees"] is not shifted
        assert row["difference"] == pytest.approx(float(shifted))
