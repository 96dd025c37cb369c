"""The study of loss repair under test."""

from ackclock.studies.tail_loss import metrics as m
from ackclock.studies.tail_loss.levels import LINUX, REDUCTION, REORDERING, RFC, SPIKE, TAIL
from ackclock.studies.tail_loss.model import probe_s
from modern_cases import Break, Example


def _row(part, point):
    if part == TAIL:
        return {m.PROBE: probe_s(*point), m.COMPLETION: 1.0, m.TIMEOUTS: 0.0}
    if part == REORDERING:
        again = 0.0 if point.spread_share <= 0.25 else 10.0
        # Something that a factor can make more of, but less than nothing.
        return {m.SPURIOUS: again or -1.0, m.LATE: -1.0, m.GOODPUT: 1e6}
    if part == REDUCTION:
        return {m.OVER_SSTHRESH: 0.5, m.BURST: 1.5, m.COMPLETION: 1.0}
    assert part == SPIKE
    return {m.SENT_AGAIN: 1.5, m.RESTORED: 1.0, m.TIMEOUTS: 2.0}


def _of(stack, tail):
    return lambda its: (its.stack, its.tail) == (stack, tail)


EXAMPLE = Example(
    name="tail-loss",
    small={
        "parts": (TAIL, REDUCTION),
        "stacks": (LINUX,),
        "rtts": (0.02,),
        "tails": (1, 2),
        "lost": (1,),
    },
    command=f"--parts {TAIL},{REDUCTION} --stacks {LINUX} --rtts 0.02 --tails 1,2 --lost 1",
    files=tuple(f"{part}-{what}" for part in (TAIL, REDUCTION) for what in ("results", "runs")),
    other={"parts": (REDUCTION,), "lost": (1,)},
    gone=(f"{TAIL}-results", f"{TAIL}-runs"),
    row=_row,
    breaks=(
        Break("probe-of-linux", TAIL, m.PROBE, 1.2, _of(LINUX, 4)),
        Break("probe-of-rfc", TAIL, m.PROBE, 1.2, _of(RFC, 2)),
        Break("probe-for-one-segment-of-rfc", TAIL, m.PROBE, 0.5, _of(RFC, 1)),
        Break("probe-for-one-segment-of-linux", TAIL, m.PROBE, 0.5, _of(LINUX, 1)),
        Break(
            "quarter-of-the-rtt",
            REORDERING,
            m.SPURIOUS,
            -1,
            lambda its: its == (0.2, False),
        ),
        Break(
            "quarter-of-the-rtt",
            REORDERING,
            m.SPURIOUS,
            -1,
            lambda its: its == (0.4, False),
        ),
        Break("dsack-widens", REORDERING, m.LATE, -1, lambda its: its == (0.5, True)),
        Break(
            "ends-at-ssthresh", REDUCTION, m.OVER_SSTHRESH, 4, lambda its: its.lost_segments == 3
        ),
        Break("two-at-once", REDUCTION, m.BURST, 4, lambda its: its.lost_segments == 30),
        Break("two-spurious", SPIKE, m.SENT_AGAIN, 2, lambda its: its.f_rto),
        Break("window-restored", SPIKE, m.RESTORED, 0.8, lambda its: its.f_rto),
    ),
)
