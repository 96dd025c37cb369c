"""The options of a TCP: presets of its flavor, and what is written over them."""

import json

import pytest

from ackclock import _core
from ackclock.cli import main
from ackclock.errors import InputError, InputWarning
from ackclock.scenario import load
from ackclock.scenario.compile.receive_buffers import AutoBuffer
from ackclock.scenario.compile.tcp import tcp_plan
from ackclock.scenario.model.base import keys
from ackclock.scenario.model.tcp import STACKS, Historic, Tcp
from ackclock.scenario.presets import OPTIONS, is_preset, presets, properties, uses, with_presets
from ackclock.scenario.summary import tcp_columns
from plan_checker import check_plan
from scenario_texts import DUMBBELL

FLAVORS = {row[0]: json.loads(row[2]) for row in _core.flavors()}
ON_LINUX = dict(zip(FLAVORS, map(json.loads, dict(_core.stacks())["linux"]), strict=True))
MS = 10**9


def options(*sets):
    made = load(DUMBBELL, sets).points()[0].compile()
    check_plan(made.plan)
    return made.plan["tcps"][0]["options"]


@pytest.mark.parametrize("flavor", FLAVORS)
def test_a_plan_states_the_presets_of_the_core(flavor):
    assert options(f"tcp.flavor={flavor}") == FLAVORS[flavor]
    assert len(OPTIONS) == len(FLAVORS[flavor]), "an option without a key of [tcp]"


def test_the_default_flavor_is_cubic():
    assert load(DUMBBELL).tcp.flavor == "cubic"
    assert options() == FLAVORS["cubic"]


@pytest.mark.parametrize(
    "sets",
    [
        ["tcp.flavor=modern"],
        ["variables.which='modern'", "tcp.flavor== which"],
        ['sweep.factors.tcp.flavor=["modern", "reno"]'],
        ['sweep.factors.tcp.flavor=["reno", "modern"]'],
    ],
)
def test_the_old_name_of_cubic_is_read_with_a_warning(sets):
    with pytest.warns(InputWarning, match='^"modern" is called "cubic" now; write "cubic"$'):
        points = load(DUMBBELL, sets).points()
    with pytest.warns(InputWarning):
        flavors = {point.compile().plan["tcps"][0]["flavor"] for point in points}
    assert "cubic" in flavors
    assert flavors <= {"cubic", "reno"}
    assert {point.levels.get("tcp_flavor", "cubic") for point in points} == flavors


def test_the_old_name_is_told_once_and_wanted_nowhere(tmp_path, capsys):
    path = tmp_path / "lab.toml"
    sweep = '[sweep.factors]\n"tcp.nagle" = [true, false]\n'
    path.write_text(f'{DUMBBELL}[tcp]\nflavor = "modern"\n{sweep}')
    assert main(["check", str(path)]) == 0
    warning = 'ackclock: warning: "modern" is called "cubic" now; write "cubic"\n'
    assert capsys.readouterr().err == warning
    with pytest.raises(InputError) as error:
        load(DUMBBELL, ["tcp.flavor=moderm"])
    assert '"modern"' not in str(error.value)


@pytest.mark.parametrize("stack", STACKS)
@pytest.mark.parametrize("flavor", FLAVORS)
@pytest.mark.parametrize("key", OPTIONS)
def test_a_preset_that_is_written_changes_nothing(flavor, key, stack):
    buffer = AutoBuffer(65_535, 2**20)
    plain = Tcp(flavor=flavor, stack=stack)
    written = plain.model_copy(update={key: presets(flavor, stack)[key]})
    assert tcp_plan(written, buffer) == tcp_plan(plain, buffer)


@pytest.mark.parametrize("flavor", FLAVORS)
def test_a_stack_has_presets_of_its_own(flavor):
    on_linux = options(f"tcp.flavor={flavor}", "tcp.stack=linux")
    assert on_linux == ON_LINUX[flavor] != FLAVORS[flavor]
    assert options(f"tcp.flavor={flavor}", "tcp.stack=rfc") == FLAVORS[flavor]
    numbers = ("min_rto_ps", "delayed_ack_ps", "quick_acks", "whole_segments")
    assert [on_linux[key] for key in numbers] == [200 * MS, 40 * MS, 16, True]


def test_what_is_written_counts_more_than_the_stack():
    changed = options("tcp.stack=linux", "tcp.quick_acks=0", "tcp.undo=off")
    assert changed == {**ON_LINUX["cubic"], "quick_acks": 0, "undo": "off"}


def test_groups_and_sweeps_have_stacks():
    text = (
        DUMBBELL
        + """
[[flows]]
name = "a"
tcp = { stack = "linux" }
[[flows]]
name = "b"
sender_tcp = { flavor = "reno" }
"""
    )
    plan = load(text).points()[0].compile().plan
    tcps = [plan["tcps"][flow["sender_tcp"]] for flow in plan["flows"]]
    assert [tcp["flavor"] for tcp in tcps] == ["cubic", "reno"]
    assert [tcp["options"] for tcp in tcps] == [ON_LINUX["cubic"], FLAVORS["reno"]]
    points = load(DUMBBELL, ['sweep.factors.tcp.stack=["rfc", "linux"]']).points()
    assert [point.levels for point in points] == [{"tcp_stack": name} for name in STACKS]
    swept = [point.compile().plan["tcps"][0]["options"] for point in points]
    assert swept == [FLAVORS["cubic"], ON_LINUX["cubic"]]


def test_explain_shows_what_a_stack_presets():
    (texts,) = tcp_columns(load(DUMBBELL, ["tcp.stack=linux", "tcp.min_rto=1 s"])).values()
    assert (texts["stack"], texts["min_rto"]) == ("linux", "1 s")
    assert texts["delayed_ack"] == "40 ms (preset)"
    assert texts["cubic_arithmetic"] == "linux (preset)"


def test_a_conflict_says_on_which_stack_the_preset_is():
    with pytest.raises(InputError) as error:
        options("tcp.stack=linux", "tcp.max_rto=100 ms")
    assert 'tcp.min_rto = "200 ms" (preset of cubic on linux)' in str(error.value)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ('stack = "linus"', 'did you mean "linux"?'),
        ("stack = 1", 'choose from "rfc", "linux"'),
        ('ecn_feedback = "acurate"', 'did you mean "accurate"?'),
        ('loss_detection = "rac"', 'did you mean "rack"?'),
        ('tlp_timer = "rfc8958"', 'did you mean "rfc8985"?'),
        ('undo = "on"', '"off", "rfc4015"'),
        ('slow_start = "hystart++"', 'did you mean "hystart"?'),
        ('pacing = "cwnd"', '"off", "rate"'),
        ('cubic_arithmetic = "rfc9348"', 'did you mean "rfc9438"?'),
        ("tlp = 1", "true or false"),
        ('slowstart = "hystart"', "did you mean tcp.slow_start?"),
    ],
)
def test_a_wrong_value_is_reported_with_a_correct_one(tmp_path, line, wanted):
    path = tmp_path / "lab.toml"
    text = f"{DUMBBELL}[tcp]\n{line}\n"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        load(path)
    said = str(error.value)
    key = line.partition(" ")[0]
    written = f"{path}:{text.count(chr(10))}: tcp.{key} = "
    assert said.startswith(written)
    assert wanted in said


FLAVORS_WITH_RACK = [
    *("cubic", "reno_sack", "vegas", "bbr", "dctcp", "prague", "westwood", "ledbat", "bbr3"),
]
_OF_RACK = ("loss_detection", "tlp", "tlp_timer", "f_rto", "undo", "slow_start", "sample_every_ack")


@pytest.mark.parametrize("key", _OF_RACK)
def test_flavors_without_rack_ignore_its_keys(key):
    assert [flavor for flavor in FLAVORS if uses(flavor, key)] == FLAVORS_WITH_RACK


@pytest.mark.parametrize(
    ("text", "option", "value"),
    [
        ("sack=false", "sack", False),
        ("sack_blocks=2", "sack_blocks", 2),
        ("dsack=false", "dsack", False),
        ("timestamps=false", "timestamps", False),
        ("ecn=true", "ecn", True),
        ("ecn_feedback=accurate", "ecn_feedback", "accurate"),
        ("ecn_feedback=dctcp", "ecn_feedback", "dctcp"),
        ("l4s=true", "l4s", True),
        ("abe=true", "abe", True),
        ("loss_detection=rfc6675", "loss_detection", "rfc6675"),
        ("tlp=false", "tlp", False),
        ("tlp_timer=linux", "tlp_timer", "linux"),
        ("f_rto=false", "f_rto", False),
        ("undo=off", "undo", "off"),
        ("undo=linux", "undo", "linux"),
        ("slow_start=standard", "slow_start", "standard"),
        ("slow_start=hystart", "slow_start", "hystart"),
        ("whole_segments=true", "whole_segments", True),
        ("pacing=rate", "pacing", "rate"),
        ("pacing=cc", "pacing", "cc"),
        ("cubic_arithmetic=linux", "cubic_arithmetic", "linux"),
        ("sample_every_ack=false", "sample_every_ack", False),
        ("limited_transmit=false", "limited_transmit", False),
        ("prr=false", "prr", False),
        ("lost_retransmission_detection=true", "lost_retransmission_detection", True),
        ("growth=acks", "growth", "acks"),
        ("growth_limit=2", "growth_limit_segments", 2),
        ("growth_limit=off", "growth_limit_segments", None),
        ("cwnd_validation=false", "cwnd_validation", False),
        ("ssthresh_from=flight_size", "ssthresh_from", "flight_size"),
        ("cubic_beta=50 %", "cubic_beta_ppm", 500_000),
        ("cubic_beta== 2 / 3", "cubic_beta_ppm", 666_667),
        ("timers=ticks", "timers", "ticks"),
        ("min_rto_of=variance", "min_rto_of", "variance"),
        ("initial_rto=3 s", "initial_rto_ps", 3000 * MS),
        ("min_rto=12.5 ms", "min_rto_ps", 12_500_000_000),
        ("max_rto=30 s", "max_rto_ps", 30_000 * MS),
        ("delayed_ack=off", "delayed_ack_ps", None),
        ("delayed_ack=40 ms", "delayed_ack_ps", 40 * MS),
        ("ack_timer=free_running", "ack_timer", "free_running"),
        ("ack_every=4", "ack_every", 4),
        ("quick_acks=16", "quick_acks", 16),
        ("quick_ack_size=16 KiB", "quick_ack_bytes", 16_384),
        ("recovery_samples=false", "recovery_samples", False),
        ("ssthresh_from=cwnd_deflated", "ssthresh_from", "cwnd_deflated"),
        ("ssthresh_rounding=segments", "ssthresh_rounding", "segments"),
        ("window_probe=octet", "window_probe", "octet"),
    ],
)
def test_what_is_written_holds(text, option, value):
    changed = options("tcp.flavor=cubic", f"tcp.{text}")
    assert changed == {**FLAVORS["cubic"], option: value}


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("restart_window=1", "restart_window_segments", 1),
        ("restart_window=initial_window", "restart_window_segments", None),
        ("restart_window== tcp.initial_window / 2", "restart_window_segments", 5),
    ],
)
def test_what_is_written_of_the_window_holds(text, key, value):
    usual, changed = (
        load(DUMBBELL, sets).points()[0].compile().plan["tcps"][0] for sets in ([], [f"tcp.{text}"])
    )
    assert usual["restart_window_segments"] is None
    assert changed == {**usual, key: value}


@pytest.mark.parametrize("flavor", FLAVORS)
def test_no_flavor_acknowledges_otherwise_than_rfc_5681_by_itself(flavor):
    own = FLAVORS[flavor]
    assert (own["ack_timer"], own["ack_every"], own["quick_ack_bytes"]) == ("per_ack", 2, 0)


def test_no_window_scale():
    tcp = load(DUMBBELL, ["tcp.window_scale=off"]).points()[0].compile().plan["tcps"][0]
    assert tcp["window_scale"] is None


def test_the_floor_of_the_variance_does_not_cross_the_first_time_out():
    sets = ["tcp.flavor=cubic", "tcp.min_rto=2 s"]
    assert options(*sets, "tcp.stack=linux")["min_rto_ps"] == 2000 * MS
    with pytest.raises(InputError, match=r'above tcp\.initial_rto = "1 s"'):
        options(*sets)


def test_a_key_that_is_left_to_the_flavor_has_a_value_in_expressions():
    text = (
        DUMBBELL
        + """
[[flows]]
name = "a"
tcp = { flavor = "cubic", stack = "linux", min_rto = "preset" }
sender_tcp = { initial_rto = "= 2 * flows[0].sender_tcp.min_rto" }
[[flows]]
name = "b"
workload = { start = "= flows[1].tcp.min_rto + flows[0].tcp.max_rto / 1000" }
[tcp]
min_rto = "600 ms"
"""
    )
    found = load(text)
    sender = found.flows[0].sender_tcp
    assert sender.initial_rto == 400 * MS, "200 ms of cubic on Linux, not the general 600 ms"
    assert found.flows[1].workload.start == 720 * MS


def test_an_expression_sees_the_preset_of_the_flavor_and_stack_of_its_flow():
    text = (
        DUMBBELL
        + """
[[flows]]
name = "a"
tcp = { flavor = "reno", stack = "linux" }
workload = { start = "= flows[0].tcp.min_rto" }
[[flows]]
name = "b"
tcp = { flavor = "reno" }
receiver_tcp = { stack = "linux" }
workload = { start = "= flows[1].tcp.min_rto + flows[1].receiver_tcp.delayed_ack" }
"""
    )
    starts = [group.workload.start for group in load(text).flows]
    assert starts == [200 * MS, 1040 * MS]


def test_a_sweep_may_leave_a_key_to_the_flavor():
    levels = 'sweep.factors.tcp.min_rto=["preset", "400 ms"]'
    points = load(DUMBBELL, [levels]).points()
    assert [point.levels for point in points] == [
        {"tcp_min_rto": "preset"},
        {"tcp_min_rto": "400 ms"},
    ]
    found = [point.compile().plan["tcps"][0]["options"]["min_rto_ps"] for point in points]
    assert found == [1000 * MS, 400 * MS]


def test_explain_tells_what_is_a_preset_and_what_is_not_used():
    (texts,) = tcp_columns(load(DUMBBELL, ["tcp.flavor=cubic", "tcp.deflation=full"])).values()
    assert texts["stack"] == "rfc"
    assert texts["min_rto"] == "1 s (preset)"
    assert texts["delayed_ack"] == "200 ms (preset)"
    assert texts["slow_start"] == "hystart_plus_plus (preset)"
    assert texts["cubic_beta"] == "0.7 (preset)"
    assert texts["deflation"] == "not used"
    assert texts["initial_window"] == "10"


def test_nothing_is_left_open():
    tcp = Tcp(flavor="cubic")
    assert all(is_preset(tcp, key) for key in OPTIONS)
    assert not any(is_preset(with_presets(tcp), key) for key in OPTIONS)


@pytest.mark.parametrize("flavor", FLAVORS)
def test_a_flavor_ignores_keys_that_there_are(flavor):
    assert set(properties(flavor)["ignores"]) <= {*OPTIONS, *keys(Historic)}


@pytest.mark.parametrize("flavor", FLAVORS)
def test_what_a_flavor_ignores_changes_no_plan(flavor):
    texts = {"deflation": "full", "prr": "true", "cubic_beta": "0.5", "limited_transmit": "true"}
    for key in properties(flavor)["ignores"]:
        if key in texts:
            assert options(f"tcp.flavor={flavor}", f"tcp.{key}={texts[key]}") == FLAVORS[flavor]
