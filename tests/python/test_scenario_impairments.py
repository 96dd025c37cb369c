"""Impairments: which packets they concern, and those that only some flows meet."""

import pytest

from ackclock.scenario import load
from ackclock.scenario.summary import apart_rows, impairment_text, link_rows
from scenario_calls import compiled, refused, written
from scenario_texts import ATM, DUMBBELL, GRAPH, PARKING_LOT

MS = 10**9
EVENTS = '{ kind = "loss_events", rate = "0.05 %", losses = 5, of = "data" }'
TWO = '{ kind = "two_parameter", p = 0.001, q = "10 %", span = "75 ms" }'
BERNOULLI = '{ kind = "bernoulli", loss = 0.01 }'
EVENTS_PLAN = {"kind": "loss_events", "rate_ppb": 500_000, "losses": 5, "of": "data"}
TWO_PLAN = {
    "kind": "two_parameter",
    "event_ppb": 1_000_000,
    "loss_ppb": 100_000_000,
    "span_ps": 75 * MS,
    "of": "all",
}


def on_the_bottleneck(*impairments):
    return DUMBBELL.replace('"20 ms" }', f'"20 ms", impairments = [{", ".join(impairments)}] }}')


GROUPS = f"""
[[flows]]
name = "plain"
count = 2
[[flows]]
name = "lossy"
count = 2
impairments = [{EVENTS}]
reverse_impairments = [{TWO}]
"""


def impaired(made):
    """The links that do something to packets, by name."""
    links = zip(made.facts.link_names, made.plan["links"], strict=True)
    return {name: link["impairments"] for name, link in links if link["impairments"]}


def test_the_plans_of_loss_events_and_of_two_parameters():
    made = compiled(on_the_bottleneck(EVENTS, TWO))
    assert impaired(made) == {"r1 -> r2": [EVENTS_PLAN, TWO_PLAN]}


@pytest.mark.parametrize("of", ["all", "data", "new_data", "acks"])
@pytest.mark.parametrize(
    "impairment",
    [
        BERNOULLI,
        EVENTS,
        TWO,
        '{ kind = "gilbert_elliott", good_to_bad = 0.01, bad_to_good = 0.1 }',
    ],
)
def test_any_loss_may_be_of_some_packets_only(impairment, of):
    text = on_the_bottleneck(impairment)
    key = "topology.bottleneck.impairments[0].of"
    assert compiled(text, f"{key}={of}").plan["links"][0]["impairments"][0]["of"] == of
    (told,) = refused(text, f"{key}=acknowledgements")
    assert told.startswith(f"--set {key}=acknowledgements: choose from ")
    assert '"all", "data", "new_data", "acks"' in told


def test_without_a_word_it_is_of_all_packets():
    made = compiled(on_the_bottleneck(BERNOULLI, EVENTS.replace(', of = "data"', "")))
    assert [each["of"] for each in made.plan["links"][0]["impairments"]] == ["all", "all"]


@pytest.mark.parametrize("kind", ["scripted", "jitter", "duplicate", "mark"])
def test_other_kinds_have_no_such_key(kind):
    others = {
        "scripted": "lost = [1]",
        "jitter": 'spread = "1 ms"',
        "duplicate": "probability = 0.1",
        "mark": "probability = 0.1",
    }
    (told,) = refused(on_the_bottleneck(f'{{ kind = "{kind}", {others[kind]}, of = "data" }}'))
    assert 'impairments[0].of = "data": unknown key' in told


def test_impairments_of_a_group_are_on_the_links_of_its_receivers():
    made = compiled(DUMBBELL + GROUPS)
    assert impaired(made) == {
        "client 3 -> r2": [TWO_PLAN],
        "r2 -> client 3": [EVENTS_PLAN],
        "client 4 -> r2": [TWO_PLAN],
        "r2 -> client 4": [EVENTS_PLAN],
    }
    receivers = [flow["receiver"] for flow in made.plan["flows"]]
    ends = {link["to"] for link in made.plan["links"] if link["impairments"] == [EVENTS_PLAN]}
    assert ends == set(receivers[2:])


def test_data_that_goes_the_other_way_is_received_by_the_servers():
    made = compiled(DUMBBELL + GROUPS, "flows[1].reverse=true")
    assert impaired(made) == {
        "server 3 -> r1": [TWO_PLAN],
        "r1 -> server 3": [EVENTS_PLAN],
        "server 4 -> r1": [TWO_PLAN],
        "r1 -> server 4": [EVENTS_PLAN],
    }


def test_a_parking_lot_has_them_where_a_flow_leaves_it():
    text = PARKING_LOT + f"[[flows]]\npath = 2\nimpairments = [{EVENTS}]\n"
    assert impaired(compiled(text)) == {"r3 -> client 1": [EVENTS_PLAN]}


def test_they_are_beside_those_of_the_bottleneck():
    made = compiled(on_the_bottleneck(BERNOULLI) + GROUPS)
    assert set(impaired(made)) == {
        "r1 -> r2",
        "client 3 -> r2",
        "r2 -> client 3",
        "client 4 -> r2",
        "r2 -> client 4",
    }


def test_clients_of_one_server_have_links_of_their_own():
    made = compiled(DUMBBELL + GROUPS, "topology.clients_per_server=2")
    assert set(impaired(made)) == {
        "client 3 -> r2",
        "r2 -> client 3",
        "client 4 -> r2",
        "r2 -> client 4",
    }


def test_where_receivers_share_links_a_group_cannot_have_its_own():
    assert refused(DUMBBELL + GROUPS, "topology.hosts=2") == [
        f"scenario: flows[1].{key}: the flows of all groups share topology.hosts; "
        "remove one of the two"
        for key in ("impairments", "reverse_impairments")
    ]
    sets = ("topology.clients_per_server=2", "flows[1].reverse=true")
    assert refused(DUMBBELL + GROUPS, *sets) == [
        f"scenario: flows[1].{key}: each receiver would have a link of its own, but "
        "topology.clients_per_server = 2 lets flows share those of the servers; "
        "remove one of the two"
        for key in ("impairments", "reverse_impairments")
    ]


@pytest.mark.parametrize("text", [ATM.replace("pairs = 3\n", ""), GRAPH])
def test_no_other_topology_has_links_of_a_group(text):
    ends = 'from = "a"\nto = "b"\n' if text == GRAPH else ""
    (told,) = refused(f'{text}\n[[flows]]\nname = "x"\n{ends}impairments = [{BERNOULLI}]\n')
    assert told.endswith('only with "dumbbell" or "parking_lot"; remove it')


def test_an_empty_list_is_none():
    made = compiled(DUMBBELL + "[[flows]]\nimpairments = []\n", "topology.hosts=1")
    assert impaired(made) == {}


def test_they_can_be_swept_and_reckoned_with():
    key = "flows[1].impairments[0]"
    points = load(DUMBBELL + GROUPS, [f'sweep.factors."{key}.losses"=[1, 20]']).points()
    assert [list(point.levels.values()) for point in points] == [[1], [20]]
    lost = [impaired(written(point.compile()))["r2 -> client 3"][0]["losses"] for point in points]
    assert lost == [1, 20]
    made = compiled(DUMBBELL + GROUPS, f"flows[1].reverse_impairments[0].p== {key}.rate / 5")
    assert impaired(made)["client 3 -> r2"][0]["event_ppb"] == 100_000


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("impairments[0].rate=120 %", 'expected a share from 0 to 1, for example "1 %"'),
        ("impairments[0].losses=0", "must be from 1 to 1000000, for example 5"),
        ("impairments[0].losses=1.5", "expected a whole number, for example 5"),
        ("reverse_impairments[0].p=-1", 'expected a share from 0 to 1, for example "1 %"'),
        ("reverse_impairments[0].q=2", 'expected a share from 0 to 1, for example "1 %"'),
        ("reverse_impairments[0].span=0 s", 'must be above 0; write it like "100 ms"'),
    ],
)
def test_a_wrong_value(written, message):
    key = f"--set flows[1].{written}"
    assert refused(DUMBBELL + GROUPS, f"flows[1].{written}") == [f"{key}: {message}"]


def test_explain_tells_which_packets_and_which_flows():
    scenario = load(on_the_bottleneck(BERNOULLI, EVENTS) + GROUPS)
    texts = [impairment_text(each) for each in scenario.topology.bottleneck.impairments]
    assert texts == ["bernoulli loss 0.01", "loss_events rate 0.0005, losses 5, of data"]
    two = "two_parameter p 0.001, q 0.1, span 75 ms"
    assert apart_rows(scenario) == [("lossy 1 to 2", "", "", texts[1], two)]
    rows = {row.name: row.impairments for row in link_rows(scenario)}
    assert rows["r1 -> r2"] == "; ".join(texts)
    assert rows["client 3 -> r2 and 1 more"] == two
    assert rows["r2 -> client 3 and 1 more"] == texts[1]
    assert apart_rows(load(DUMBBELL)) == []
