"""The study of L4S under test."""

from ackclock.studies.l4s import metrics as m
from ackclock.studies.l4s.levels import DEAF, GRID, LAW, MEASURED, QUEUES
from ackclock.studies.l4s.model import rate_bit_s
from modern_cases import Break, Example

_PAIR = {
    m.PRAGUE: 10e6,
    m.CUBIC: 10e6,
    m.RATIO: 1.0,
    m.WINDOWS: 0.8,
    m.L_MEAN: 0.0005,
    m.L_P99: 0.001,
    m.C_MEAN: 0.015,
    m.C_P99: 0.03,
    m.UTILISATION: 0.99,
    m.SENT_AGAIN: 0.0,
}


def _row(part, point):
    if part in (GRID, MEASURED):
        return _PAIR
    if part == QUEUES:
        return {**_PAIR, m.L_MEAN: 0.0005 if point.queue == "DualPI2" else 0.01}
    if part == LAW:
        return {m.RATE: rate_bit_s(point.mark_share)}
    assert part == DEAF
    return {m.CUBIC_SHARE: 0.12, m.C_MEAN: 0.015, m.UTILISATION: 0.99}


def _is_fast(point):
    return point == (120_000_000, 0.02)


EXAMPLE = Example(
    name="l4s",
    small={"parts": (GRID, DEAF), "rates": (4_000_000,), "rtts": (0.005, 0.01), "loads": (0.9,)},
    command=f"--parts {GRID},{DEAF} --rates 4e+06 --rtts 0.005,0.01 --loads 0.9",
    files=tuple(f"{part}-{what}" for part in (GRID, DEAF) for what in ("results", "runs")),
    other={"parts": (GRID,), "rates": (4_000_000,), "rtts": (0.005,)},
    gone=(f"{DEAF}-results", f"{DEAF}-runs"),
    row=_row,
    breaks=(
        Break("rates-alike", GRID, m.RATIO, 3, lambda its: its == (4_000_000, 0.005)),
        Break("rates-nearly-equal", GRID, m.RATIO, 1.5, _is_fast),
        Break("windows-alike", GRID, m.WINDOWS, 0.5, _is_fast),
        Break("short-waits", GRID, m.L_MEAN, 3, _is_fast),
        Break("short-waits", GRID, m.L_P99, 3, _is_fast),
        Break("classic-near-target", GRID, m.C_MEAN, 0.5, _is_fast),
        Break("no-loss-and-full", GRID, m.UTILISATION, 0.9, _is_fast),
        Break(
            "one-queue-for-each-is-slower", QUEUES, m.L_MEAN, 0.1, lambda its: its.queue == "PIE"
        ),
        Break("rate-by-marks", LAW, m.RATE, 1.3, lambda its: its.mark_share == 0.1),
        Break(
            "rate-whatever-the-rtt",
            LAW,
            m.RATE,
            1.3,
            lambda its: its == (0.1, 0.005),
            also=("rate-by-marks",),
        ),
        Break("classic-protected", DEAF, m.CUBIC_SHARE, 0.5, lambda its: its.load_share == 0.9),
    ),
)
