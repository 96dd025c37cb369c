"""What may be set in every study, what is refused and with which words."""

import tomllib
from dataclasses import replace

import pytest

from ackclock.errors import InputError
from ackclock.studies import STUDIES, study_of
from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.running import chosen_points
from ackclock.studies.machinery.settings import all_settings, option_names, scenario_of, scenarios

each_study = pytest.mark.parametrize("name", STUDIES)
REFUSED = [
    ("tcp.minrto=1 s", "unknown key; did you mean tcp.min_rto?"),
    ("tcp.min_rtoo=1 s", "unknown key; did you mean"),
    ("tcp.min_rto=10", "has no unit"),
    ("clock.tick=100", 'has no unit; write it like "100 ms"'),
    ("seed=3", "the option --seed gives it"),
    ("replications=3", "the option --replications gives it"),
    ("title=Mine", "changes no run of the study"),
]
"""Pairs that every study refuses, and words of the message."""
REFUSED_BY = {
    "abr-web": [
        ("topology.abr.irc=1 Mbit/s", "unknown key; did you mean"),
        ("topology.abr.icr=10", "has no unit"),
        ("sweep.factors.servers=[8]", "choose some of them with --parts and --servers"),
        ("variables.servers=9", "every part of the study sets this key itself"),
        ("tcp.flavor=reno", "the part service sets it itself; leave the part out, for example"),
    ],
    "newreno": [
        ("duration=100", 'has no unit; write it like "100 ms"'),
        ("sweep.factors.background=[8]", "choose some of them with --parts"),
        ("variables.burst=9", "the part bursty sets it itself; leave the part out"),
        ("variables.udp_shape=1", "a number above 1"),
    ],
    "rfc2415": [
        ("duration=100", 'has no unit; write it like "100 ms"'),
        ("tcp.min_rto=250 ms", "not a whole number of ticks"),
        ("sweep.factors.webs=[8]", "--parts, --webs, --ftps, --iw and --http"),
        ("sweep.factors.http.2={}", "the levels of the study must stay what they are"),
        ("variables.webs=9", "every part of the study sets this key itself"),
    ],
    "osu-tasks": [
        ("topology.port.rr=0.9", "unknown key; did you mean"),
        ("sweep.factors.sources=[8]", "choose some of them with --parts"),
        (
            "tcp.flavor=sack",
            "the part policies sets it itself; leave the part out, for example --parts buffers,",
        ),
    ],
}
"""Others that a study refuses in some of its parts."""
REFUSED_IN = {
    "newreno": ("bursty", "udp"),
    "rfc2415": ("tables",),
    "osu-tasks": ("policies", "buffers"),
}
OPEN = {
    "abr-web": "duration topology.abr.icr topology.access.rate topology.switch.ccr "
    "topology.switch.load_average topology.switch.vc_decay topology.switch.immediate_fair_share "
    "topology.switch.count_both_directions topology.switch.limit_jump workload.start_spread "
    "workload.period_from workload.first_alone workload.first_is_class_0 workload.gap_max "
    "workload.requests tcp.idle_restart tcp.min_rto clock.tick",
    "newreno": "topology.bottleneck.delay variables.red_max_p variables.red_weight "
    "topology.access.rate tcp.min_rto tcp.timers tcp.delayed_ack tcp.initial_window "
    "tcp.limited_transmit tcp.ssthresh_from tcp.partial_ack_timer variables.request_size "
    "variables.udp_on variables.udp_off variables.losses_of variables.events_of "
    "variables.foreground_window variables.testbed_min_rto",
    "rfc2415": "topology.access.delay topology.bottleneck.queue.limit clock.phase tcp.min_rto "
    "tcp.initial_rto tcp.delayed_ack tcp.nagle tcp.idle_restart workload.sizes "
    "workload.sizes_interpolation workload.request_size workload.start_spread variables.red_max_p",
}
"""What a paper leaves open."""


def levels_of(study, part):
    return {"parts": (part.name,)} if len(study.parts) > 1 else {}


@each_study
def test_every_setting_can_be_set_to_what_is_shown_and_has_a_meaning(name):
    study = study_of(name)
    part = study.main_part
    request = Request(study, levels=levels_of(study, part))
    first = scenario_of(part, request)
    alone = len(study.files) == 1
    listed = all_settings(study) if alone else part.file.settings(first)
    # What the part sets itself is refused with its name; an optional key may have no value.
    fixed = {pair.partition("=")[0] for pair in part.own_sets}
    free = [
        each
        for each in listed
        if not each.value.startswith(("set by ", "not given")) and each.key not in fixed
    ]
    pairs = tuple(f"{each.key}={each.value}" for each in free)
    again = scenario_of(part, replace(request, sets=pairs))
    assert part.file.settings(again) == part.file.settings(first)
    assert [point.compile().plan for point in again.points()] == [
        point.compile().plan for point in first.points()
    ]
    assert all(each.meaning.endswith(".") and each.accepts for each in free)
    assert all(each.meaning.endswith(".") for each in listed)
    assert "A variable." not in {each.meaning for each in listed}


@each_study
def test_every_variable_of_a_file_is_described(name):
    there, described = set(), set()
    for file in study_of(name).files:
        variables = tomllib.loads(file.path.read_text(encoding="utf-8")).get("variables", {})
        assert set(variables) <= set(file.variables)
        there |= set(variables)
        described |= set(file.variables)
    assert described == there, "described, and in no file"


def refusal(request, read):
    """The one message on a pair, which names it."""
    with pytest.raises(InputError) as error:
        read(request)
    (text,) = error.value.messages
    (pair,) = request.sets
    assert text.startswith(f"--set {pair}")
    assert ".toml" not in text
    return text


@pytest.mark.parametrize(("pair", "message"), REFUSED)
@each_study
def test_a_wrong_pair_gets_one_message_that_names_it(name, pair, message):
    assert message in refusal(Request(study_of(name), (pair,)), scenarios)


@pytest.mark.parametrize(
    ("name", "pair", "message"),
    [(name, *row) for name, pairs in REFUSED_BY.items() for row in pairs],
)
def test_a_pair_that_is_wrong_in_some_parts_gets_one_message_too(name, pair, message):
    levels = {"parts": REFUSED_IN[name]} if name in REFUSED_IN else {}
    assert message in refusal(Request(study_of(name), (pair,), levels), chosen_points)


@each_study
def test_the_levels_of_a_study_stay_what_they_are(name):
    study = study_of(name)
    if not study.main_part.file.sweep_stays:
        return  # A level may mean something else there; the study's own tests try it.
    with pytest.raises(InputError, match="the levels of the study must stay what they are") as it:
        scenarios(Request(study, ("sweep.factors={x = [1]}",)))
    assert f"choose some of them with {option_names(study)}" in it.value.messages[0]


@pytest.mark.parametrize("name", OPEN)
def test_what_the_paper_leaves_open_is_a_setting(name):
    listed = {each.key: each.value for each in all_settings(study_of(name))}
    keys = set(OPEN[name].split())
    assert keys <= set(listed)
    assert not {key for key in keys if listed[key].startswith("set by ")}
