"""``ackclock run`` with the real core: the table and the figures at its end."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from ackclock.cli import main
from ackclock.results import Results

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


def runs(folder):
    return Results.open(folder).metrics[["replication", "seed", "goodput_bit_s"]]


def test_the_seed_is_as_set_gives_it(file, tmp_path, capsys):
    assert main(["run", str(file), "--seed", "7", "--out", str(tmp_path / "a")]) == 0
    assert "seed=7 · seed 7 · n = 2" in capsys.readouterr().out
    assert main(["run", str(file), "--set", "seed=7", "--out", str(tmp_path / "b")]) == 0
    pd.testing.assert_frame_equal(runs(tmp_path / "a"), runs(tmp_path / "b"))


def test_another_seed_is_another_plan_and_the_earlier_runs_stay(file, capsys):
    assert main(["run", str(file)]) == 0
    first = runs(file.parent / "lab.results")
    assert main(["run", str(file), "--seed", "2"]) == 0
    assert capsys.readouterr().out.count("4 of 4 runs (4 made now)") == 2
    assert not runs(file.parent / "lab.results").equals(first)
    assert main(["run", str(file)]) == 0
    assert "4 of 4 runs were made earlier" in capsys.readouterr().err
    pd.testing.assert_frame_equal(runs(file.parent / "lab.results"), first)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--seed", "-1"], ["--seed -1: must be between 0 and 18446744073709551615"]),
        (["--seed", "two"], ['Invalid value for --seed: unable to convert "two" into int.']),
        (
            ["--seed", "2", "--set", "seed = 3", "--set", "tcp.smss=1"],
            ["--seed 2: --set seed = 3 gives the seed, too; leave out one", "--set tcp.smss=1: "],
        ),
    ],
)
def test_a_wrong_seed_is_told_with_all_that_is_wrong(words, says, file, capsys):
    assert main(["run", str(file), *words]) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == len(says)
    for line, words_of_it in zip(told, says, strict=True):
        assert words_of_it in line
    assert not (file.parent / "lab.results").exists()
