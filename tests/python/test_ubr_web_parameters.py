"""Settings of the study: what may be set, what is refused and how that is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ackclock.errors import InputError
from ackclock.scenario.settings import apply, changed, settings
from ackclock.studies.ubr_web.levels import BUFFERS_RTT, LINKS, Selection, choose
from ackclock.studies.ubr_web.parameters import Parameters, Phase, frame_cells

KEYS = [each.key for each in settings(Parameters())]


def problems(*pairs):
    with pytest.raises(InputError) as refused:
        apply(Parameters, pairs)
    return refused.value.messages


def test_a_pair_changes_one_field():
    changed_one = apply(Parameters, ["tcp.min_rto=400 ms"])
    assert changed_one.tcp.min_rto == 400 * 10**9
    assert changed(changed_one) == ["tcp.min_rto=400 ms"]
    assert apply(Parameters, []) == Parameters()


@pytest.mark.parametrize(
    ("pair", "read"),
    [
        ("switch.r=0.75", lambda p: p.switch.r == 750_000),
        (
            "switch.wan_buffers=100, 200, 300 cells",
            lambda p: p.switch.wan_buffers == (100, 200, 300),
        ),
        ("clock.phase=uniform 1 ms", lambda p: p.clock.phase == Phase("uniform", 10**9)),
        ("clock.phase=open", lambda p: p.clock.phase == Phase("open")),
        ("tcp.delayed_ack=200 ms", lambda p: p.tcp.delayed_ack == 200 * 10**9),
        ("tcp.nagle=true", lambda p: p.tcp.nagle),
        ("pairs=7", lambda p: p.pairs == 7),
    ],
)
def test_what_a_value_means(pair, read):
    assert read(apply(Parameters, [pair]))


def test_every_setting_can_be_set_to_what_is_shown():
    pairs = [f"{each.key}={each.value}" for each in settings(Parameters())]
    assert apply(Parameters, pairs) == Parameters()


def test_every_setting_tells_its_meaning_and_what_it_accepts():
    assert all(each.meaning.endswith(".") and each.accepts for each in settings(Parameters()))


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("tcp.minrto=1 s", "unknown key tcp.minrto; did you mean tcp.min_rto?"),
        ("min_rto=1 s", "unknown key min_rto; did you mean tcp.min_rto?"),
        ("nonsense=1", "unknown key nonsense; --list-settings shows all keys"),
        ("tcp=1", "unknown key tcp; "),
        ("pairs", "write key=value, for example pairs=100"),
        ("pairs=0", "greater than or equal to 1; for example 100"),
        ("pairs=many", "valid integer"),
        ("duration=0 s", '"0 s" must be above 0'),
        ("duration=100", '"100" has no unit; write it like "100 ms"'),
        ("network.trunk_rate=10 mbit/s", 'did you mean "10 Mbit/s"?'),
        ("network.access_rate=10 Mbit/s", "is below network.trunk_rate=45 Mbit/s"),
        ("switch.r=1.5", '"1.5" must be a number above 0 and at most 1; for example 0.8'),
        ("switch.z=0", "above 0 and at most 1"),
        ("switch.z=1/0", "above 0 and at most 1"),
        ("switch.z=-0.5", "above 0 and at most 1"),
        ("switch.z=0.1234567", "more than six decimals"),
        ("switch.wan_buffers=-531, 1062, 2300 cells", "negative"),
        ("switch.wan_buffers=22, 1062, 2300", "22 cells cannot hold one frame, which takes 23"),
        ("switch.geo_buffers=1000", "three sizes are wanted"),
        ("switch.eom=perhaps", "'keep' or 'drop'; for example keep"),
        ("clock.phase=random", 'write "common", "open" or, say, "uniform 1 ms"'),
        ("clock.tick=500 ms", 'not a whole number of ticks of clock.tick=500 ms; write "500 ms"'),
        ("clock.tick=1 ns", 'is too fine for tcp.max_rto=64 s; write for example "100 ms"'),
        ("tcp.min_rto=250 ms", 'not a whole number of ticks of clock.tick=100 ms; write "200 ms"'),
        ("tcp.min_rto=4 s", "must ascend"),
        ("tcp.idle_restart=perhaps", "valid boolean"),
        ("workload.gap_min=1 s", "workload.gap_min=1 s is above workload.gap_max=500 ms"),
        ("workload.request_size=128", 'has no unit; write it like "128 B"'),
    ],
)
def test_a_wrong_pair_gets_one_message_that_names_it(pair, message):
    (told,) = problems(pair)
    key, _, value = pair.partition("=")
    assert told.startswith("--set ")
    assert key in told
    assert value in told or "cells" in told
    assert message in told


def test_everything_wrong_is_told_at_once():
    assert len(problems("pairs=0", "switch.z=2", "foo=1", "bar", "clock.tick=x")) == 5
    assert len(problems("tcp.min_rto=250 ms", "tcp.max_rto=64.05 s", "workload.gap_min=1 s")) == 3


def test_a_key_given_twice_is_refused():
    assert problems("pairs=1", "pairs=2") == ["--set pairs=2: pairs was already set to 1"]


@given(st.sampled_from(KEYS), st.text(max_size=10))
def test_any_value_that_is_taken_can_be_given_again(key, value):
    try:
        model = apply(Parameters, [f"{key}={value}"])
    except InputError:
        return
    assert apply(Parameters, changed(model)) == model


def test_cells_of_a_frame():
    assert [frame_cells(size) for size in (0, 40, 41, 128, 512, 1024, 9180)] == [
        2,
        2,
        3,
        4,
        12,
        23,
        193,
    ]


def test_levels_are_chosen_in_the_order_of_the_published_tables():
    assert choose("--links", LINKS, ["GEO,WAN", "GEO"]) == (("WAN", "GEO"), [])
    assert choose("--buffers", BUFFERS_RTT, ["2", "0.50"]) == ((0.5, 2.0), [])
    assert choose("--links", LINKS, []) == (("WAN", "MEO", "GEO"), [])


def test_an_unknown_level_is_told():
    _, told = choose("--links", LINKS, ["wan", "LAN", "Moon"])
    assert told == [
        "--links wan: choose from WAN, MEO, GEO; did you mean WAN?",
        "--links LAN: choose from WAN, MEO, GEO; did you mean WAN?",
        "--links Moon: choose from WAN, MEO, GEO",
    ]


def test_a_selection_is_complete_if_its_links_are():
    assert len(Selection().points()) == 72
    assert Selection(links=("WAN",)).complete
    assert not Selection(tcp_flavors=("SACK",)).complete
