"""Keys of earlier versions mean what they meant, and say what they are called today."""

import warnings

import pytest

from ackclock import _core
from ackclock.cli import main
from ackclock.errors import InputError, InputWarning
from ackclock.scenario import load
from scenario_texts import DUMBBELL

LOSS_WINDOWS = {
    "bounded": "flight_size_bounded",
    "flight_size": "flight_size",
    "cwnd": "cwnd",
    "deflated": "cwnd_deflated",
}
CAREFUL = {"reno": False, "newreno": True, "newreno_hoe": False, "newreno_full": False}
"""Whether each flavor to which it makes a difference was careful by itself."""


def plans(text, *sets):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        return [point.compile().plan for point in load(text, sets).points()]


def hints(text, *sets):
    with pytest.warns(InputWarning) as told:
        load(text, sets)
    return [str(each.message) for each in told]


@pytest.mark.parametrize("flavor", [row[0] for row in _core.flavors()])
@pytest.mark.parametrize("was", LOSS_WINDOWS)
def test_loss_window_decides_about_both_of_what_it_is_now(flavor, was):
    text = f'{DUMBBELL}[tcp]\nflavor = "{flavor}"\n'
    (plan,) = plans(f'{text}loss_window = "{was}"\n')
    options = plan["tcps"][0]["options"]
    assert options["ssthresh_from"] == LOSS_WINDOWS[was]
    careful = was == "bounded" or CAREFUL.get(flavor, True)
    assert options["careful_fast_retransmit"] is careful
    now = f'ssthresh_from = "{LOSS_WINDOWS[was]}"\n'
    how = "true" if was == "bounded" else '"as_published"'
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (today,) = (
            point.compile().plan
            for point in load(f"{text}{now}careful_fast_retransmit = {how}\n").points()
        )
    assert plan == today


@pytest.mark.parametrize("flavor", CAREFUL)
def test_as_published_is_what_the_source_of_the_flavor_has(flavor):
    def careful(written):
        sets = (f"tcp.flavor={flavor}", f"tcp.careful_fast_retransmit={written}")
        return plans(DUMBBELL, *sets)[0]["tcps"][0]["options"]["careful_fast_retransmit"]

    assert careful("as_published") is CAREFUL[flavor]
    assert careful("preset") is True
    assert careful("false") is False


def test_a_preset_of_an_earlier_key_is_the_preset_of_both():
    assert plans(DUMBBELL, "tcp.loss_window=preset") == plans(DUMBBELL)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("handshake_growth", "true"),
        ("handshake_sample", "false"),
        ("additive_constant", "true"),
        ("cwnd_rounding", '"down"'),
        ("cwnd_ack_batch", "= 2 * 2"),
        ("retransmit_wait", "0.5"),
    ],
)
def test_what_is_historic_is_read_in_its_earlier_place(key, value):
    sack = ("tcp.flavor=sack",)
    usual = plans(DUMBBELL, *sack)
    was = plans(DUMBBELL, *sack, f"tcp.{key}={value}")
    now = plans(DUMBBELL, *sack, f"tcp.historic.{key}={value}")
    assert was == now != usual
    (hint,) = hints(DUMBBELL, *sack, f"tcp.{key}={value}")
    assert hint.startswith(f"--set tcp.{key}={value}: tcp.{key} is now tcp.historic.{key}; write ")


def test_a_group_changes_an_earlier_key_by_either_name():
    text = f'{DUMBBELL}[tcp]\nflavor = "sack"\ncwnd_ack_batch = 3\nhandshake_growth = true\n'
    for own in ("cwnd_ack_batch = 5", "historic = { cwnd_ack_batch = 5 }"):
        (plan,) = plans(f"{text}[[flows]]\ntcp = {{ {own} }}\n")
        historic = plan["tcps"][0]["historic"]
        assert (historic["cwnd_ack_batch"], historic["handshake_growth"]) == (5, True)


def test_expressions_and_sweeps_know_earlier_keys():
    factor = '[sweep.factors]\n"tcp.cwnd_ack_batch" = [2, 3]\n'
    text = f'{DUMBBELL}[tcp]\nflavor = "sack"\ninitial_window = "= tcp.cwnd_ack_batch"\n{factor}'
    found = [plan["tcps"][0] for plan in plans(text)]
    assert [each["historic"]["cwnd_ack_batch"] for each in found] == [2, 3]
    assert [each["initial_window_segments"] for each in found] == [2, 3]
    names = ['"bounded"', '"cwnd"']
    factor = f'[sweep.factors]\n"tcp.loss_window" = [{", ".join(names)}]\n'
    swept = [plan["tcps"][0]["options"] for plan in plans(DUMBBELL + factor, "tcp.flavor=reno")]
    careful = [(each["ssthresh_from"], each["careful_fast_retransmit"]) for each in swept]
    assert careful == [("flight_size_bounded", True), ("cwnd", False)]


def test_each_earlier_key_is_told_once_with_its_line_and_what_to_write(tmp_path, capsys):
    path = tmp_path / "lab.toml"
    own = '[tcp]\nflavor = "reno"\nloss_window = "cwnd"\nadditive_constant = true\n'
    factor = '[sweep.factors]\n"tcp.handshake_growth" = [true, false]\n'
    path.write_text(f"{DUMBBELL}{own}{factor}")
    assert main(["check", str(path)]) == 0
    line = DUMBBELL.count("\n") + 3
    assert capsys.readouterr().err.splitlines() == [
        f"ackclock: warning: {path}:{line}: tcp.loss_window is now tcp.ssthresh_from; "
        'write ssthresh_from = "cwnd" and careful_fast_retransmit = "as_published"',
        f"ackclock: warning: {path}:{line + 1}: tcp.additive_constant is now "
        "tcp.historic.additive_constant; write additive_constant = true below [tcp.historic]",
        f"ackclock: warning: {path}:{line + 3}: tcp.handshake_growth is now "
        "tcp.historic.handshake_growth; write tcp.historic.handshake_growth",
    ]


@pytest.mark.parametrize(
    ("sets", "said"),
    [
        (
            ("tcp.loss_window=cwnd", "tcp.ssthresh_from=cwnd"),
            "has both loss_window and ssthresh_from, which is the same key; remove loss_window",
        ),
        (
            ("tcp.nagle=true", "tcp.cwnd_ack_batch=2", "tcp.historic.cwnd_ack_batch=2"),
            "has both cwnd_ack_batch and historic.cwnd_ack_batch",
        ),
        (("tcp.loss_window=smaller",), "--set tcp.loss_window=smaller: choose from"),
        (("tcp.cwnd_ack_batch=0",), "--set tcp.cwnd_ack_batch=0: must be from 1"),
    ],
)
def test_a_wrong_earlier_key_is_told_by_the_name_that_is_written(sets, said):
    with pytest.raises(InputError) as error:
        load(DUMBBELL, sets)
    assert said in str(error.value)
