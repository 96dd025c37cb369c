"""What may be set in the study, what is refused and with which words; the choice of levels."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ackclock.errors import InputError
from ackclock.scenario.plan import plan_hash
from ackclock.studies.machinery.levels import choose
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.settings import main_scenario
from ackclock.studies.ubr_web.levels import BUFFERS_RTT, LINKS
from ackclock.studies.ubr_web.study import STUDY


def scenario(*sets):
    return main_scenario(Request(STUDY, sets))


FILE = STUDY.main_part.file
DEFAULTS = {each.key: each for each in FILE.settings(scenario())}
FIXED = [key for key, each in DEFAULTS.items() if each.value.startswith("set by ")]
KEYS = [key for key in DEFAULTS if key not in FIXED]


def values(*sets):
    return {each.key: each.value for each in FILE.settings(scenario(*sets))}


def hashes(*sets):
    return [plan_hash(point.compile().plan) for point in scenario(*sets).points()]


def problems(*sets):
    with pytest.raises(InputError) as refused:
        scenario(*sets)
    return refused.value.messages


def test_a_pair_changes_one_setting():
    changed = values("tcp.min_rto=400 ms")
    assert changed.pop("tcp.min_rto") == "400 ms"
    assert changed == {key: DEFAULTS[key].value for key in DEFAULTS if key != "tcp.min_rto"}


@pytest.mark.parametrize(
    ("pair", "read"),
    [
        ("topology.port.r=0.75", lambda its: its.topology.port.r == 0.75),
        ("topology.port.z=50 %", lambda its: its.topology.port.z == 0.5),
        ("topology.pairs=7", lambda its: its.topology.pairs == 7),
        (
            "variables.wan_buffers=[100, 200, 300]",
            lambda its: its.topology.port.buffer.number == 100,
        ),
        ("clock.phase=uniform 1 ms", lambda its: its.clock.phase.spread_ps == 10**9),
        ("clock.phase=open", lambda its: its.clock.phase.kind == "open"),
        ("tcp.delayed_ack=200 ms", lambda its: its.tcp.delayed_ack == 200 * 10**9),
        ("tcp.nagle=true", lambda its: its.tcp.nagle is True),
    ],
)
def test_what_a_value_means(pair, read):
    (first, *_) = scenario(pair).points()
    assert read(first.scenario)


def test_what_the_levels_set_is_told_as_such():
    assert {key: DEFAULTS[key].value for key in FIXED} == {
        "variables.buffers": "set by link",
        "variables.buffer_rtt": "set by buffer_rtt",
        "topology.trunk.delay": "set by link",
        "topology.port.policy": "set by drop_policy",
        "tcp.flavor": "set by tcp_flavor",
        "tcp.smss": "set by link",
        "tcp.receive_buffer": "set by link",
    }


def test_what_an_option_decides_is_not_listed():
    assert not {"seed", "replications"} & set(DEFAULTS)


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("tcp.minrto=1 s", "unknown key; did you mean tcp.min_rto?"),
        ("min_rto=1 s", "unknown key; did you mean tcp.min_rto?"),
        ("pairs=7", "did you mean topology.pairs?"),
        ("nonsense=1", "unknown key"),
        ("switch.z=0.5", "unknown key"),
        ("pairs", "write key=value, for example"),
        ("topology.pairs=0", "from 1 to 100000"),
        ("topology.pairs=many", "a whole number"),
        ("duration=0 s", "above 0"),
        ("duration=100", 'has no unit; write it like "100 ms"'),
        ("topology.trunk.rate=10 mbit/s", 'did you mean "10 Mbit/s"?'),
        ("topology.access.rate=10 Mbit/s", 'is below topology.trunk.rate = "45 Mbit/s"'),
        ("topology.port.r=1.5", "above 0"),
        ("topology.port.z=0", "for example 0.8"),
        ("topology.port.z=1.5", "for example 0.8"),
        ("topology.port.z=1/0", "for example 0.8"),
        ("topology.port.z=-0.5", "for example 0.8"),
        ("variables.wan_buffers=[-531, 1062, 2300]", "-531"),
        ("variables.wan_buffers=[22, 1062, 2300]", "cannot hold one frame, which takes 23 cells"),
        ("variables.geo_buffers=[192, 200, 200]", "cannot hold one frame, which takes 193 cells"),
        ("variables.geo_buffers=1000", "buffers is 1000, not a list"),
        ("variables.newreno=reno2", 'did you mean "reno"?'),
        ("topology.port.eom=perhaps", '"keep", "drop"'),
        ("clock.phase=random", 'write "common", "open" or, say, "uniform 1 ms"'),
        ("clock.tick=500 ms", 'not a whole number of ticks of clock.tick = "500 ms"'),
        ("clock.tick=1 ns", 'is too fine for tcp.max_rto = "64 s"'),
        ("tcp.min_rto=250 ms", 'not a whole number of ticks of clock.tick = "100 ms"'),
        ("tcp.min_rto=4 s", 'is above tcp.initial_rto = "3 s"'),
        ("tcp.idle_restart=perhaps", "true or false"),
        ("workload.gap_min=1 s", 'is above gap_max = "500 ms"'),
        ("workload.request_size=128", 'has no unit; write it like "128 B"'),
        ("warm_up=100 s", 'leaves nothing of duration = "100 s"'),
        ("tcp.flavor=sack", "the sweep sets this key"),
        ("topology.trunk.delay=6 ms", "the sweep sets this key"),
        ("seed=3", "the option --seed gives it"),
        ("replications=3", "the option --replications gives it"),
        ("precision.target=5 %", "the option --replications"),
        ("probes.queue=1 s", "changes no run of the study"),
        ("title=Mine", "changes no run of the study"),
        ("sweep.factors.buffer_rtt=[0.5, 1]", "--links, --policies, --flavors and --buffers"),
        ('sweep.factors.link.Moon={"tcp.smss"="1 kB"}', "the levels of the study must stay"),
    ],
)
def test_a_wrong_pair_gets_one_message_that_names_it(pair, message):
    (told,) = problems(pair)
    assert told.startswith(f"--set {pair}: ")
    assert message in told
    assert "scenario.toml" not in told


def test_everything_wrong_is_told_at_once():
    told = problems(
        "topology.pairs=0", "topology.port.z=2", "tcp.foo=1", "bar", "clock.tick=x", "duration=1"
    )
    assert len(told) == 6
    assert len(problems("tcp.min_rto=250 ms", "tcp.max_rto=64.05 s", "workload.gap_min=1 s")) == 3


def test_what_follows_from_several_changes_names_them_all():
    (told,) = problems("tcp.nagle=true", "clock.tick=500 ms")
    assert told.startswith("--set tcp.nagle=true --set clock.tick=500 ms: tcp.min_rto = ")


def test_a_key_given_twice_is_refused():
    (told,) = problems("topology.pairs=1", "topology.pairs=2")
    assert told.startswith("--set topology.pairs=2: ")
    assert "already set" in told


def test_a_level_may_mean_something_else_as_long_as_its_name_stays():
    pair = "sweep.factors.link.WAN.topology.trunk.delay=6 ms"
    changed = scenario(pair).points()
    delays = {point.compile().plan["links"][0]["trunk"]["delay_ps"] for point in changed[:24]}
    assert delays == {6 * 10**9}
    assert hashes(pair)[24:] == hashes()[24:]


TEXT = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), max_size=10)
ODD = ["", "[]", "{}", "true", "-1", "1e9", "= 1 / 0", "= pairs", "inf", "0 s", "1e30 s", "= wan"]


@settings(max_examples=40)
@given(st.sampled_from(KEYS), TEXT | st.sampled_from(ODD))
def test_any_value_is_taken_and_can_be_given_again_or_is_refused(key, value):
    try:
        taken = values(f"{key}={value}")
    except InputError:
        assert all(f"--set {key}={value}" in told for told in problems(f"{key}={value}"))
        return
    if key.startswith("variables."):
        return  # a variable is whatever is given, and shown so
    assert values(f"{key}={taken[key]}") == taken


def test_levels_are_chosen_in_the_order_of_the_published_tables():
    assert choose("--links", LINKS, ["GEO,WAN", "GEO"]) == (("WAN", "GEO"), [])
    assert choose("--buffers", BUFFERS_RTT, ["2", "0.50"]) == ((0.5, 2.0), [])
    assert choose("--links", LINKS, []) == (("WAN", "MEO", "GEO"), [])
    assert choose("--http", ("1.0", "1.1"), ["1.1", "1.0"]) == (("1.0", "1.1"), [])
    assert choose("--webs", (8, 16), ["16"]) == ((16,), [])


def test_an_unknown_level_is_told():
    _, told = choose("--links", LINKS, ["wan", "LAN", "Moon"])
    assert told == [
        "--links wan: choose from WAN, MEO, GEO; did you mean WAN?",
        "--links LAN: choose from WAN, MEO, GEO; did you mean WAN?",
        "--links Moon: choose from WAN, MEO, GEO",
    ]
