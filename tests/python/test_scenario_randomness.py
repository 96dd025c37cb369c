"""What the plan says of randomness, held against runs with two seeds."""

import json
from pathlib import Path

import pytest

import ackclock
from ackclock import _core
from ackclock.campaign.identity import replication_seed
from ackclock.cli import main
from ackclock.cli.check import check
from ackclock.results import run
from ackclock.results.comparisons import comparison_grid
from ackclock.results.equal_replications import sameness_note
from ackclock.results.metrics import measure
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.randomness import has_random_ticks, is_random, replications_note

SHORT = ["duration=11 s", "warm_up=0 s"]
STARTERS = Path(ackclock.__file__).parent / "scenario" / "starters"
FOLDERS = (Path(__file__).parents[2] / "scenarios", STARTERS)
FILES = [path for folder in FOLDERS for path in sorted(folder.glob("*.toml"))]
ONE_FLOW = """
title = "one flow"
duration = "4 s"
replications = 2
[topology]
kind = "dumbbell"
bottleneck = { rate = "4 Mbit/s", delay = "10 ms" }
[tcp]
flavor = "cubic"
"""


def rows_differ(point):
    made = point.compile()
    plan = canonical_json(made.without_probes())
    rows = [measure(_core.run(plan, replication_seed(1, number)), made.facts) for number in (0, 1)]
    return repr(rows[0]) != repr(rows[1])


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_file_is_as_random_as_its_plan_says(path):
    points = load(path, SHORT).points()
    for point in (points[0], points[-1]):
        if is_random(point.scenario):
            assert rows_differ(point)
        else:
            # Ticks may be random and change nothing: that of a timer that never ends.
            assert has_random_ticks(point.scenario) or not rows_differ(point)


@pytest.mark.parametrize(
    ("changes", "random"),
    [
        ([], False),
        (['workload.start_spread="1 s"'], True),
        (['topology.access.delay_spread="5 ms"'], True),
        (['topology.bottleneck.queue={ kind = "red", limit = "30 packets" }'], True),
        (['topology.bottleneck.impairments=[{ kind = "bernoulli", loss = "1 %" }]'], True),
        (['topology.bottleneck.impairments=[{ kind = "bernoulli", loss = "0 %" }]'], False),
        (['topology.bottleneck.impairments=[{ kind = "scripted", lost = [14, 28] }]'], False),
        (['topology.bottleneck.impairments=[{ kind = "jitter", spread = "1 ms" }]'], True),
        (['topology.bottleneck.impairments=[{ kind = "duplicate", probability = "1 %" }]'], True),
        (['topology.bottleneck.varies={ kind = "lte" }'], True),
        (['topology.bottleneck.varies={ kind = "wifi" }'], True),
        (['topology.bottleneck.schedule=[{ at = "1 s", rate = "1 Mbit/s" }]'], False),
        (['topology.bottleneck.schedule=[{ at = "1 s", loss = "1 %" }]'], True),
        (['workload={ kind = "ftp", file_size = "100 kB" }'], False),
        (['workload={ kind = "http10" }'], True),
        (['workload={ kind = "http_sessions" }'], True),
        (['workload={ kind = "cbr", rate = "1 Mbit/s" }'], False),
        (['workload={ kind = "on_off", rate = "1 Mbit/s" }'], True),
        (['workload={ kind = "www_batches" }'], True),
        (['tcp.flavor="bbr"'], True),
        (['tcp.flavor="bbr3"', 'duration="8 s"'], True),
        (['tcp.flavor="bbr"', 'workload={ kind = "cbr", rate = "1 Mbit/s" }'], False),
    ],
)
def test_each_source_of_randomness(changes, random):
    (point,) = load(ONE_FLOW, changes).points()
    assert is_random(point.scenario) == random
    assert rows_differ(point) == random


def test_ticks_of_timers_are_random_where_they_are_used():
    coarse = ["tcp.flavor=newreno"]
    assert has_random_ticks(load(ONE_FLOW, coarse))
    assert not has_random_ticks(load(ONE_FLOW, [*coarse, "clock.phase=common"]))
    assert not has_random_ticks(load(ONE_FLOW))


def test_check_says_that_nothing_is_random(tmp_path, capsys):
    path = tmp_path / "one.toml"
    path.write_text(ONE_FLOW)
    check(path)
    said = capsys.readouterr().out.splitlines()
    assert said[1].startswith(f"{path}: note: in this scenario nothing is random")
    assert 'start_spread = "1 s"' in said[1]
    # One replication is no repetition, and whoever writes a phase asks for random ticks.
    assert not replications_note(load(ONE_FLOW, ["replications=1"]))
    asked = ["tcp.flavor=newreno", "clock.phase=uniform 100 ms", "clock.tick=100 ms"]
    assert not replications_note(load(ONE_FLOW, asked))
    assert "(clock.phase, within 1 ms)" in replications_note(load(ONE_FLOW, asked[:1]))


def test_a_sweep_names_the_points():
    swept = ['topology.bottleneck.impairments=[{ kind = "bernoulli", loss = "= p" }]']
    text = ONE_FLOW + '[variables]\np = "0 %"\n[sweep.factors]\np = ["0 %", "1 %"]\n'
    assert replications_note(load(text, swept)).startswith("at 1 of 2 points (p = 0 %) nothing")
    # By the keys and in the units of the file, not by the columns of the results.
    text = ONE_FLOW + '[sweep.factors]\n"workload.start_spread" = ["0 s", "10 ms"]\n'
    note = replications_note(load(text))
    assert note.startswith("at 1 of 2 points (workload.start_spread = 0 s) nothing")


def test_results_without_variation_have_no_interval(tmp_path):
    results = run(ONE_FLOW, tmp_path / "equal")
    assert sameness_note(results).startswith("in this scenario nothing is random")
    shown = results.grid()
    assert not any("±" in cell for row in shown.rows for cell in row)
    assert "n = 2 · replications are equal: no intervals" in shown.foot


def test_every_table_says_that_nothing_varies(tmp_path, capsys):
    """No interval, no test and a reason: of all flows, of each, of levels and of folders."""
    two = 'sweep.factors={ "tcp.initial_window" = [2, 10] }'
    run(ONE_FLOW, tmp_path / "one", sets=[two])
    run(ONE_FLOW, tmp_path / "other", sets=[two])
    folder = str(tmp_path / "one")
    by = ["--by", "tcp_initial_window", "--baseline", "2"]
    for words, equal in (
        (["show", folder], "replications"),
        (["show", folder, "--flows"], "replications"),
        (["compare", folder, *by], "replications"),
        (["compare", folder, *by, "--pooled"], "replications"),
        (["compare", folder, str(tmp_path / "other")], "differences"),
    ):
        assert main(words) == 0
        said = capsys.readouterr().out
        assert f"n = 2 · {equal} are equal: no intervals" in said
        assert "% intervals" not in said
        assert "±" not in said
        assert " to " not in said.partition("Note:")[0]
        assert "0.001" not in said
        assert said.count("Note: in this scenario nothing is random") == 1
    assert main(["compare", folder, *by, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    ((first, second),) = (its["rows"] for its in told["comparisons"])
    assert first["difference"] is None
    assert second["difference"]["mean"] != 0
    assert second["p_holm"] is None
    assert told["notes"][0].startswith("in this scenario nothing is random")


def test_of_what_varies_at_one_point_only_that_is_tested(tmp_path):
    swept = ['topology.bottleneck.impairments=[{ kind = "bernoulli", loss = "= lost" }]']
    sweep = '[variables]\nlost = "0 %"\n[sweep.factors]\nlost = ["0 %", "2 %"]\n'
    text = f'{ONE_FLOW}{sweep}"tcp.initial_window" = [2, 10]\n'
    results = run(text, tmp_path / "some", sets=[*swept, "replications=3"])
    grid = comparison_grid(
        results, "tcp_initial_window", 2, "goodput_bit_s", pooled=False, confidence=0.95
    )
    p_values = [row[-1] for row in grid.rows]
    assert p_values[:3] == ["–", "–", "–"]
    assert float(p_values[3]) < 1
    assert "95 % intervals" in grid.foot
    assert sameness_note(results).startswith("at 2 of 4 points")


def test_equal_by_chance(tmp_path):
    rare = ['topology.bottleneck.impairments=[{ kind = "bernoulli", loss = "0.0000001 %" }]']
    results = run(ONE_FLOW, tmp_path / "rare", sets=rare)
    note = sameness_note(results)
    assert "equal in every number, though something in the scenario is random" in note
    varied = run(ONE_FLOW, tmp_path / "varied", sets=['workload.start_spread="1 s"'])
    assert sameness_note(varied) == ""
    assert "95 % intervals" in varied.grid().foot
