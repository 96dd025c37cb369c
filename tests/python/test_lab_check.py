"""What a state is, without a run: scenarios, sliders, points, the network, the cost."""

import json
import tomllib
from decimal import Decimal

import pytest

from ackclock.lab.settings import Settings
from ackclock.lab.states import catalog
from ackclock.lab.states.check import checked
from ackclock.lab.states.cost import cost_of
from ackclock.lab.states.state import State
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.schema import json_schema
from lab_server import SMALL, running
from teaching_set import SCENARIOS

UNITS = {"Mbit/s": 10**6, "ms": 10**9}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("yours")
    (folder / "mine.toml").write_text(
        "# What to see: a queue that fills.\n#\n#   ackclock run mine.toml\n" + SMALL
    )
    (folder / "broken.toml").write_text(SMALL + "x = 1\n")
    (folder / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    (folder / "no.toml").write_text("no toml")
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "one.toml").write_text(SMALL)
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "one.toml").write_text(SMALL)
    return folder


@pytest.fixture(scope="module")
def settings(folder):
    return Settings(folder, "token", 1, 2)


@pytest.fixture(scope="module")
def server(folder):
    with running(folder) as lab:
        yield lab


def test_about_says_what_there_is(server):
    its = server.get("about")
    assert its["folder"] == server.settings.folder.name
    assert {"name", "summary"} == set(its["flavors"][0])
    assert "fq_codel" in [each["name"] for each in its["queues"]]
    assert its["limits"]["body_bytes"] == 65536
    assert str(server.settings.folder) not in json.dumps(its)
    assert server.get("schema") == json.loads(json.dumps(json_schema()))


def test_scenarios_are_those_that_are_shipped_and_the_users(server):
    rows = {each["id"]: each for each in server.get("scenarios")}
    assert set(SCENARIOS) < set(rows)
    yours = {name for name, row in rows.items() if row["folder"] == "yours"}
    assert yours == {"yours/mine", "yours/broken", "yours/deep/er/one"}
    assert rows["yours/mine"]["title"] == "Two transfers"
    assert rows["yours/mine"]["flows"] == 2
    assert rows["yours/mine"]["duration_s"] == 4
    assert rows["yours/mine"]["see"] == "a queue that fills."
    assert rows["yours/mine"]["commands"] == ["ackclock run mine.toml"]
    assert rows["yours/broken"]["flows"] is None
    assert all(rows[name]["see"] for name in SCENARIOS)


def test_one_scenario_has_its_text(server):
    one = server.get("scenarios/bufferbloat")
    assert one["text"] == SCENARIOS["bufferbloat"].read_text()
    assert "#" not in one["see"]
    assert one["see"].startswith("a drop-tail queue fills its buffer")
    assert one["commands"][0] == "ackclock run scenarios/bufferbloat.toml"
    assert server.get("scenarios/yours/broken")["sliders"] == []
    assert server.get("scenarios/bufferblot", 404)["problems"][0]["message"].endswith(
        'did you mean "bufferbloat"?'
    )


def test_a_new_file_is_found(server):
    (server.settings.folder / "later.toml").write_text(SMALL)
    assert server.get("scenarios/yours/later")["title"] == "Two transfers"
    assert server.post("check", {"scenario": "yours/later"})["ok"]
    (server.settings.folder / "later.toml").write_text(SMALL.replace("4 s", "5 s"))
    assert server.post("check", {"scenario": "yours/later"})["duration_s"] == 5


def test_what_is_wrong_has_its_key_and_its_line(settings):
    text = SMALL.replace('"20 ms"', '"20 MS"') + "x = 1\n"
    found = checked(settings, {"source": text, "sets": ["tcp.flavor=rino"]})
    assert not found["ok"]
    problems = {each["key"]: each for each in found["problems"]}
    delay = problems["topology.bottleneck.delay"]
    assert delay["line"] == text.split("delay")[0].count("\n") + 1
    assert 'did you mean "20 ms"?' in delay["message"]
    assert "tcp.flavor" in problems


def test_the_document_of_a_state(settings):
    found = checked(settings, {"scenario": "red", "point": 4, "sets": ["duration=40 s"]})
    json.dumps(found, allow_nan=False)
    assert found["duration_s"] == 40
    assert found["warm_up_s"] == 20
    assert found["factors"] == [
        {"name": "topology.pairs", "levels": ["2", "8", "32"]},
        {"name": "queue", "levels": ["drop-tail", "RED", "adaptive RED"]},
    ]
    assert found["points"][5] == {"number": 5, "levels": [1, 2]}
    assert found["one_line"] == "9 points, 40 s of simulated time each"
    keys = {each["key"]: each["text"] for each in found["keys"]}
    assert keys["topology.bottleneck.rate"] == "10 Mbit/s"
    assert keys["tcp.initial_window"] == "10"
    assert [each["title"] for each in found["tables"]][:2] == ["Links", "Flows"]
    for table in found["tables"]:
        assert {len(row) for row in table["rows"]} == {len(table["heads"])}
    values = found["values"]["topology.bottleneck.rate"]
    assert values == {"value": 10, "text": "10 Mbit/s"}


def test_the_path_is_the_network(settings):
    its = checked(settings, {"scenario": "red", "sets": ["tcp.flavor=bbr"]})["path"]
    kinds = {each["name"]: each["kind"] for each in its["nodes"]}
    assert kinds["r1"] == "router"
    assert kinds["client 1"] == kinds["server 2"] == "host"
    (bottleneck,) = (each for each in its["links"] if each["bottleneck"])
    assert bottleneck["name"] == "r1 -> r2"
    assert bottleneck["rate_bit_s"] == 10_000_000
    assert bottleneck["limit_packets"] == 100
    (flow,) = its["flows"]
    assert flow["by"] == ["server 1 -> r1", "r1 -> r2", "r2 -> client 1"]
    assert (flow["flavor"], flow["count"]) == ("bbr", 2)


def test_a_large_network_shows_a_part(settings):
    its = checked(settings, {"source": SMALL, "sets": ["topology.pairs=500"]})["path"]
    assert len(its["links"]) == 6
    assert its["hidden_links"] == 2002 - 6


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_every_scenario_has_a_document(settings, name):
    found = checked(settings, {"scenario": name})
    json.dumps(found, allow_nan=False)
    names = {each["name"] for each in found["path"]["nodes"]}
    links = {each["name"] for each in found["path"]["links"]}
    for link in found["path"]["links"]:
        assert {link["from"], link["to"]} <= names
    for flow in found["path"]["flows"]:
        assert set(flow["by"]) <= links
    assert found["sliders"]


def _set(slider, value):
    text = value
    if isinstance(value, bool):
        text = str(value).lower()
    elif not isinstance(value, str):
        text = format(Decimal(repr(value)).normalize(), "f")
    return f"{slider['key']}={text} {slider['unit']}".rstrip()


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_a_slider_at_its_value_changes_nothing(settings, name):
    one = State(scenario=name).load_point(settings)
    plan = canonical_json(one.point.compile().plan)
    swept = {
        level_key for factor in one.factors for level in factor.levels for level_key in level.values
    }
    found = checked(settings, {"scenario": name})["sliders"]
    assert len({each["key"] for each in found}) == len(found)
    for slider in found:
        changed = State(scenario=name, sets=(_set(slider, slider["value"]),)).load_point(settings)
        if slider["text"] != "auto":
            assert canonical_json(changed.point.compile().plan) == plan, slider
        if slider["kind"] in ("quantity", "number"):
            assert slider["low"] <= slider["value"] <= slider["high"], slider
            assert (slider["low"] > 0) or slider["scale"] == "linear", slider
        if slider["kind"] == "choice":
            assert slider["value"] in [each["value"] for each in slider["choices"]], slider
            for choice in slider["choices"]:
                its = _set(slider, choice["value"])
                text, value = its.split("=")
                assert text not in swept
                assert value
        assert slider["label"]


def test_sliders_of_a_queue_follow_its_kind(settings):
    def keys(*sets):
        return {
            each["key"]: each
            for each in checked(settings, {"source": SMALL, "sets": list(sets)})["sliders"]
        }

    queue = "topology.bottleneck.queue"
    plain, codel = keys(), keys(f"{queue}.kind=codel")
    assert f"{queue}.target" not in plain
    assert codel[f"{queue}.target"]["value"] == 5
    assert codel[f"{queue}.target"]["unit"] == "ms"
    assert f"{queue}.target" in codel[f"{queue}.kind"]["resets"]
    assert plain[f"{queue}.limit"]["unit"] == "rtt"
    assert keys(f"{queue}.limit=50 packets")[f"{queue}.limit"]["unit"] == "packets"


def test_shares_and_counts_have_ranges_of_their_own(settings):
    losses = 'impairments = [{ kind = "bernoulli", loss = LOSS }]\n'

    def slider(loss):
        text = SMALL + losses.replace("LOSS", loss)
        found = checked(settings, {"source": text})["sliders"]
        return next(each for each in found if each["key"].endswith("impairments[0].loss"))

    assert slider("0.01")["scale"] == "log"
    assert slider("0.01")["high"] == 1
    assert (slider("0")["scale"], slider("0")["low"], slider("0")["high"]) == ("linear", 0, 0.1)
    assert slider("0.5")["step"] == 0.01
    assert slider("0")["label"] == "Loss of bernoulli"
    pairs = checked(settings, {"source": SMALL})["sliders"]
    (its,) = (each for each in pairs if each["key"] == "topology.pairs")
    assert (its["low"], its["high"], its["step"], its["value"]) == (1, 20, 1, 2)


def test_a_key_that_is_swept_or_computed_has_no_slider(settings):
    text = SMALL.replace('delay = "20 ms"', 'delay = "= 2 * topology.access.delay"')
    text += '[topology.access]\ndelay = "5 ms"\n[sweep.factors]\n"tcp.flavor" = ["reno", "cubic"]\n'
    keys = {each["key"] for each in checked(settings, {"source": text})["sliders"]}
    assert "topology.access.delay" in keys
    assert not keys & {"topology.bottleneck.delay", "tcp.flavor"}


def test_the_cost_is_near_to_what_a_run_sends(settings):
    import ackclock

    for sets in ((), ("topology.bottleneck.rate=40 Mbit/s",), ("workload.size=1 MB",)):
        results = ackclock.run(SMALL, sets=list(sets))
        sent = results.metrics["segments_sent"].iloc[0]
        its = cost_of(load(SMALL, sets))
        assert sent <= 1.1 * its.segments
        assert its.segments < 1.5 * sent
        assert its.verdict == "live"


@pytest.mark.parametrize(
    ("sets", "verdict"),
    [
        (["duration=30 s", "topology.bottleneck.rate=1 Gbit/s"], "preview"),
        (["duration=30 s", "topology.bottleneck.rate=10 Gbit/s"], "job"),
        (["duration=100000 s"], "job"),
        (["duration=1000 s", "topology.bottleneck.rate=100 Gbit/s"], "refused"),
        (["topology.pairs=5001"], "refused"),
    ],
)
def test_the_verdict_has_a_sentence(settings, sets, verdict):
    cost = checked(settings, {"source": SMALL, "sets": sets})["cost"]
    assert cost["verdict"] == verdict
    assert cost["sentence"]


def test_ids_are_those_of_the_table_only(settings):
    assert "yours/mine" in catalog.entries(settings)
    assert not any(".." in name for name in catalog.entries(settings))
    shipped = SCENARIOS["red"]
    assert catalog.id_of(shipped) == "red"
    assert catalog.id_of(settings.folder / "mine.toml") == "yours/mine"


def test_a_state_is_read_with_all_that_is_wrong():
    from ackclock.errors import InputError

    with pytest.raises(InputError) as wrong:
        State.read({"scenario": "red", "source": "x", "sets": "a", "point": -1, "replication": 1.5})
    text = str(wrong.value)
    for part in ("scenario, source", "sets", "point", "replication"):
        assert f"{part}:" in text
    state = State.read({"source": SMALL, "sets": ["seed=4"], "replication": 2, "more": 1})
    assert state == State(None, SMALL, ("seed=4",), 0, 2)
    assert tomllib.loads(state.scenario_text(None))["duration"] == "4 s"
