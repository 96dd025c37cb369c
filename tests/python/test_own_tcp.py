"""Congestion controls in Python: equal to the built-in ones, the same bytes every time."""

import json

import numpy as np
import pytest

import ackclock
from ackclock import _core
from ackclock.campaign import Campaign
from ackclock.code_permission import code_allowed
from own_tcp_runs import (
    CLASSES,
    SCENARIO,
    class_text,
    columns_of,
    controlled_run,
    differences,
    plan_of,
    total,
)

ROOT = CLASSES.parents[2]
OWN = {"reno_sack": f"{CLASSES}/reno.py:Reno", "cubic": f"{CLASSES}/cubic.py:Cubic"}
LOSSES = "topology.bottleneck.impairments="
BURSTS = 'schedule=[{at="5 s",up=false},{at="8 s",up=true,rate="5 Mbit/s",delay="40 ms"}]'
PATHS = {
    "a full queue": [],
    "several flows": ["topology.pairs=4"],
    "a short queue": ["topology.bottleneck.queue.limit=6 packets"],
    "time-outs": [f'{LOSSES}[{{kind="bernoulli",loss="12 %"}}]'],
    "random losses": [f'{LOSSES}[{{kind="bernoulli",loss="0.1 %"}}]'],
    "jitter": [f'{LOSSES}[{{kind="jitter",spread="9 ms"}}]'],
    "ECN": ["tcp.ecn=true", 'topology.bottleneck.queue={kind="codel",ecn=true}'],
    "an outage": [f"topology.bottleneck.{BURSTS}", "topology.bottleneck.queue.limit=250 kB"],
    "a small receiver": ["tcp.receive_buffer=30 kB"],
    "on and off": ['workload={kind="http11",start_spread="1 s"}'],
}
"""Paths, by what matters there."""


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("flavor", OWN)
def test_a_class_gives_what_the_built_in_control_gives(flavor, path):
    sets = PATHS[path]
    assert differences(columns_of(OWN[flavor], *sets), columns_of(flavor, *sets)) == []


def test_the_paths_have_what_their_names_say():
    of = {path: columns_of("reno_sack", *sets) for path, sets in PATHS.items()}
    assert total(of["time-outs"], "timeouts") > 5
    assert total(of["an outage"], "timeouts") > 0
    without_undo = columns_of("reno_sack", *PATHS["an outage"], "tcp.undo=off")
    assert differences(of["an outage"], without_undo), "the time-out is found to be spurious"
    assert np.sum(of["ECN"]["links"]["packets_marked"]) > 10
    for path in ("a full queue", "several flows", "a short queue", "random losses", "an outage"):
        assert total(of[path], "fast_retransmits") > 0, path


def test_another_class_gives_something_else(tmp_path):
    (tmp_path / "my_tcp.py").write_text(class_text())
    mine = columns_of(f"{tmp_path}/my_tcp.py:MyControl")
    assert differences(mine, columns_of("reno_sack"))


def test_slices_and_probes_change_nothing():
    own = OWN["cubic"]
    probes = ["probes.cwnd=all", "probes.queue=100 ms"]
    whole, again = columns_of(own), columns_of(own)
    assert differences(whole, again) == []
    with code_allowed():
        run = _core.Run(plan_of(own), 1)
        for at_s in np.arange(0.7, 20, 0.7):
            run.advance(60, until_s=float(at_s))
        while run.advance(0.001) < 1:
            pass
    assert differences(run.columns(), whole) == []
    probed = columns_of(own, *probes)
    assert differences({"flows": probed["flows"]}, {"flows": whole["flows"]}) == []


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_workers_change_nothing(tmp_path, executor):
    sets = [f'sweep.factors."tcp.flavor"=["reno_sack", "{OWN["reno_sack"]}"]', "duration=5 s"]
    rows = []
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        with code_allowed():
            ackclock.run(SCENARIO, folder, sets=sets, replications=2, jobs=jobs, executor=executor)
        rows.append([run.row for run in Campaign.open(folder).runs])
    assert rows[0] == rows[1]
    assert rows[0][:2] == rows[0][2:], "by the class, and by the built-in control"


def test_random_numbers_depend_on_the_seed(tmp_path):
    body = "self.cwnd += sample.acked if flow_random(self) < 0.5 else 0"
    text = class_text(__init__="self.flow = flow", on_ack=body)
    text += "def flow_random(its):\n    return its.flow.random.random()\n"
    (tmp_path / "dice.py").write_text(text)
    own = f"{tmp_path}/dice.py:MyControl"
    assert differences(columns_of(own, seed=5), columns_of(own, seed=5)) == []
    fixed = "workload.start_spread=0 s"
    assert differences(columns_of(own, fixed, seed=5), columns_of(own, fixed, seed=6))


class Fixed:
    """A window that nothing changes."""

    reduction = "own"
    pacing_rate = None

    def __init__(self, flow):
        self.cwnd = 20 * flow.mss

    def on_ack(self, sample):
        pass

    def on_congestion(self, cause):
        pass


def test_a_class_may_decide_about_recoveries_itself():
    losses = PATHS["random losses"]
    made = controlled_run(Fixed, "probes.cwnd=all", *losses)
    assert total(made, "fast_retransmits") > 5
    assert set(made["cwnd"]["cwnd_bytes"][1:]) == {20 * 1448}


def test_a_pacing_rate_limits_the_sender():
    class Paced(Fixed):
        pacing_rate = 4_000_000

    made = controlled_run(Paced, "topology.bottleneck.rate=100 Mbit/s")
    goodput = 8 * total(made, "delivered_bytes") / 19.8
    assert 3.7e6 < goodput < 4e6


def test_samples_say_what_happened():
    kept = []

    class Keeps(Fixed):
        def __init__(self, flow):
            super().__init__(flow)
            kept.append(flow)

        def on_ack(self, sample):
            kept.append(sample)

        def on_congestion(self, cause):
            kept.append(cause)

    controlled_run(Keeps, *PATHS["random losses"], "duration=3 s")
    flow, *seen = kept
    samples = [each for each in seen if not isinstance(each, str)]
    assert (flow.number, flow.mss, flow.initial_window) == (0, 1448, 14480)
    assert {each for each in seen if isinstance(each, str)} >= {"loss"}
    times = [each.now for each in samples]
    assert times == sorted(times), "a sample that is kept stays as it is"
    assert 0 < times[0] < times[-1] <= 3
    assert all(0.03 < time < 0.1 for each in samples for time in (each.min_rtt, each.srtt))
    assert {each.phase for each in samples} >= {"open", "entered", "recovery", "exit"}
    assert sum(each.delivered for each in samples) == samples[-1].total_delivered
    assert sum(each.lost for each in samples) == samples[-1].total_lost > 0
    rates = [each.delivery_rate for each in samples if each.delivery_rate is not None]
    assert all(0 < rate <= 20e6 for rate in rates)
    assert samples[-1].round > 30
    assert max(each.in_flight for each in samples) <= 20 * 1448


def test_the_text_is_part_of_the_identity(tmp_path):
    (tmp_path / "lab.toml").write_text(SCENARIO)
    text = class_text()

    def made(text):
        (tmp_path / "my_tcp.py").write_text(text)
        sets = ["tcp.flavor=my_tcp.py:MyControl", "duration=2 s"]
        with code_allowed():
            ackclock.run(tmp_path / "lab.toml", tmp_path / "results", sets=sets)
        return len((tmp_path / "results/journal.jsonl").read_text().splitlines()) - 1

    assert made(text) == made(text) == 1
    assert made(text + "# another text\n") == 2


def test_a_results_folder_keeps_the_text(tmp_path):
    (tmp_path / "lab.toml").write_text(
        SCENARIO.replace("[tcp]", '[tcp]\nflavor = "my.py:MyControl"')
    )
    (tmp_path / "my.py").write_text(class_text())
    with code_allowed():
        first = ackclock.run(tmp_path / "lab.toml", tmp_path / "results", sets=["duration=2 s"])
        (tmp_path / "my.py").unlink()
        kept = tmp_path / "results/scenario.toml"
        again = ackclock.run(kept, tmp_path / "results", sets=["duration=2 s"])
    assert first.metrics.equals(again.metrics)
    assert "class MyControl" in kept.read_text()


def test_one_plan_has_one_text():
    (one, *others) = json.loads(plan_of(OWN["reno_sack"]))["tcps"]
    assert not others
    assert one["flavor"]["python"]["text"] == (CLASSES / "reno.py").read_text()


def test_the_page_shows_the_class_that_the_tests_run():
    page = (ROOT / "docs/howto/write-a-tcp-in-python.md").read_text(encoding="utf-8")
    assert f"```python reno.py\n{(CLASSES / 'reno.py').read_text()}```" in page
