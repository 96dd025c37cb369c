"""``ackclock run`` with the real core: the table and the figures at its end."""

import subprocess
import sys
from pathlib import Path

import pytest

from ackclock.cli import main

TEXT = """
title = "Two buffers"
duration = "2 s"
replications = 2

[topology]
kind = "dumbbell"
bottleneck = { rate = "2 Mbit/s", delay = "5 ms", queue = { limit = "10 packets" } }

[workload]
kind = "bulk"
start_spread = "100 ms"

[sweep.factors]
"topology.bottleneck.queue.limit" = ["3 packets", "20 packets"]

[[figures]]
name = "buffers"
title = "A larger buffer"
x = "topology_bottleneck_queue_limit_packets"
y = "goodput_bit_s"
"""


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "lab.toml"
    path.write_text(TEXT)
    return path


def test_the_table_and_the_figures_follow_the_runs(file, capsys):
    assert main(["run", str(file)]) == 0
    said = capsys.readouterr().out
    folder = file.parent / "lab.results"
    assert f"4 of 4 runs (4 made now) are in {folder}" in said
    assert "Goodput (Mbit/s)" in said
    assert "n = 2" in said
    figure = folder / "figures" / "buffers.svg"
    assert f"A larger buffer: {figure}" in said
    assert figure.read_text().startswith("<")


def test_a_program_that_reads_json_gets_nothing_else(file, capsys):
    assert main(["run", str(file), "--json"]) == 0
    assert all(line.startswith("{") for line in capsys.readouterr().out.splitlines())


def test_the_same_figure_twice_is_the_same_file(file, tmp_path):
    assert main(["run", str(file), "--out", str(tmp_path / "a"), "--jobs", "1"]) == 0
    assert main(["run", str(file), "--out", str(tmp_path / "b"), "--jobs", "2"]) == 0
    first, second = (tmp_path / name / "figures" / "buffers.svg" for name in "ab")
    assert first.read_bytes() == second.read_bytes()


def test_a_reader_that_has_seen_enough_is_no_error(file):
    assert main(["run", str(file), "--json"]) == 0
    show = [sys.executable, "-m", "ackclock", "show", str(file)]
    with subprocess.Popen(show, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        command.stdout.close()
        assert command.stderr.read() == b""
    assert command.returncode == 1
