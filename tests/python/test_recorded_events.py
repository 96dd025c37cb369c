"""RTTs, states and packets that a run records one by one, in a part of its time."""

import numpy as np
import pytest

from ackclock import _core
from ackclock.errors import InputError, InputWarning
from ackclock.scenario import load
from ackclock.scenario.plan import canonical_json
from atm_texts import ATM_CLIENTS, ATM_NETWORK
from recorded_runs import check_told, made, scenario

SCENARIO = scenario(
    'duration = "6 s"',
    """
queue = "100 ms"
queue_links = ["r1 -> r2"]
rtt = ["bulk 1"]
states = "all"
segments = ["bulk 1"]
packets = true
from = "1 s"
until = "4 s"
""",
)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return made(SCENARIO, tmp_path_factory.mktemp("events"), 1)


def test_rtts_and_states_of_a_flow(results):
    rtts = results.rtt("bulk 1")
    assert list(rtts) == ["connection", "time_s", "rtt_s", "srtt_s", "rto_s"]
    assert rtts["time_s"].between(1, 4).all()
    assert rtts["rtt_s"].min() >= 0.04
    assert (rtts["rto_s"] > rtts["srtt_s"]).all()
    states = results.states("bulk 2")
    assert list(states) == ["connection", "time_s", "state", "timeouts", "fast_retransmits"]
    assert {"recovery", "congestion avoidance"} <= set(states["state"])
    begun = states["fast_retransmits"].diff().fillna(0) > 0
    assert (states.loc[begun, "state"] == "recovery").all()
    with pytest.raises(InputError, match="no RTT of 'bulk 2' was recorded"):
        results.rtt("bulk 2")
    with pytest.raises(InputError, match="no state of 'call' was recorded"):
        results.states("call")


def test_segments_say_why_they_were_sent_again(results):
    rows = results.segments("bulk 1")
    again = rows[rows["sent_again"]]
    assert {"fast retransmit", "hole below SACKed data"} <= set(again["reason"])
    first = rows[(rows["kind"] == "data") & ~rows["sent_again"]]
    assert set(first["reason"].dropna()) <= {"limited transmit", "tail loss probe"}


def test_packets_of_the_bottleneck_and_their_fates(results):
    rows = results.packets()
    assert rows.equals(results.packets("r1 -> r2"))
    assert set(rows["flow"]) == {"bulk 1", "bulk 2", "call"}
    assert set(rows["kind"]) == {"data", "datagram"}
    assert rows["offered_s"].between(1, 4).all()
    assert rows["offered_s"].is_monotonic_increasing
    assert set(rows["lost"].dropna()) == {"queue full"}
    carried = rows[rows["lost"].isna()]
    assert np.allclose(carried["arrived_s"] - carried["left_s"], 0.02)
    assert carried["dropped_s"].isna().all()
    lost = rows[rows["lost"].notna()]
    assert lost[["left_s", "arrived_s"]].isna().all(axis=None)
    assert lost["dropped_s"].equals(lost["offered_s"])
    # Full segments follow each other at 1.2 ms.
    gaps = carried["left_s"].diff()[carried["bytes"] == 1500]
    assert gaps.min() == pytest.approx(0.0012)
    with pytest.raises(InputError, match="no packet was recorded there"):
        results.packets("r2 -> r1")


def test_a_packet_that_a_discipline_drops_has_waited_until_then(tmp_path):
    codel = SCENARIO.replace('limit = "30 packets"', 'kind = "codel", limit = "30 packets"')
    rows = made(codel, tmp_path, 1).packets()
    lost = rows[rows["lost"] == "early drop"]
    assert len(lost) > 5
    assert lost["left_s"].isna().all()
    # CoDel drops the first packet of the queue, once packets have waited for more than 5 ms.
    assert (lost["dropped_s"] - lost["offered_s"] > 0.005).all()
    left = rows["left_s"].dropna()
    assert lost["dropped_s"].isin(left).all(), "it is dropped when the one before has left"


def test_only_the_queues_that_are_named_are_recorded(results):
    assert len(results.queue()) == 60
    with pytest.raises(InputError, match="'r2 -> r1' was not recorded; name it in queue_links"):
        results.queue("r2 -> r1")


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ('probes.rtt=["bulk 3"]', "there is no such flow; did you mean"),
        ('probes.states=["call"]', "is a UDP flow, which has no states; remove it"),
        ("probes.until=7 s", '"1 s" to "7 s" is not within a run of "6 s"'),
        ("probes.from=4 s", '"4 s" to "4 s" is not within a run'),
        ('probes.packets=["r1 - r2"]', 'there is no such link; did you mean "r1 -> r2"?'),
        ("probes.packets=[]", "write false, true for the bottleneck"),
        ('probes.queue_links=["r3 -> r1"]', "there is no such link"),
        ("probes.queue_links=false", "write true for all links, or names of links"),
    ],
)
def test_what_cannot_be_recorded_is_told(setting, told):
    check_told(SCENARIO, setting, told)


@pytest.mark.parametrize(("key", "now"), [("segments_from", "from"), ("segments_until", "until")])
def test_the_earlier_keys_mean_the_same(key, now):
    older = SCENARIO.replace(f"\n{now} = ", f"\n{key} = ")
    with pytest.warns(InputWarning, match=f"probes.{key} is now probes.{now}; write {now} = "):
        plan = load(older).points()[0].compile().plan
    assert plan == load(SCENARIO).points()[0].compile().plan


@pytest.mark.parametrize("text", [ATM_CLIENTS, ATM_NETWORK])
def test_cells_are_no_packets(text):
    with pytest.raises(InputError, match="carry cells; write false"):
        load(text, ["probes.packets=true"]).points()[0].compile()


def test_of_an_atm_network_queues_are_at_switches():
    compiled = load(ATM_NETWORK).points()[0].compile()
    names, lines = compiled.facts.link_names, compiled.plan["links"][0]["lines"]
    at_switch = [line["port"] is not None for line in lines]
    host, switch = (names[at_switch.index(at)] for at in (False, True))
    with pytest.raises(InputError, match="begins at a host and not at a switch port"):
        load(ATM_NETWORK, [f'probes.queue_links=["{host}"]']).points()[0].compile()
    sets = ["probes.queue=10 ms", f'probes.queue_links=["{switch}"]']
    plan = load(ATM_NETWORK, sets).points()[0].compile().plan
    assert plan["probes"]["queue_of"] == [names.index(switch)]


def test_tables_between_slices_are_the_beginning_of_those_at_the_end():
    run = _core.Run(canonical_json(load(SCENARIO).points()[0].compile().plan), 1)
    run.advance(60, until_s=2.05)
    early = run.recorded()
    assert run.advance(60) == 1
    late, whole = run.recorded(), run.columns()
    may_change = {"segments": {"lost"}, "packets": {"left_s", "arrived_s", "marked", "lost"}}
    for name in ("rtt", "states", "segments", "packets", "queue"):
        assert len(early[name]["time_s" if name != "packets" else "offered_s"]) > 0
        for column, values in early[name].items():
            if column not in may_change.get(name, ()):
                end = whole[name][column][: len(values)]
                np.testing.assert_array_equal(values, end)
                np.testing.assert_array_equal(late[name][column], whole[name][column])
    assert len(early["queue"]["time_s"]) == 20
    assert early["cwnd"] == {} == whole["cwnd"]
    with pytest.raises(ValueError, match="the run is over"):
        run.recorded()
