"""What ``check`` says of probes: how many rows they record, and how much memory these take."""

import json
from pathlib import Path

import pytest

from ackclock import _core
from ackclock.cli import main
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.summary_of_probes import probe_rows, size_text

CELLS = Path(__file__).parents[2] / "scenarios" / "erica_parking_lot.toml"
SCENARIO = """
duration = "10 s"
[topology]
kind = "dumbbell"
pairs = 2
bottleneck = { rate = "10 Mbit/s", delay = "10 ms" }
[workload]
kind = "bulk"
[probes]
"""
ALL = """
queue = "100 ms"
goodput = "500 ms"
transport = "100 ms"
cwnd = "all"
rtt = ["flow 1"]
states = "all"
segments = "all"
packets = true
delays = true
"""


def rows(text):
    return {row.probe: row for row in probe_rows(load(text).points())}


def test_each_probe_says_how_much_it_takes():
    found = rows(SCENARIO + ALL)
    assert list(found) == [
        "queue",
        "goodput",
        "transport",
        "cwnd",
        "rtt",
        "states",
        "segments",
        "packets",
        "delays",
    ]
    # A link in each direction of the bottleneck and of four hosts; each flow.
    assert (found["queue"].rows, found["goodput"].rows, found["transport"].rows) == (1000, 40, 200)
    assert {found[name].rows for name in ("cwnd", "rtt", "states", "segments", "packets")} == {
        20_000_000
    }
    assert found["queue"].text == "1,000 rows in a run, 40.0 kB of memory"
    assert found["states"].text.startswith("at most 20,000,000 rows in a run, ")
    assert found["states"].text.endswith(" GB of memory")


def test_what_flows_that_fill_their_links_record_is_about_what_they_do():
    """They begin slowly, and lose something: the numbers are no bounds."""
    (point,) = load(SCENARIO + ALL).points()
    columns = _core.run(canonical_json(point.compile().plan), 1)
    found = rows(SCENARIO + ALL)
    for name in ("cwnd", "rtt", "segments", "packets"):
        recorded = len(next(iter(columns[name].values())))
        assert recorded == pytest.approx(found[name].when_full, rel=0.5), name
    for name, row in found.items():
        if name != "delays":
            assert 0 < len(next(iter(columns[name].values()))) <= row.rows, name


def test_the_point_that_records_most_counts():
    sweep = '[sweep.factors]\nduration = ["10 s", "40 s", "20 s"]\n'
    assert rows(f'{SCENARIO}queue = "100 ms"\n{sweep}')["queue"].rows == 4000


def test_check_prints_them_and_nothing_without_probes(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lab.toml").write_text(SCENARIO, encoding="utf-8")
    assert main(["check", "lab.toml"]) == 0
    assert "probe" not in capsys.readouterr().out
    assert main(["check", "lab.toml", "--set", "probes.queue=100 ms"]) == 0
    said = capsys.readouterr().out
    assert "lab.toml: probe queue: 1,000 rows in a run, 40.0 kB of memory\n" in said
    command = ["check", "lab.toml", "--set", "probes.queue=100 ms", "--set", "probes.packets=true"]
    assert main([*command, "--json"]) == 0
    (file,) = json.loads(capsys.readouterr().out)["files"]
    queue, packets = file["probes"]
    assert queue == {
        "probe": "queue",
        "rows_at_most": 1000,
        "memory_at_most_bytes": 40_000,
        "rows_when_full": None,
    }
    assert packets["rows_at_most"] == 20_000_000
    assert packets["rows_when_full"] == 8334


def test_cells_have_bounds_too():
    found = {row.probe: row for row in probe_rows(load(CELLS).points())}
    assert {name: row.rows for name, row in found.items()} == {"queue": 14_000, "acr": 8_000}
    assert not any(row.when_full for row in found.values())


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (999, "999 B"),
        (1000, "1.00 kB"),
        (41_760, "41.8 kB"),
        (480_000, "480 kB"),
        (2 * 10**9, "2.00 GB"),
    ],
)
def test_sizes_have_three_digits(size, text):
    assert size_text(size) == text
