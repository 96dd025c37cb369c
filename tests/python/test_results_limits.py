"""What limited flows: shares of the time, and the sentence about the receive window."""

from math import isnan

import numpy as np
import pytest

import ackclock
from ackclock.cli import main
from ackclock.results.limits import shares
from ackclock.results.metrics import METRICS
from ackclock.results.notes import limits_note

PATH = """
duration = "8 s"
warm_up = "3 s"
[topology]
kind = "dumbbell"
bottleneck = { rate = "10 Mbit/s", delay = "50 ms" }
"""
WINDOW = ["tcp.receive_buffer=20 segments"]
NAMES = ["cwnd_limited", "rwnd_limited", "app_limited"]
SENTENCE = (
    "The flow is limited by the receive window 100 % of the time: raise tcp.receive_buffer if you"
    " do not intend this"
)


def limits(results):
    """Shares of the first run, and of each of its flows."""
    row = results.campaign.runs[0].row
    return [row[name] for name in NAMES], [row["flows"][name] for name in NAMES]


def made(tmp_path, text, sets=()):
    return ackclock.run(text, tmp_path / "runs", sets=list(sets))


def test_a_small_window_limits_all_the_time(tmp_path):
    results = made(tmp_path, PATH, WINDOW)
    assert limits(results) == ([0, 1, 0], [[0], [1], [0]])
    assert limits_note(results.campaign) == SENTENCE
    # 20 segments, 12 of whose bytes are timestamps, in 100 ms and what it takes to send a packet.
    goodput = results.campaign.runs[0].row["goodput_bit_s"]
    assert goodput == pytest.approx(20 * 1448 * 8 / 0.1012, rel=0.01)


def test_by_default_the_network_limits_and_nothing_is_said(tmp_path):
    results = made(tmp_path, PATH)
    assert limits(results)[0] == [1, 0, 0]
    assert limits_note(results.campaign) == ""


def test_an_application_limits_between_its_requests(tmp_path):
    web = '[workload]\nkind = "http10"\n'
    # Responses that fit an initial window of ten segments would wait for nothing else.
    results = made(tmp_path, PATH.replace('warm_up = "3 s"', "") + web, ["tcp.initial_window=1"])
    (cwnd, window, application), of_flows = limits(results)
    assert cwnd + window + application == pytest.approx(1)
    assert 0 < application < 1
    assert np.array(of_flows).sum() == pytest.approx(1)


def test_a_transfer_that_is_over_counts_its_own_time(tmp_path):
    """Two of eight seconds, and none of the rest; nothing of it after the warm-up is no number."""
    short = '[workload]\nkind = "bulk"\nsize = "500 kB"\n'
    text = PATH.replace('warm_up = "3 s"', "") + short
    (cwnd, _, application), _ = limits(made(tmp_path, text))
    assert cwnd > 0.5 > application > 0
    results = made(tmp_path / "later", PATH + short)
    assert all(isnan(each) for each in limits(results)[0])
    assert limits_note(results.campaign) == ""


def note_of(tmp_path, more, sets=()):
    return limits_note(made(tmp_path, PATH + more, sets).campaign)


def test_the_sentence_names_the_worst_flow_and_its_point_in_the_words_of_the_file(tmp_path):
    groups = '[[flows]]\nname = "near"\n[[flows]]\nname = "far"\naccess = { delay = "50 ms" }\n'
    sweep = '[sweep.factors]\n"tcp.receive_buffer" = ["14 kB", "28 kB", "2 MB"]\n'
    limited = "is limited by the receive window 100 % of the time"
    half = "at least half of the time: raise tcp.receive_buffer if you do not intend this"
    at = "at TCP receive buffer 14 kB"
    assert note_of(tmp_path, sweep) == f"The flow {limited} {at}, and at 1 other point {half}"
    note = note_of(tmp_path / "1", groups, ["tcp.receive_buffer=14 kB"])
    assert note == f'Flow "near" {limited}, and 1 other flow {half}'
    note = note_of(tmp_path / "2", groups + sweep)
    assert note.startswith(f'Flow "near" {limited} {at}, and in 3 other cases (a flow at a point) ')
    note = note_of(tmp_path / "3", "", ["topology.pairs=3", "tcp.receive_buffer=14 kB"])
    assert note == f"Flow 1 {limited}, and 2 other flows {half}"


def test_shares_by_hand():
    times = {"cwnd_limited_s": [3.0, 0.0], "rwnd_limited_s": [1.0, 0.0], "app_limited_s": [0.0, 0]}
    told = shares({name: np.array(values) for name, values in times.items()})
    assert [each[0] for each in told.values()] == [0.75, 0.25, 0]
    assert all(isnan(each[1]) for each in told.values())


def test_datagrams_have_no_limit(tmp_path):
    cbr = '[workload]\nkind = "cbr"\nrate = "1 Mbit/s"\n'
    results = made(tmp_path, PATH + cbr)
    assert all(isnan(each) for each in limits(results)[0])
    assert all(METRICS[name].undefined for name in NAMES)


def test_run_show_and_report_say_it(tmp_path, capsys):
    file = tmp_path / "lab.toml"
    file.write_text(PATH, encoding="utf-8")
    assert main(["run", str(file), "--set", *WINDOW]) == 0
    assert f"Note: {SENTENCE}\n" in capsys.readouterr().out
    assert main(["show", str(file), "--metric", "rwnd_limited"]) == 0
    shown = capsys.readouterr().out
    assert "Limited by the receive window" in shown
    assert f"Note: {SENTENCE}\n" in shown
    assert main(["report", str(file), "--out", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert f'<p class="note">{SENTENCE}.</p>' in page
