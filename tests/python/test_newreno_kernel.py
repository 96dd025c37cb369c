"""Table III with the kernel: tables, conclusions and Markdown of made-up runs, by hand."""

from math import isnan, nan

import pandas as pd
import pytest

from ackclock.studies.machinery.request import Request
from ackclock.studies.machinery.settings import scenario_of as scenario_of_part
from ackclock.studies.machinery.settings import scenarios
from ackclock.studies.newreno import published
from ackclock.studies.newreno.kernel.conventions import (
    ACKS,
    CONVENTIONS,
    EACH_ACKED,
    KERNEL,
    LIMITED,
    LINUX,
    NAMES,
    PRINTED,
    SEGMENTS,
    STUDY_OWN,
    scenario_of,
)
from ackclock.studies.newreno.kernel.request import convention_problems
from ackclock.studies.newreno.kernel.tables import KernelResult, beside_table, steps_table
from ackclock.studies.newreno.kernel.words import (
    NOTHING,
    causes,
    conclusions,
    deviation_pct,
    markdown,
)
from ackclock.studies.newreno.levels import CURVES, EMULATION, Curve
from ackclock.studies.newreno.study import STUDY
from newreno_runs import of, one

LOSSES = CURVES[Curve(EMULATION)]
PAPER = published.emulation().set_index("imposed_loss_pct")
PAPER_BIT_S = 8 * PAPER["bytes"] / PAPER["duration_s"]
OF_PAPER = {
    KERNEL: 1.5,
    ACKS: 0.9,
    STUDY_OWN: 1.05,
    SEGMENTS: 1.4,
    LIMITED: 1.43,
    LINUX: 1.47,
    EACH_ACKED: 1.6,
}


def runs(replications: int = 1, verdicts: dict[tuple[float, int], str] | None = None):
    """A row a run; a tenth more in each replication, twice as much in those that are invalid."""
    rows = []
    for system, factor in OF_PAPER.items():
        for loss in LOSSES:
            for k in range(replications + (system != KERNEL)):
                verdict = (verdicts or {}).get((loss, k), "valid") if system == KERNEL else nan
                wrong = 2 if verdict == "invalid" else 1
                rows.append(
                    {
                        "system": system,
                        "imposed_loss_pct": loss,
                        "replication": k,
                        "verdict": verdict,
                        "transfer_s": 250.0,
                        "throughput_bit_s": PAPER_BIT_S[loss] * factor * (1 + 0.1 * k) * wrong,
                        "timeouts": 10 * loss,
                        "fast_retransmits": 300,
                        "rtt_s": 0.055,
                        "p": 0.01,
                        "acks_per_segment": 1.0 if system == EACH_ACKED else 0.64,
                    }
                )
    return pd.DataFrame(rows)


def test_all_stand_beside_the_paper_and_the_kernel():
    table = beside_table(runs())
    assert list(table["system"][:8]) == [PRINTED, KERNEL, *CONVENTIONS]
    assert len(table) == 8 * len(LOSSES)
    row = one(table, imposed_loss_pct=2.0, system=SEGMENTS)
    assert row.of_paper == pytest.approx(1.4)
    assert row.of_kernel == pytest.approx(1.4 / 1.5)
    assert isnan(row.throughput_bit_s_lo)
    paper = one(table, imposed_loss_pct=2.0, system=PRINTED)
    assert paper.throughput_bit_s == pytest.approx(8 * 72544825 / 501.92)
    assert paper.of_kernel == pytest.approx(1 / 1.5)
    assert (paper.timeouts, paper.fast_retransmits) == (68, 864)
    assert paper.p == pytest.approx((68 + 864) / (72544825 / 1448))
    assert isnan(paper.acks_per_segment)


def test_only_the_kernels_replications_are_compared():
    row = one(beside_table(runs(2)), imposed_loss_pct=1.0, system=ACKS)
    assert row.n == 2
    assert row.of_paper == pytest.approx(0.9 * 1.05)
    # Both are a tenth more in the second replication: the ratio of the pairs has no width.
    assert (row.of_kernel_lo, row.of_kernel_hi) == pytest.approx((0.6, 0.6))


def test_an_invalid_replication_is_left_out_on_both_sides():
    table = beside_table(runs(3, {(1.0, 1): "invalid", (1.0, 2): "degraded"}))
    kernel = one(table, imposed_loss_pct=1.0, system=KERNEL)
    assert kernel.verdict == "invalid 1 of 3, degraded 1 of 3"
    assert kernel.counted
    assert kernel.n == one(table, imposed_loss_pct=1.0, system=LINUX).n == 2
    assert kernel.of_paper == pytest.approx(1.5 * 1.1)


def test_a_loss_whose_runs_are_all_invalid_is_shown_and_not_counted():
    verdicts = {(0.5, 0): "invalid"}
    table, steps = beside_table(runs(1, verdicts)), steps_table(runs(1, verdicts))
    row = one(table, imposed_loss_pct=0.5, system=KERNEL)
    assert not row.counted
    assert row.of_paper == pytest.approx(3.0)
    assert table.loc[table["imposed_loss_pct"] > 0.5, "counted"].all()
    assert "is 1.50 of the paper's" in conclusions(table, steps)[0]
    assert "at 5 of 5 imposed losses" in " ".join(conclusions(table, steps))


def test_without_one_believable_run_nothing_is_concluded_of_the_kernel():
    verdicts = dict.fromkeys(((loss, 0) for loss in LOSSES), "invalid")
    made = runs(1, verdicts)
    told = conclusions(beside_table(made), steps_table(made))
    assert told[0] == NOTHING
    assert not any("Nearest to the kernel" in each for each in told)
    assert (
        "nothing can be said"
        in dict(causes(beside_table(made), steps_table(made)))["What is left to the kernel"]
    )


def test_what_each_step_is_worth():
    steps = steps_table(runs(1))
    row = one(steps, before=STUDY_OWN, after=SEGMENTS, imposed_loss_pct=3.0)
    assert row.change_pct == pytest.approx(100 * (1.4 / 1.05 - 1))
    # What is only simulated has more replications than the kernel has.
    assert row.n == 2
    assert (row.change_pct_lo, row.change_pct_hi) == pytest.approx((row.change_pct,) * 2)
    last = one(steps, before=LINUX, after=KERNEL, imposed_loss_pct=3.0)
    assert last.change_pct == pytest.approx(100 * (1.5 / 1.47 - 1))
    assert last.n == 1
    first = one(steps, before=PRINTED, after=ACKS, imposed_loss_pct=3.0)
    assert first.change_pct == pytest.approx(100 * (0.9 * 1.05 - 1))


def test_the_steps_lead_from_the_paper_to_the_kernel():
    factor = 1.0
    one_replication = runs(1)
    one_replication = one_replication[one_replication["replication"] == 0]
    for row in of(steps_table(one_replication), imposed_loss_pct=1.5).itertuples():
        factor *= 1 if row.after == EACH_ACKED else 1 + row.change_pct / 100
    assert factor == pytest.approx(OF_PAPER[KERNEL])


def test_who_is_nearest_follows_from_the_numbers():
    table, steps = beside_table(runs()), steps_table(runs())
    assert deviation_pct(table, SEGMENTS, "of_kernel") == pytest.approx(100 / 15)
    text = " ".join(conclusions(table, steps))
    assert (
        f"Nearest to the kernel of the three conventions is {NAMES[SEGMENTS]}: on average" in text
    )
    assert (
        f"Nearest to the paper of the three conventions is {NAMES[STUDY_OWN]}: on average" in text
    )
    other = runs()
    kernel = other["system"] == KERNEL
    other.loc[kernel, "throughput_bit_s"] *= 0.6
    text = " ".join(conclusions(beside_table(other), steps_table(other)))
    assert f"Nearest to the kernel of the three conventions is {NAMES[ACKS]}: on average" in text


def test_causes_tell_what_was_measured():
    told = dict(causes(beside_table(runs()), steps_table(runs())))
    assert "sends 0.64 of them for each segment" in told["Growth per segment"]
    assert "this alone changes throughput by +25 %" in told["Growth per segment"]
    assert "+33.3 % (+33.3 to +33.3)" in told["Growth per segment"]
    assert "35 time-outs in 500 s in place of 35" in told["Limited transmit"]
    assert "+2.8 % (+2.8 to +2.8)" in told["Whole segments"]
    assert "+2.0 % (+2.0 to +2.0)" in told["What is left to the kernel"]


def test_a_kernel_that_does_not_count_time_outs_is_told_of():
    made = runs()
    made.loc[made["system"] == KERNEL, ["timeouts", "p"]] = nan
    told = conclusions(beside_table(made), steps_table(made))
    assert "kernel: not known" in told[-1]
    assert not any("nan" in each.split() for each in told)


def test_the_page_to_paste_has_all_tables():
    made = runs(1, {(0.5, 0): "invalid"})
    result = KernelResult(made, "6.99", "packets left late", None, ())
    lines = markdown(result).splitlines()
    assert lines[0].startswith("Linux 6.99, profile newreno-classic; transfers: 6, each of 250 s")
    assert "invalid 1 of 6" in lines[0]
    assert "The printed transfers last 502 s" in lines[0]
    tables = [line for line in lines if line.startswith("|")]
    assert len(tables) == 2 + 6 + 2 + 6 * 8 + 2 + 7
    (row,) = (line for line in tables if line.startswith("| 2 | 1.16 |"))
    numbers = [1.16, 1.73, 1.04, 1.21, 1.62, 1.70, 1.50, 0.60, 0.70, 0.93, 0.98]
    assert row == f"| 2 | {' | '.join(f'{each:.2f}' for each in numbers)} | valid |"
    assert "| 0.5 | paper | 5 | 555 | 55.6 | 0.48 | – |" in tables
    assert all("nan" not in line for line in lines)


def test_conventions_differ_in_what_they_say_and_in_nothing_else():
    request = Request(STUDY)

    def tcps(convention):
        (first, *_) = scenario_of(request, convention).points()
        plan = first.compile().plan
        return plan.pop("tcps"), plan

    plans = {convention: tcps(convention) for convention in CONVENTIONS}
    rest = [plan for _, plan in plans.values()]
    assert all(plan == rest[0] for plan in rest)
    sender, receiver = plans[LINUX][0]
    assert sender["options"]["growth"] == "bytes"
    assert sender["options"]["min_rto_of"] == "variance"
    assert sender["options"]["limited_transmit"]
    assert sender["options"]["ssthresh_rounding"] == "segments"
    assert plans[LIMITED][0][0]["options"] == {
        **sender["options"],
        "ssthresh_rounding": "bytes",
    }
    assert receiver["options"]["delayed_ack_ps"] == 40 * 10**9
    acks = plans[ACKS][0][0]["options"]
    assert (acks["growth"], acks["min_rto_ps"], acks["min_rto_of"]) == ("acks", 10**12, "rto")
    its = scenario_of_part(STUDY.part(EMULATION), request)
    assert plans[STUDY_OWN][0] == its.points()[0].compile().plan["tcps"]
    assert plans[EACH_ACKED][0][1]["options"]["delayed_ack_ps"] is None


def test_what_the_user_sets_changes_the_study_and_not_the_conventions():
    sets = ("variables.testbed_min_rto=400 ms",)
    request = Request(STUDY, sets, options={"emulation-duration": "60 s"})

    def floor(convention):
        its = scenario_of(request, convention).points()[0].compile().plan
        assert its["duration_ps"] == 60 * 10**12
        return its["tcps"][0]["options"]["min_rto_ps"] // 10**9

    assert [floor(each) for each in (ACKS, STUDY_OWN, SEGMENTS)] == [1000, 400, 200]


def test_a_key_that_is_written_in_another_way_is_told():
    request = Request(STUDY, ('variables."testbed_min_rto"=400 ms',))
    assert scenarios(request)
    problems = convention_problems(request)
    assert "already set" in problems[0]


@pytest.mark.parametrize(
    ("duration", "told"),
    [
        (None, ""),
        ("120 s", ""),
        ("6 s", "may begin 7 s after the start"),
        ("soon", "is not a time"),
        ("0 s", "may begin 7 s after the start"),
    ],
)
def test_a_duration_must_leave_time_for_the_transfer(duration, told):
    problems = convention_problems(Request(STUDY, options={"emulation-duration": duration}))
    assert bool(problems) == bool(told)
    assert all(told in problem and "--emulation-duration" in problem for problem in problems)
