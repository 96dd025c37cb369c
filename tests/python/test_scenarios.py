"""The teaching set shows what its first lines say; the tutorial does and prints what it shows.

The scenarios run with fewer replications than they have, so a lesson is asked for as an inequality
that holds with room to spare. Those about queues and paths are in test_scenarios_queues.py.

The tutorial is followed from its first line to its last in one folder. A block of ``console`` is
typed, see ``consoles``, and ``^C`` in it is a Ctrl-C once the first new run has ended; a block with
the name of a file is that file, or a ``diff`` of it; a block of ``pycon`` is a session of Python,
which goes on in the next. What is printed is compared, but for blanks and ``...``. With
ACKCLOCK_UPDATE=1 in the environment (`make docs-outputs`) the page shows what its commands print
now, and its figures are drawn anew.
"""

import doctest
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import test_scenarios_queues
from consoles import PROGRESS, UPDATE, anew, same, typed
from teaching_set import ROOT, SCENARIOS, goodputs, means

RTT_S = 0.1  # of slow_start and drops_in_a_window
TUTORIAL = ROOT / "docs" / "tutorial.md"
IMAGES = {"goodput.png": "tutorial.png", "traces.png": "tutorial-traces.png"}
FENCE = re.compile(r"^```(\S+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAME = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SECONDS = 120  # a command should take less than 10; a busy machine is no failure


def test_slow_start(lab):
    results = lab(1)
    seconds = means(results, "completion_s")
    for size in (14e3, 140e3, 1.4e6, 14e6):
        assert 2.5 * RTT_S < seconds[size, 1] - seconds[size, 10] < 3.5 * RTT_S
    assert seconds[14e3, 10] < 0.5 * seconds[14e3, 1]
    assert seconds[14e6, 10] > 0.9 * seconds[14e6, 1]
    point = {"workload_size_bytes": 1_400_000, "tcp_initial_window": 1}
    cwnd = results.trace("flow", point=point).cwnd.set_index("time_s")["cwnd_bytes"]
    for trip in range(1, 7):  # the trip before is that of the SYN
        assert cwnd[: (trip + 0.5) * RTT_S].iloc[-1] == 1460 * 2 ** (trip - 1)


def test_receive_window(lab):
    results = lab(1)
    goodput = means(results, "goodput_bit_s").to_numpy()
    limited = means(results, "rwnd_limited").to_numpy()
    for at, buffer in enumerate((64e3, 1e6)):  # a window a round trip of 42 ms
        assert goodput[at] == pytest.approx(8 * buffer / 0.042, rel=0.02)
        assert limited[at] > 0.99
    assert goodput[2] > 0.95e9
    assert limited[2] == 0


def test_drops_in_a_window(lab):
    results = lab(2)
    seconds, timeouts = means(results, "completion_s"), means(results, "timeouts")
    assert timeouts["vanilla"].min() >= 1
    assert timeouts[["newreno", "sack"]].max() == 0
    assert timeouts["reno"][1] == 0
    assert timeouts["reno"].loc[3:].min() >= 1
    assert seconds["reno", 3] > seconds["newreno", 3] + 1
    for lost in (3, 4, 6, 8):
        further = seconds["newreno", lost] - seconds["newreno", 2]
        assert further == pytest.approx((lost - 2) * RTT_S, rel=0.1)
    assert seconds["sack"].loc[:6].max() - seconds["sack"].min() < 0.5 * RTT_S
    # So many duplicate ACKs are missing that `pipe` leaves room for the last holes only a round
    # trip later.
    assert seconds["sack", 8] - seconds["sack", 1] == pytest.approx(RTT_S, rel=0.1)


def test_buffer_sizing(lab):
    one, same, mixed = means(lab(2), "utilisation").unstack(sort=False).to_numpy().T
    assert one[-1] > 0.99
    assert max(*one[:-1], *same[:-1]) < 0.98
    assert abs(same - one).max() < 0.06
    assert mixed[1] > one[2] + 0.01
    assert (mixed[:2] > same[:2] + 0.05).all()


def less_fair(results, first, second, by):
    """The goodput of one group over that of another, the same at the first level."""
    assert means(results, "jain_fairness").diff().max() < -by
    goodput = goodputs(results)
    ratio = goodput[first] / goodput[second]
    assert 0.8 < ratio[1] < 1.25
    return ratio


def test_rtt_unfairness(lab):
    assert less_fair(lab(4), "near", "far", by=0.04)[8] > 8


def test_satellite(lab):
    goodput = means(lab(3), "goodput_bit_s")
    assert goodput["newreno", 0.010, 0.001] > 0.95 * goodput["newreno", 0.010, 0.0001]
    assert goodput["newreno", 0.275, 0.001] < 0.4 * goodput["newreno", 0.010, 0.001]
    assert goodput["sack", 0.275, 0.001] == pytest.approx(goodput["newreno", 0.275, 0.001], rel=0.1)


def test_classic_and_modern(lab):
    results = lab(2)
    goodput = means(results, "goodput_bit_s")
    for flavor in ("newreno", "sack_rfc6675", "cubic"):
        assert goodput[flavor, 0] > 18e6
    for loss in (0.0001, 0.001, 0.01):
        assert goodput["cubic", loss] > 1.4 * goodput["newreno", loss]
    assert goodput["cubic", 0.01] < 2e6
    for loss in (0.0001, 0.001):
        assert goodput["sack_rfc6675", loss] == pytest.approx(goodput["newreno", loss], rel=0.2)


def test_parking_lot(lab):
    assert less_fair(lab(2), "cross", "long", by=0.03)[4] > 5


def test_atm_ubr(lab):
    results = lab(5)
    efficiency, timeouts = (means(results, name) for name in ("efficiency", "timeouts"))
    assert (efficiency["epd"] > efficiency["tail"] + 0.2).all()
    assert (timeouts["tail"] > 5 * timeouts["epd"]).all()
    fairness = results.metrics.groupby("topology_port_policy")["jain_fairness"]
    assert fairness.min()["selective_drop"] > 0.95
    assert fairness.min()["epd"] < 0.8
    assert fairness.max()["epd"] > 0.95


def test_web_browsing(lab):
    results = lab(4)
    page, file = (means(results, name) for name in ("page_delay_s", "file_delay_s"))
    assert page.diff().max() < 0.03
    assert page[4] < 0.9 * page[1]
    assert 0.9 * file[1] < file[4] < 1.4 * file[1]
    dropped = means(results, "drop_share")
    assert dropped[4] > 1.4 * dropped[1]
    assert means(results, "utilisation").min() > 0.85


def test_data_centre_flows(lab):
    results = lab(3)
    small, large = (
        means(results, f"completion_{name}_s").unstack() for name in ("small_p99", "large_mean")
    )
    assert (small["CUBIC"] > 1.5 * small["DCTCP"]).all()
    assert small["CUBIC"][0.8] > 5 * small["DCTCP"][0.8]
    assert (small["DCTCP"] < 0.02).all()
    assert (large["DCTCP"] < 1.2 * large["CUBIC"]).all()
    timeouts = means(results, "timeouts").unstack()
    assert timeouts["DCTCP"].max() < 1 < timeouts["CUBIC"][0.8]
    offered = means(results, "offered_load").unstack()["CUBIC"]
    assert offered.to_numpy() == pytest.approx([0.3, 0.5, 0.8], rel=0.35)


def test_rpc(lab):
    # A round trip of 48 ms, and 200 kB in packets of 1500 bytes at 100 Mbit/s: 16.4 ms.
    results = lab(3)
    median, late = (means(results, f"response_{name}") for name in ("s", "p95_s"))
    assert median.loc[:0.2].to_numpy() == pytest.approx(0.067, abs=0.001)
    assert late[2, False] == pytest.approx(0.067, abs=0.001)
    assert late[2, True] > 3 * late[2, False]
    assert means(results, "drop_share").max() == 0


def test_video_over_lte(lab):
    results = lab(2)
    quality, switches, start = (
        means(results, name) for name in ("video_qoe", "rate_switches", "start_up_delay_s")
    )
    for flavor in ("cubic", "bbr"):
        assert quality["buffer", flavor] > quality["rate", flavor] + 0.3
        assert switches["buffer", flavor] < 0.6 * switches["rate", flavor]
    for adaptation in ("buffer", "rate"):
        assert start[adaptation, "bbr"] < 0.8 * start[adaptation, "cubic"]
    assert means(results, "rebuffer_ratio").max() < 0.05


def test_self_similar(lab):
    results = lab(3)
    late = means(results, "queue_delay_p99_s")
    assert late[1.2] > 3 * late[10]
    assert (means(results, "utilisation") - 0.87).abs().max() < 0.04


def test_loss_events(lab):
    results = lab(3)
    goodput, timeouts = (
        means(results, name).unstack() for name in ("foreground_goodput_bit_s", "timeouts")
    )
    newreno, reno, sack = (goodput.loc[name] for name in ("newreno", "reno", "sack_rfc6675"))
    assert newreno.diff().max() < 0
    assert newreno[10] < 0.87 * newreno[1]
    assert sack[10] > 0.95 * sack[1]
    assert reno[3] < 0.65 * reno[1]
    assert timeouts.loc["reno"][3] > 10
    assert timeouts.drop(index="reno").max(axis=None) < 5
    events = results.flows.groupby(list(results.factors), sort=False)["loss_events"].mean()
    assert events["sack_rfc6675"].min() > 0.8 * events["sack_rfc6675"].max()


def test_newreno_background(lab):
    results = lab(3)
    assert set(results.flows["flow"]) == {"transfer"}
    goodput = means(results, "foreground_goodput_bit_s").unstack(0)
    assert (goodput["newreno"] > 1.2 * goodput["reno"]).all()
    assert goodput.diff().max(axis=None) < 0
    assert means(results, "utilisation").min() > 0.9


def test_web_over_abr(lab):
    results = lab(3)
    lost, throughput, response = (
        means(results, name) for name in ("cells_lost", "throughput_bit_s", "response_s")
    )
    assert (lost["abr"] == 0).all()
    assert (lost["ubr"] > 1000).all()
    assert (throughput["abr"] > throughput["ubr"]).all()
    assert throughput["abr"][4] > 1.15 * throughput["ubr"][4]
    assert (response["abr"] < 0.8 * response["ubr"]).all()
    assert means(results, "timeouts")["abr"].max() == 0


def test_erica_parking_lot(lab):
    results = lab(1)
    fairness, delay, acr = (
        means(results, name)
        for name in ("abr_fairness", "abr_mean_queue_delay_s", "mean_acr_bit_s")
    )
    assert fairness["efci"] < 0.93
    assert fairness[["erica", "erica_plus"]].min() > 0.995
    assert acr["erica"] < 0.95 * acr["erica_plus"]
    assert delay["erica"] < 0.1e-3
    assert 0.3e-3 < delay["erica_plus"] < 0.9e-3
    received = {
        control: results.vcs(point={"topology_switch_rate_control": control})
        .set_index("vc")["cells_received"]
        .astype(float)
        for control in ("efci", "erica_plus")
    }
    assert received["efci"]["long"] < 0.6 * received["efci"]["hop 1"]
    assert received["erica_plus"]["long"] > 0.9 * received["erica_plus"]["hop 1"]


def test_guaranteed_rate(lab):
    results = lab(3)
    short, long = (means(results, "efficiency")[delay] for delay in (0.005, 0.05))
    # A short path: the policy is worth more than any share.
    assert min(short["epd", 0], short["selective_drop", 0]) > short["tail", 0] + 0.06
    for policy in ("tail", "epd", "selective_drop"):
        assert short[policy, 0.2] < short[policy, 0] + 0.12
        assert long[policy, 0] < 0.3
        assert long[policy, 0.1] > 1.25 * long[policy, 0]
        assert long[policy, 0.2] > 1.6 * long[policy, 0]
    tail, epd, selective_drop = long.unstack(0)[["tail", "epd", "selective_drop"]].to_numpy()[0]
    assert max(epd, selective_drop) < tail + 0.04
    timeouts = means(results, "timeouts")[0.05].unstack(0)
    assert (timeouts.loc[0.2] < timeouts.loc[0]).all()


def test_guaranteed_frame_rate(lab):
    results = lab(2)
    kept, lost, excess = (
        means(results, name).unstack(0)
        for name in ("mcr_share", "eligible_lost_share", "excess_fairness")
    )
    assert (kept["FIFO, EPD"] < 0.75).all()
    assert (kept["FIFO, DFBA"] > 0.85).all()
    for queues in ("WFQ, EPD", "WFQ, double EPD"):
        assert (kept[queues] > 0.98).all()
        assert (excess[queues] > excess["FIFO, DFBA"] + 0.05).all()
    assert (lost["WFQ, EPD"] > 0.003).all()
    assert (lost["WFQ, double EPD"] == 0).all()
    assert means(results, "utilisation").min() > 0.98
    goodput = goodputs(results)
    ratio = goodput["gold"] / goodput["bronze"]  # what was promised: 4
    assert 0.75 < ratio["FIFO, EPD", 1500] < 1.33
    assert (ratio["FIFO, DFBA"] > 1.8).all()
    assert (ratio["WFQ, EPD"] > 2.5).all()


def test_tail_losses(lab):
    results = lab(1)
    seconds, timeouts = means(results, "completion_s"), means(results, "timeouts")
    for tail in (1, 2, 5):
        assert timeouts[tail, "RACK-TLP"] == 0 < timeouts[tail, "RACK alone"]
        assert seconds[tail, "RACK-TLP"] < 0.5 < 1 < seconds[tail, "RFC 6675"]


def test_start_up(lab):
    again = means(lab(1), "retransmitted_share")
    assert again["HyStart"] == 0
    assert 0 < again["HyStart++"] < again["slow start"] / 2
    assert again["BBRv3"] < again["BBR"] < again["slow start"]
    assert again["slow start, paced"] > again["HyStart++"]


def test_lossy_path(lab):
    share = means(lab(1), "utilisation")
    assert all(share[flavor, 0] > 0.95 for flavor in ("reno_sack", "cubic", "bbr", "bbr3"))
    assert all(share[flavor, 0.01] < 0.06 for flavor in ("reno_sack", "cubic"))
    assert share["bbr", 0.05] > 0.85 > 0.1 > share["bbr3", 0.05]
    assert share["bbr", 0.2] < 0.2


def test_bbr_and_cubic(lab):
    results = lab(1)
    its = means(results, "foreground_goodput_bit_s")
    assert its[17] > 8e6
    assert its[33] > 7.5e6
    assert its[533] < 5e6
    delay = means(results, "queue_delay_p50_s")
    assert delay[533] > 10 * delay[33]


def test_each_scenario_has_a_lesson_and_a_test():
    assert SCENARIOS
    assert {f"test_{name}" for name in SCENARIOS} <= {*globals(), *vars(test_scenarios_queues)}
    for path in SCENARIOS.values():
        assert path.read_text(encoding="utf-8").startswith("# What to see: "), path.name


def test_the_tutorial(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = TUTORIAL.read_text(encoding="utf-8")
    session, update = {}, text
    for block in FENCE.finditer(text):
        language, file, body = block.groups()
        line = text.count("\n", 0, block.start()) + 1
        if language == "console":
            written = type_commands(body, line)
            update = update.replace(body, written)
        elif language == "pycon":
            type_python(body, session, line)
        elif language == "diff":
            Path(file).write_text(changed(Path(file).read_text(), body), encoding="utf-8")
        elif file:
            Path(file).write_text(body, encoding="utf-8")
    for made, kept in IMAGES.items():
        assert Path(made).stat().st_size > 0
        assert f"](images/{kept})" in text
        if UPDATE:
            shutil.copy(made, ROOT / "docs" / "images" / kept)
    if UPDATE:
        TUTORIAL.write_text(update, encoding="utf-8")


def type_commands(block, line):
    """Run the commands of a block and compare what they print and how they end.

    Returns:
        The block with what is printed now.
    """
    session, printed = typed(block), []
    assert session, f"line {line}: no command"
    for each in session:
        program, *words = shlex.split(each.command)
        assert program == "ackclock", f"line {line}: not run here: mark the block sh instead"
        interrupted = each.shown[:1] == ["^C"]
        ended, said = result_of(words, interrupted=interrupted)
        assert ended == each.code, said
        printed.append(f"^C\n{said}" if interrupted else said)
        if not UPDATE:
            shown = "\n".join(each.shown)
            assert same(shown, printed[-1]), f"line {line}: $ {each.command}\n{said}"
    return anew(block, printed)


def result_of(words, *, interrupted):
    """Exit code, and what a command prints: messages before results."""
    journal = Path("lab.results/journal.jsonl")
    before = journal.stat().st_size if interrupted else 0
    run = subprocess.Popen(
        [sys.executable, "-m", "ackclock", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while interrupted and run.poll() is None and journal.stat().st_size == before:
        time.sleep(0.005)
    if interrupted:
        run.send_signal(signal.SIGINT)
    output, messages = run.communicate(timeout=SECONDS)
    return run.returncode, PROGRESS.sub("", messages) + output


def type_python(block, session, line):
    """Run a session of Python and compare what it prints."""
    test = doctest.DocTestParser().get_doctest(block, {}, f"line {line}", None, line)
    test.globs = session
    failures = []
    doctest.DocTestRunner(optionflags=SAME).run(test, out=failures.append, clear_globs=False)
    assert not failures, "".join(failures)


def changed(text, diff):
    """A text after a change: what leaves and stays, found once, becomes what stays and comes."""
    lines = diff.splitlines(keepends=True)
    old = "".join(line[1:] or "\n" for line in lines if not line.startswith("+"))
    new = "".join(line[1:] or "\n" for line in lines if not line.startswith("-"))
    assert text.count(old) == 1, f"not found once:\n{old}"
    return text.replace(old, new)
