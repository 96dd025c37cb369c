"""What a scenario compiles to: the plan and the facts."""

import math

import pytest

from ackclock import _core
from ackclock.scenario import load
from ackclock.scenario.compile.network import NEVER_FULL
from ackclock.scenario.plan import SCHEMA, canonical_json, plan_hash
from plan_checker import check_plan
from scenario_calls import FLOW, HISTORIC, NO_PROBES, OPTIONS, compiled, plan, refused, written
from scenario_texts import ALL, DUMBBELL, EVERYTHING

MS = 10**9
S = 10**12
NEVER = {"name": "drop_tail", "limit_packets": NEVER_FULL, "limit_bytes": None}


def of_link(name, result):
    return result.plan["links"][result.facts.link_names.index(name)]


@pytest.mark.parametrize("name", ALL)
def test_every_point_compiles_to_a_plan(name):
    points = load(ALL[name]).points()
    for point in points:
        check_plan(point.compile().plan)
    assert len({plan_hash(point.compile().plan) for point in points}) == len(points)


@pytest.mark.parametrize("name", ALL)
def test_the_core_reads_what_is_compiled(name):
    made = load(ALL[name], ["duration=50 ms", "warm_up=0 s", *_earlier(name)]).points()[0].compile()
    columns = _core.run(canonical_json(made.plan), 1)
    assert len(columns["flows"]["flow"]) == len(made.facts.flow_names)


def _earlier(name):
    starts = {
        "everything": "flows[0].workload.start",
        "atm_clients": "topology.background[2].start",
    }
    return [f"{starts[name]}=0 s"] if name in starts else []


def test_the_plan_of_a_dumbbell():
    access = {"kind": "packets", "cost": 1, "rate_bps": 10**9, "delay_ps": 0, "queue": NEVER}
    access |= {"delay_draw": None, "impairments": []}
    queue = {"name": "drop_tail", "limit_packets": None, "limit_bytes": 50_000}
    link = {**access, "rate_bps": 10**7, "delay_ps": 20 * MS, "queue": queue}
    assert plan(DUMBBELL, "tcp.flavor=newreno") == {
        "schema": SCHEMA,
        "duration_ps": 10 * S,
        "warm_up_ps": 0,
        "nodes": 4,
        "links": [
            {**link, "from": 2, "to": 3},
            {**link, "from": 3, "to": 2},
            {**access, "from": 0, "to": 3},
            {**access, "from": 3, "to": 0},
            {**access, "from": 1, "to": 2},
            {**access, "from": 2, "to": 1},
        ],
        "clock": {"tick_ps": MS, "phase": {"kind": "uniform", "spread_ps": MS}},
        "tcps": [
            {
                "flavor": "newreno",
                "options": OPTIONS,
                "smss_bytes": 1460,
                "initial_window_segments": 10,
                "initial_ssthresh_bytes": 2**62,
                "receive_buffer_bytes": 6 * 2**20,
                "receive_buffer_initial_bytes": 65_535,
                "window_scale": 7,
                "nagle": False,
                "sws_avoidance": True,
                "idle_restart": True,
                "restart_window_segments": None,
                "historic": HISTORIC,
            }
        ],
        "workloads": [{"kind": "bulk", "bytes": None, "start_ps": 0, "start_spread_ps": 0}],
        "flows": [{"sender": 1, "receiver": 0, **FLOW}],
        "probes": NO_PROBES,
        "queue_delays_of": [0],
        "delays_of_flows": [0],
    }


def test_the_facts_of_a_dumbbell():
    facts = compiled(DUMBBELL, "warm_up=2 s", "topology.pairs=2").facts
    assert facts.duration_s == 8
    assert facts.flow_names == ("flow 1", "flow 2")
    assert facts.flow_groups == ("flow", "flow")
    assert (facts.bottleneck_link, facts.reverse_link) == (0, 1)
    assert facts.link_names[:3] == ("r1 -> r2", "r2 -> r1", "client 1 -> r2")
    assert facts.payload_capacity_bit_s == pytest.approx(10**7 * 1460 / 1500)


def test_several_clients_share_a_server():
    made = compiled(DUMBBELL, "topology.pairs=2", "topology.clients_per_server=3")
    assert [flow["sender"] for flow in made.plan["flows"]] == [6, 6, 6, 7, 7, 7]
    assert [flow["receiver"] for flow in made.plan["flows"]] == [0, 1, 2, 3, 4, 5]
    assert made.plan["nodes"] == 6 + 2 + 2
    assert len(made.plan["links"]) == 2 + 2 * 8


def test_data_of_a_reversed_group_goes_the_other_way():
    text = DUMBBELL + '[[flows]]\nname = "down"\n[[flows]]\nname = "up"\nreverse = true\n'
    made = compiled(text)
    down, up = made.plan["flows"]
    assert (down["sender"], down["receiver"]) == (2, 0)
    assert (up["sender"], up["receiver"]) == (1, 3)
    assert made.facts.bottleneck_link == 0
    assert math.isnan(made.facts.payload_capacity_bit_s)
    only_up = compiled(DUMBBELL + '[[flows]]\nname = "up"\nreverse = true\n').facts
    assert (only_up.bottleneck_link, only_up.reverse_link) == (1, 0)
    assert only_up.payload_capacity_bit_s > 0


def test_a_group_has_its_own_tcp_workload_and_links():
    point = load(EVERYTHING).points()[0]
    made = written(point.compile())
    by_name = dict(zip(made.facts.flow_names, made.plan["flows"], strict=True))
    assert list(by_name) == ["a 1", "a 2", "a 3", "b"]
    tcps, workloads = made.plan["tcps"], made.plan["workloads"]
    assert tcps[by_name["a 1"]["sender_tcp"]]["flavor"] == "reno"
    assert by_name["a 1"]["sender_tcp"] == by_name["a 1"]["receiver_tcp"]
    sender, receiver = (tcps[by_name["b"][f"{side}_tcp"]] for side in ("sender", "receiver"))
    sender, receiver = sender["options"], receiver["options"]
    assert (sender["min_rto_ps"], sender["initial_rto_ps"]) == (400 * MS, 800 * MS)
    assert sender["delayed_ack_ps"] == 200 * MS
    assert receiver["delayed_ack_ps"] is None
    assert receiver["min_rto_ps"] == S
    assert workloads[by_name["a 1"]["workload"]] == {
        "kind": "bulk",
        "bytes": 10**7,
        "start_ps": 5 * S,
        "start_spread_ps": 0,
    }
    assert workloads[by_name["b"]["workload"]]["kind"] == "www_batches"
    assert workloads[by_name["b"]["workload"]]["gap_max_ps"] == S
    own = of_link("client 4 -> r2", made)
    assert own["delay_ps"] == 20 * MS
    # Two ways of 2 x 20 ms access and 10 ms bottleneck, halved, at 100 Mbit/s.
    assert own["queue"]["limit_bytes"] == 10**8 // 8 * 2 * 50 // 1000 // 2
    assert of_link("client 1 -> r2", made)["queue"] == NEVER
    assert made.plan["probes"] == {
        "queue_bin_ps": 10 * MS,
        "goodput_bin_ps": 100 * MS,
        "cwnd_of": [0, 3],
        "acr_bin_ps": None,
        "transport_bin_ps": None,
    }
    assert made.without_probes()["probes"]["cwnd_of"] == []
    assert made.plan["links"][0]["impairments"] == [
        {"kind": "bernoulli", "loss_ppb": 10_000_000, "of": "all"},
        {
            "kind": "gilbert_elliott",
            "good_to_bad_ppb": 1_000_000,
            "bad_to_good_ppb": 100_000_000,
            "loss_good_ppb": 0,
            "loss_bad_ppb": 10**9,
            "of": "all",
        },
        {"kind": "scripted", "lost": [14, 28]},
    ]
    assert made.plan["links"][1]["impairments"] == [
        {"kind": "jitter", "spread_ps": MS},
        {"kind": "duplicate", "ppb": 250_000_000},
        {"kind": "mark", "ppb": 20_000_000},
    ]
    assert made.plan["links"][1]["queue"]["limit_bytes"] == 64_000


def test_what_a_flavor_does_not_use_changes_no_plan():
    sets = ("tcp.deflation=full", "tcp.prr=true", "tcp.cubic_beta=0.5")
    sets += ("tcp.lost_retransmission_detection=true",)
    assert plan(DUMBBELL, "tcp.flavor=sack", *sets) == plan(DUMBBELL, "tcp.flavor=sack")

    def options(flavor):
        return plan(DUMBBELL, f"tcp.flavor={flavor}", *sets)["tcps"][0]["options"]

    assert options("newreno")["deflation"] == "full"
    for key in ("prr", "lost_retransmission_detection"):
        assert options("newreno")[key] is False
        assert options("sack_rfc6675")[key] is True
    assert options("cubic")["cubic_beta_ppm"] == 500_000


@pytest.mark.parametrize(
    ("buffer", "scale"),
    [("65535 B", 0), ("65536 B", 1), ("131070 B", 1), ("131071 B", 2), ("1073725440 B", 14)],
)
def test_the_smallest_window_scale_that_can_tell_the_buffer(buffer, scale):
    assert plan(DUMBBELL, f"tcp.receive_buffer={buffer}")["tcps"][0]["window_scale"] == scale


def test_a_larger_buffer_than_any_scale_can_tell_is_refused():
    assert refused(DUMBBELL, "tcp.receive_buffer=1073725441 B")
    assert refused(DUMBBELL, "tcp.receive_buffer=735429 segments")
    assert plan(DUMBBELL, "tcp.receive_buffer=735428 segments")["tcps"][0]["window_scale"] == 14


def test_a_buffer_of_so_many_segments_goes_with_their_size():
    sets = ["tcp.receive_buffer=11 segments", "tcp.smss=1000 B"]
    group = '[[flows]]\nname = "a"\ntcp = { smss = "500 B" }\n'
    assert plan(DUMBBELL, *sets)["tcps"][0]["receive_buffer_bytes"] == 11_000
    assert plan(DUMBBELL + group, *sets)["tcps"][0]["receive_buffer_bytes"] == 5500
    one, columns = load(DUMBBELL, [*sets[1:], "tcp.receive_buffer=1 segment"]), "sweep.factors.tcp"
    assert one.points()[0].compile().plan["tcps"][0]["receive_buffer_bytes"] == 1000
    swept = load(DUMBBELL, [f'{columns}.receive_buffer=["4 segments", "11 segments"]'])
    assert [point.levels for point in swept.points()] == [
        {"tcp_receive_buffer_segments": 4},
        {"tcp_receive_buffer_segments": 11},
    ]


def test_phases_of_the_clock():
    phase = [
        plan(DUMBBELL, f"clock.phase={text}")["clock"]["phase"]
        for text in ("common", "open", "uniform 3 us")
    ]
    assert phase == [
        {"kind": "uniform", "spread_ps": 0},
        {"kind": "open"},
        {"kind": "uniform", "spread_ps": 3 * 10**6},
    ]


def test_a_queue_in_round_trip_times_counts_the_longest():
    text = DUMBBELL + (
        '[[flows]]\nname = "near"\n[[flows]]\nname = "far"\naccess = { delay = "15 ms" }\n'
    )
    # 2 x (20 + 15 + 15) ms at 10 Mbit/s
    assert plan(text)["links"][0]["queue"]["limit_bytes"] == 125_000
    half = plan(text, "topology.bottleneck.queue.limit=0.5 rtt")
    assert half["links"][0]["queue"]["limit_bytes"] == 62_500


def test_titles_figures_and_the_size_of_the_sweep_change_no_plan():
    points = load(EVERYTHING).points()
    hashes = {str(point): plan_hash(point.compile().plan) for point in points}
    changed = EVERYTHING.replace("Two TCPs share", "Other words for")
    changed = changed.replace('name = "goodput"', 'name = "other"')
    changed = changed.replace("k = [0.25, 0.5]", "k = [0.125, 0.25, 0.5]")
    changed = changed.replace("replications = 10", "replications = 3").replace(
        "seed = 7", "seed = 8"
    )
    more = {str(point): plan_hash(point.compile().plan) for point in load(changed).points()}
    assert len(more) == len(hashes) * 3 // 2
    assert hashes.items() <= more.items()


def test_a_compiled_point_is_the_same_each_time():
    point = load(EVERYTHING).points()[5]
    assert canonical_json(point.compile().plan) == canonical_json(point.compile().plan)


def test_how_senders_stand_is_recorded_in_bins():
    made = compiled(DUMBBELL, "probes.transport=20 ms")
    assert made.plan["probes"]["transport_bin_ps"] == 20 * MS
    assert made.without_probes()["probes"]["transport_bin_ps"] is None
