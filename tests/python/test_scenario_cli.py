"""``ackclock new``, ``check``, ``explain`` and ``schema``."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ackclock.cli.check import check
from ackclock.cli.explain import explain
from ackclock.cli.new import new
from ackclock.cli.schema import schema
from ackclock.errors import InputError
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.schema import json_schema
from ackclock.scenario.starters import KINDS, starter
from scenario_texts import ALL, ATM, DUMBBELL, EVERYTHING, GRAPH
from teaching_set import SCENARIOS


def written(tmp_path, text):
    path = tmp_path / "lab.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_scenario_is_right_and_has_comments(kind, tmp_path, capsys):
    path = tmp_path / "lab.toml"
    new(kind, out=path)
    assert path.read_text() == starter(kind)
    assert load(path).topology.kind == kind
    assert len(load(path).points()) > 1
    assert path.read_text().count("#") >= 8
    assert f"{path} is written" in capsys.readouterr().out
    new(kind)
    assert capsys.readouterr().out == starter(kind)


def test_a_new_scenario_overwrites_nothing(tmp_path):
    path = written(tmp_path, "mine")
    with pytest.raises(InputError, match="already exists; name another file"):
        new(out=path)
    assert path.read_text() == "mine"
    with pytest.raises(InputError, match="cannot be written"):
        new(out=tmp_path / "none" / "lab.toml")


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_ready_made_scenario_is_copied_by_name(name, tmp_path, capsys):
    new(from_=name)
    assert capsys.readouterr().out == SCENARIOS[name].read_text(encoding="utf-8")
    new(from_=name, out=tmp_path / "lab.toml")
    copied, original = (path.read_text() for path in (tmp_path / "lab.toml", SCENARIOS[name]))
    assert tomllib.loads(copied) == tomllib.loads(original)


def test_the_comments_of_a_copy_name_the_copy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for place in ("call.toml", "my call.toml"):
        new(from_="fq_codel", out=Path(place))
    plain, quoted = Path("call.toml").read_text(), Path("my call.toml").read_text()
    assert "#   ackclock run call.toml\n" in plain
    assert 'load_results("call.results")' in plain
    assert quoted == SCENARIOS["fq_codel"].read_text(encoding="utf-8")


def test_the_ready_made_scenarios_are_listed(capsys):
    new(list_=True)
    listed = capsys.readouterr().out
    for name, path in SCENARIOS.items():
        assert f" {name} " in listed
        assert " ".join(tomllib.loads(path.read_text())["description"].split()[:4]) in listed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"from_": "red-"}, "--from red-: there is no ready-made scenario of this name; did you"),
        ({"from_": "nothing"}, "of this name. `ackclock new --list` lists all"),
        ({"from_": "../red"}, "--from ../red: there is no ready-made scenario of this name"),
        ({"kind": "graph", "from_": "red"}, "--from red: has its own topology; leave out graph"),
    ],
)
def test_what_cannot_be_copied_is_said(words, said):
    kind = words.pop("kind", None)
    with pytest.raises(InputError, match=re.escape(said)):
        new(kind, **words)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (DUMBBELL, "1 point, 1 replication, 1 run, 10 s of simulated time"),
        (EVERYTHING, "24 points, 10 replications, 240 runs, 4 h of simulated time"),
        (
            DUMBBELL + '[precision]\ntarget = "5 %"\nmetrics = ["drops"]\nmaximum = 20\n',
            "1 point, 5 to 20 replications, 5 to 20 runs, 50 s to 200 s of simulated time",
        ),
        (
            DUMBBELL + '[sweep.factors]\nduration = ["10 s", "20 s"]\n',
            "2 points, 1 replication, 2 runs, 30 s of simulated time",
        ),
    ],
)
def test_check_says_how_much_there_is(text, line, tmp_path, capsys):
    path = written(tmp_path, text)
    check(path)
    assert capsys.readouterr().out.splitlines()[0] == f"{path}: ok: {line}"


def test_check_takes_sets_and_wants_a_file(tmp_path, capsys):
    path = written(tmp_path, DUMBBELL)
    check(path, set=["duration=20 s"])
    assert "20 s of simulated time" in capsys.readouterr().out
    with pytest.raises(InputError, match="--set duration=20: 20 has no unit"):
        check(path, set=["duration=20"])
    with pytest.raises(InputError, match="name a scenario file"):
        check()


@pytest.mark.parametrize("name", ALL)
def test_explain_tells_of_everything(name, tmp_path, capsys):
    path = written(tmp_path, ALL[name])
    explain(path)
    told = capsys.readouterr().out
    scenario = load(path)
    for flow in scenario.points()[0].compile().facts.flow_groups:
        assert flow in told
    for word in ("Links", "Flows", "TCP", "base RTT", "seed"):
        assert word in told


def test_explain_tells_queues_in_packets_and_round_trip_times(tmp_path, capsys):
    explain(written(tmp_path, DUMBBELL), set=["topology.bottleneck.queue.limit=20 packets"])
    told = capsys.readouterr().out
    assert "20 packets = 24 ms = 0.6 rtt" in told
    assert "never full" in told
    assert "50 kB = 33.3 packets" in told
    assert "7 (auto)" in told
    assert "65535 B to 6 MiB (auto)" in told
    explain(written(tmp_path, DUMBBELL))
    assert "50 kB = 33 packets = 40 ms = 1 rtt" in capsys.readouterr().out


def test_explain_tells_cells_impairments_and_ways(tmp_path, capsys):
    explain(written(tmp_path, ATM))
    told = " ".join(capsys.readouterr().out.split())
    assert "531 cells = 0.499 rtt" in told
    for word in ("selective_drop", "r_cells 424", "z_ppm 800000"):
        assert word in told
    assert "= 2 * topology.trunk.delay * topology.trunk.rate / 8" in told
    explain(written(tmp_path, GRAPH))
    told = capsys.readouterr().out
    assert "bernoulli loss 0.02" in told
    assert "r s" in told


def test_explain_lists_the_points_and_shows_one(tmp_path, capsys):
    path = written(tmp_path, EVERYTHING)
    explain(path)
    told = capsys.readouterr().out
    assert "topology_bottleneck_delay_s" in told
    assert "0.0316228" in told
    assert "= k * 40" in told
    explain(path, point=23)
    told = capsys.readouterr().out
    assert "Point 23: k = 0.5, tcp_flavor = sack" in told
    assert "20 packets" in told
    with pytest.raises(InputError, match="--point 24: there are 24, from 0 to 23"):
        explain(path, point=24)
    with pytest.raises(InputError, match="--point -1"):
        explain(path, point=-1)


def test_explain_cuts_long_lists(tmp_path, capsys):
    factors = '[sweep.factors]\n"tcp.initial_window" = { from = 1, to = 99, step = 1 }\n'
    explain(written(tmp_path, DUMBBELL + factors))
    assert "and 49 more points" in capsys.readouterr().out


def test_the_plan_is_that_of_the_point(tmp_path, capsys):
    path = written(tmp_path, EVERYTHING)
    explain(path, point=5, plan=True)
    plan = load(path).points()[5].compile().plan
    assert canonical_json(json.loads(capsys.readouterr().out)) == canonical_json(plan)


def test_the_schema_is_printed_or_written(tmp_path, capsys):
    schema()
    assert json.loads(capsys.readouterr().out) == json_schema()
    path = tmp_path / "schema.json"
    schema(out=path)
    schema(out=path)
    assert json.loads(path.read_text()) == json_schema()
    with pytest.raises(InputError, match="cannot be written"):
        schema(out=tmp_path / "none" / "schema.json")


def test_the_package_needs_no_heavy_import():
    script = (
        "import sys; import ackclock.scenario, ackclock.scenario.compile.facts as f;"
        "print([m for m in ('pydantic', 'numpy') if m in sys.modules]);"
        "from ackclock.scenario import load;"
        "import ackclock.cli.check, ackclock.cli.explain, ackclock.cli.new, ackclock.cli.schema;"
        "print([m for m in ('numpy', 'pandas', 'scipy', 'rich') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n[]\n"


def test_a_name_that_the_package_does_not_have():
    import ackclock.scenario

    with pytest.raises(AttributeError, match="has no attribute 'loud'"):
        _ = ackclock.scenario.loud
