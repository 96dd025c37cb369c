"""Queues: each kind and its keys."""

from hypothesis import given
from hypothesis import strategies as st

from ackclock import _core
from ackclock.scenario import load
from ackclock.scenario.compile.network import NEVER_FULL
from ackclock.scenario.plan import canonical_json
from ackclock.scenario.summary import link_rows
from plan_checker import check_plan
from scenario_calls import refused
from scenario_texts import DUMBBELL, GRAPH

QUEUE = "topology.bottleneck.queue"
OWN = 'min_thresh = "5 packets", max_thresh = "15 packets", weight = 0.002, mean_packet = "500 B"'
RED = DUMBBELL.replace(
    '20 ms" }', f'20 ms", queue = {{ kind = "red", limit = "25 packets", {OWN} }} }}'
)
PLAN = {
    "name": "red",
    "limit_packets": 25,
    "limit_bytes": None,
    "min_thresh_ppm": 5_000_000,
    "max_thresh_ppm": 15_000_000,
    "max_p_ppb": 100_000_000,
    "weight_ppb": 2_000_000,
    "gentle": True,
    "adaptive": True,
    "ecn": False,
    "mean_packet_bytes": 500,
}


def queues(text, *sets):
    (point,) = load(text, sets).points()
    plan = point.compile().plan
    check_plan(plan)
    return [link["queue"] for link in plan["links"]]


def test_the_plan_of_red():
    forward, reverse, *access = queues(RED)
    assert forward == reverse == PLAN
    assert {queue["limit_packets"] for queue in access} == {NEVER_FULL}


def test_every_key_of_red_comes_into_the_plan():
    changed = {
        "min_thresh=4.5 packets": ("min_thresh_ppm", 4_500_000),
        "max_thresh=1 packet": ("max_thresh_ppm", 1_000_000),
        "max_p=2 %": ("max_p_ppb", 20_000_000),
        "weight=0.000000001": ("weight_ppb", 1),
        "gentle=false": ("gentle", False),
        "adaptive=false": ("adaptive", False),
        "ecn=true": ("ecn", True),
        "mean_packet=1 kB": ("mean_packet_bytes", 1000),
    }
    assert len({name for name, _ in changed.values()}) == len(PLAN) - 3
    for written, (name, value) in changed.items():
        sets = [f"{QUEUE}.{written}"]
        if name == "max_thresh_ppm":
            sets.append(f"{QUEUE}.min_thresh=0.5 packets")
        assert queues(RED, *sets)[0][name] == value


def test_thresholds_may_be_reckoned():
    low, high = f"= {QUEUE}.limit / 3", f"= 3 * {QUEUE}.min_thresh"
    plan = queues(RED, f"{QUEUE}.min_thresh={low}", f"{QUEUE}.max_thresh={high}")[0]
    assert (plan["min_thresh_ppm"], plan["max_thresh_ppm"]) == (8_333_333, 25_000_000)


def test_a_key_of_another_kind_is_refused_with_the_kind_that_has_it():
    assert refused(DUMBBELL, f"{QUEUE}.adaptive=false") == [
        f'--set {QUEUE}.adaptive=false: unknown key; it is a key of kind = "red": '
        "write that kind, or remove adaptive"
    ]
    text = DUMBBELL.replace('20 ms" }', '20 ms", queue = { max_p = 0.1 } }')
    (message,) = refused(text)
    assert message.endswith(
        f'{QUEUE}.max_p = 0.1: unknown key; it is a key of kind = "red": write that kind, '
        "or remove max_p"
    )


def test_a_queue_without_a_kind_is_drop_tail():
    text = DUMBBELL.replace('20 ms" }', '20 ms", queue = { limit = "7 packets" } }')
    assert queues(text)[0] == {"name": "drop_tail", "limit_packets": 7, "limit_bytes": None}


def test_the_kind_of_a_queue_can_be_swept_alone_or_with_its_keys():
    kinds = 'sweep.factors={ "topology.bottleneck.queue.kind" = ["drop_tail", "red"] }'
    plans = [point.compile().plan for point in load(DUMBBELL, [kinds]).points()]
    assert [plan["links"][0]["queue"]["name"] for plan in plans] == ["drop_tail", "red"]
    table = f'{{ kind = "red", limit = "25 packets", {OWN} }}'
    tables = f'{{ plain = {{ "{QUEUE}.kind" = "drop_tail" }}, red = {{ "{QUEUE}" = {table} }} }}'
    scenario = load(DUMBBELL, [f"sweep.factors={{ queue = {tables} }}"])
    assert [point.compile().plan["links"][0]["queue"] for point in scenario.points()][1] == PLAN


def test_limits_of_red_are_those_of_drop_tail():
    for limit in ("0.5 rtt", "2 rtt", "64 kB", "50 packets"):
        drop_tail = queues(DUMBBELL, f"{QUEUE}.limit={limit}")[0]
        red = queues(DUMBBELL, f"{QUEUE}.kind=red", f"{QUEUE}.limit={limit}")[0]
        for name in ("limit_packets", "limit_bytes"):
            assert red[name] == drop_tail[name]


def test_every_queue_may_be_red():
    text = RED.replace('"20 ms"', '"20 ms", reverse_queue = { limit = "9 packets" }')
    text += '[topology.access]\nqueue = { kind = "red", max_thresh = "8.25 packets" }\n'
    forward, reverse, *others = queues(text)
    assert (forward["name"], reverse["name"]) == ("red", "drop_tail")
    assert {queue["max_thresh_ppm"] for queue in others} == {8_250_000}
    graph = queues(GRAPH.replace('limit = "2 rtt"', 'limit = "2 rtt", kind = "red"'))
    assert [queue["name"] == "red" for queue in graph] == [False, False, True, True, False, False]


def test_thresholds_that_cross():
    assert refused(RED, f"{QUEUE}.max_thresh=4 packets") == [
        'scenario: topology.bottleneck.queue.min_thresh = "5 packets": "5 packets" is '
        'not below max_thresh = "4 packets"; write less, or raise max_thresh'
    ]
    assert refused(RED, f"{QUEUE}.min_thresh=15 packets") == [
        f'--set {QUEUE}.min_thresh=15 packets: "15 packets" is not below max_thresh = '
        '"15 packets"; write less, or raise max_thresh'
    ]


def test_a_threshold_that_the_limit_keeps_out_of_reach():
    assert refused(RED, f"{QUEUE}.limit=10 packets") == [
        'scenario: topology.bottleneck.queue.max_thresh = "15 packets": "15 packets" is '
        'above the limit, which holds 10 packets; write "10 packets" or less, or raise the limit'
    ]
    assert queues(RED, f"{QUEUE}.limit=15 packets")
    # 7.4 kB are 14.8 packets of 500 B.
    (message,) = refused(RED, f"{QUEUE}.limit=7400 B")
    assert "which holds 14 packets" in message
    assert queues(RED, f"{QUEUE}.limit=7500 B")


def test_a_queue_that_nothing_crosses_is_no_problem():
    text = RED + '[topology.access]\nqueue = { kind = "red" }\n'
    shared = ["topology.hosts=2", "topology.access.delay=20 ms"]
    unused = [queue["limit_bytes"] for queue in queues(text, *shared)[4:6]]
    assert max(unused) < 500


def test_a_threshold_without_a_unit():
    assert refused(RED, f"{QUEUE}.min_thresh=4") == [
        f'--set {QUEUE}.min_thresh=4: 4 has no unit; write it like "4 packets", or "auto"'
    ]
    (message,) = refused(RED, f"{QUEUE}.max_thresh=64 kB")
    assert message.endswith(
        'expected a number of packets, but "kB" is a unit of size;'
        ' write it like "5 packets", or "auto"'
    )
    (message,) = refused(RED, f"{QUEUE}.min_thresh=0 packets")
    assert message.endswith('must be above 0; write it like "5 packets", or "auto"')


@given(
    low=st.decimals("0.000001", 200, places=6),
    high=st.decimals("0.000001", 200, places=6),
    # In bytes they are counted in packets of 500 B; 1 rtt are 50 kB, and 0.1 rtt the four full
    # packets of 1500 B that a queue in rtt holds at least.
    limit=st.sampled_from([("30 packets", 30), ("64 kB", 128), ("1 rtt", 100), ("0.1 rtt", 12)]),
)
def test_any_thresholds_compile_or_are_refused(low, high, limit):
    written, held = limit
    sets = [f"{QUEUE}.min_thresh={low:f} packets", f"{QUEUE}.max_thresh={high:f} packets"]
    sets.append(f"{QUEUE}.limit={written}")
    problems = (low >= high) + (high > held)
    if problems:
        # The queue of the other direction is the same; each thing is told once.
        assert len(refused(RED, *sets)) == problems
        return
    plan = queues(RED, *sets)[0]
    assert plan["min_thresh_ppm"] == low * 10**6
    assert plan["max_thresh_ppm"] == high * 10**6


def test_explain_tells_what_red_is_told():
    def words(*sets):
        scenario = load(RED, sets).points()[0].scenario
        return link_rows(scenario)[0].queue

    assert words() == (
        "25 packets = 30 ms = 0.75 rtt;"
        " red from 5 to 15 packets, max_p 0.1, weight 0.002, gentle, adaptive"
    )
    assert words(f"{QUEUE}.gentle=false", f"{QUEUE}.adaptive=false", f"{QUEUE}.ecn=true") == (
        "25 packets = 30 ms = 0.75 rtt; red from 5 to 15 packets, max_p 0.1, weight 0.002, ecn"
    )
    assert words(f'{QUEUE}={{ limit = "25 packets" }}') == "25 packets = 30 ms = 0.75 rtt"


CODEL = DUMBBELL.replace('20 ms" }', '20 ms", queue = { kind = "codel", limit = "1000 packets" } }')


def test_the_plan_and_the_words_of_codel():
    assert queues(CODEL, f"{QUEUE}.ecn=true", f"{QUEUE}.target=2 ms")[0] == {
        "name": "codel",
        "limit_packets": 1000,
        "limit_bytes": None,
        "target_ps": 2_000_000_000,
        "interval_ps": 100_000_000_000,
        "ecn": True,
        "ce_threshold_ps": None,
        "control_law": "exact",
    }
    row = link_rows(load(CODEL, [f"{QUEUE}.ecn=true"]).points()[0].scenario)[0]
    assert row.queue.endswith("; codel target 5 ms, interval 100 ms, ecn, control_law exact")


def test_codel_keeps_the_queue_short():
    mean = {}
    for kind in ("drop_tail", "codel"):
        sets = [f"{QUEUE}.kind={kind}", "topology.pairs=4", "duration=30 s"]
        (point,) = load(CODEL, sets).points()
        links = _core.run(canonical_json(point.compile().plan), 1)["links"]
        mean[kind] = links["mean_queue_packets"][0]
        assert (links["packets_dropped_early"][0] > 0) == (kind == "codel")
    assert mean["codel"] < mean["drop_tail"] / 10
