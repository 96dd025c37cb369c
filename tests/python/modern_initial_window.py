"""The study of initial windows under test."""

from ackclock.studies.initial_window import metrics as m
from ackclock.studies.initial_window.levels import FAST, PAGES, ROUNDS, SLOW
from ackclock.studies.initial_window.model import rounds
from modern_cases import Break, Example


def _row(part, point):
    if part == ROUNDS:
        return {m.ROUND_TRIPS: rounds(*point), m.COMPLETION: 0.5}
    assert part == PAGES
    return {
        m.PAGE_DELAY: 2 / point.initial_window,
        m.SENT_AGAIN: point.initial_window / 100,
        "timeouts": 1.0,
        "utilisation": 0.5,
    }


EXAMPLE = Example(
    name="initial-window",
    small={"windows": (3, 10), "segments": (10, 30), "rates": (FAST,), "objects": (8_000, 32_000)},
    command="--windows 3,10 --segments 10,30 --rates 1e+07 --objects 8000,32000",
    files=tuple(f"{part}-{what}" for part in (ROUNDS, PAGES) for what in ("results", "runs")),
    other={"parts": (ROUNDS,), "windows": (3,), "segments": (10,)},
    gone=(f"{PAGES}-results", f"{PAGES}-runs"),
    row=_row,
    breaks=(
        Break("round-trips", ROUNDS, m.ROUND_TRIPS, 1.5, lambda its: its == (4, 30)),
        Break("pages-sooner", PAGES, m.PAGE_DELAY, 4, lambda its: its == (10, FAST, 8_000)),
        Break("more-sent-again", PAGES, m.SENT_AGAIN, 0.2, lambda its: its == (10, SLOW, 32_000)),
    ),
)
