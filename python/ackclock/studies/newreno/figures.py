"""The figures of the report, under the numbers that they have in the paper."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from ackclock.report.blocks import Drawing, Figure, drawing
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.words import bars, provenance
from ackclock.studies.newreno import drawings
from ackclock.studies.newreno.drawings import Drawn
from ackclock.studies.newreno.levels import (
    BACKGROUND,
    BERNOULLI,
    BOTTLENECKS,
    BUFFER,
    BURSTY,
    CURVE,
    EMULATION,
    FREQUENT,
    FULL,
    IMPATIENT,
    QUEUE_NAMES,
    RARE,
    SCALING,
    STEADY,
    UDP,
    VARIANTS,
    Curve,
)


class _Panel(NamedTuple):
    """A drawing of a figure: of which curve, its name, and how it is drawn."""

    curve: Curve
    name: str
    drawn: Drawn = Drawn()


_TWO = {
    part: tuple(_Panel(Curve(part, queue), name) for queue, name in QUEUE_NAMES.items())
    for part in (BACKGROUND, BOTTLENECKS, UDP)
}
_FIGURES: dict[str, tuple[str, tuple[_Panel, ...], str]] = {
    BURSTY: (
        "6",
        (
            _Panel(Curve(BURSTY, variant=RARE), RARE),
            _Panel(Curve(BURSTY, variant=FREQUENT), FREQUENT),
        ),
        "Loss events of back-to-back drops. The formulas of NewReno take q from Eq. 30",
    ),
    BERNOULLI: (
        "7",
        (_Panel(Curve(BERNOULLI), "", Drawn(logarithmic=True)),),
        "Independent losses, without a queue that drops",
    ),
    BACKGROUND: ("9", _TWO[BACKGROUND], "Web sessions and file transfers behind one queue"),
    BOTTLENECKS: ("10", _TWO[BOTTLENECKS], "The same behind two bottlenecks in a row"),
    UDP: ("11", _TWO[UDP], "On-off UDP flows beside web sessions and file transfers"),
    SCALING: ("12", (_Panel(Curve(SCALING), ""),), "Rate, queue and background scaled together"),
    BUFFER: ("13", (_Panel(Curve(BUFFER), ""),), "Queue limit"),
    EMULATION: ("15", (_Panel(Curve(EMULATION), ""),), "The transfers of section V"),
}
"""By part: number in the paper, panels, and what they show."""


def throughput_figure(result: StudyResult, part: str) -> Figure | None:
    """Throughput of the measured flows of a part, and what the formulas say of it."""
    number, panels, about = _FIGURES[part]
    shown = [(panel, _rows(result, panel.curve)) for panel in panels]
    shown = [(panel, rows) for panel, rows in shown if len(rows)]
    if not shown:
        return None
    drawn = []
    for at, (panel, rows) in enumerate(shown):
        title = ", ".join(filter(None, (f"Figure {number}: {about}", panel.name)))
        figure = drawings.throughput(rows, panel.curve, panel.drawn)
        drawn.append(_drawing(figure, f"figure-{number}-{at}", title))
    names = [panel.name for panel, _ in shown if panel.name]
    sides = f" ({'; '.join(names)})" if names else ""
    caption = (
        f"Figure {number} of the paper{sides}. {about}. Points are simulated. Lines are the "
        f"predictions of each formula from NewReno's own losses and round-trip times.{bars(result)}"
    )
    return Figure(f"throughput-{part}", caption, _source(result, part), drawn)


def loss_rates_figure(result: StudyResult) -> Figure | None:
    """Figure 8."""
    curve = Curve(BERNOULLI)
    rows = _rows(result, curve)
    if rows.empty:
        return None
    title = "Figure 8: losses of the flows"
    drawn = _drawing(drawings.loss_rates(rows, curve), "figure-8", title)
    caption = (
        "Figure 8 of the paper. Lost segments and loss events, as shares of the segments sent, "
        "against the imposed loss."
    )
    return Figure("loss-rates", caption, _source(result, BERNOULLI), [drawn])


def variants_figure(result: StudyResult) -> Figure | None:
    """The variants of NewReno that section IV-B describes in words."""
    results = result.tables["results"]
    rows = results[results["part"] == VARIANTS] if len(results) else results
    if rows.empty:
        return None
    drawn = []
    for at, (rate, kinds) in enumerate(
        ((RARE, (STEADY, IMPATIENT, FULL)), (FREQUENT, (STEADY, FULL)))
    ):
        its = [(Curve(VARIANTS, variant=f"{kind}, {rate}"), kind) for kind in kinds]
        drawn.append(
            _drawing(drawings.variants(rows, its), f"variants-{at}", f"Variants of NewReno, {rate}")
        )
    caption = (
        f"Variants of NewReno ({RARE}; {FREQUENT}). Slow-but-steady restarts the timer at every "
        "partial ACK, impatient at the first one only, both with partial deflation; full "
        f"deflation is slow-but-steady.{bars(result)}"
    )
    return Figure("variants-figure", caption, _source(result, VARIANTS), drawn)


def _rows(result: StudyResult, curve: Curve) -> pd.DataFrame:
    results = result.tables["results"]
    return results[(results[CURVE] == list(curve)).all(axis=1)] if len(results) else results


def _drawing(figure: object, id: str, title: str) -> Drawing:
    return drawing(figure, id, title, "Throughput of the measured flows; values in results.csv.")


def _source(result: StudyResult, part: str) -> str:
    return provenance(result, result.parts[part].runs)
