"""The tables of the report: how far each formula is off and where; Tables III and IV."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import pandas as pd

from ackclock.report.blocks import (
    Cell,
    Row,
    Table,
    heading,
    number,
    number_heading,
    published,
    row_heading,
)
from ackclock.report.numbers import MISSING, fixed, half_width, signed
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.tables import SOURCES, two_rows
from ackclock.studies.machinery.words import means
from ackclock.studies.newreno.analysis import TRUST
from ackclock.studies.newreno.levels import CURVE, FLOW_NAMES, NEWRENO, QUEUE_NAMES, RENO
from ackclock.studies.newreno.predictions import (
    FULL,
    MEASURED_Q,
    MEASURED_RTO,
    MODEL_NAMES,
    NOTO,
    PAPER,
    PFTK,
    PFTK_FULL,
)

_PRINTED = (PFTK, FULL)
"""Formulas of which the paper prints errors."""
_ALTERNATIVES = {
    PFTK: (PAPER, MEASURED_RTO),
    PFTK_FULL: (PAPER, MEASURED_RTO),
    NOTO: (PAPER, MEASURED_Q),
    FULL: (PAPER, MEASURED_Q, MEASURED_RTO),
}
"""Formulas with the inputs that are compared."""
_INPUT_WORDS = {PAPER: "as the paper", MEASURED_RTO: "RTO measured", MEASURED_Q: "q of Eq. 30"}
_CLASSES_PCT = (5, 10, 20, 50)
_MBIT, _KBIT = 1e6, 1e3


def errors_table(result: StudyResult) -> Table | None:
    """Mean errors of all formulas with the paper's inputs, beside the printed ones."""
    errors = result.tables["errors"]
    if errors.empty:
        return None
    rows = errors[errors["inputs"] == PAPER]
    head = [
        [
            heading("Experiment", rows=2),
            heading("Queue", rows=2),
            heading("Flow", rows=2),
            *(
                heading(f"{name} (%)", columns=2)
                if model in _PRINTED
                else Cell(f"{name} (%)", scope="col", rows=2, kind="number")
                for model, name in MODEL_NAMES.items()
            ),
        ],
        [number_heading(text) for _ in _PRINTED for text in SOURCES],
    ]
    groups = [_experiment(its) for _, its in rows.groupby("part", sort=False)]
    caption = (
        "Mean errors, |simulation − prediction| / simulation, over the points of each "
        f"experiment, with their range in small print. {means(result).capitalize()}. p, R and the "
        "throughput are "
        "those of the same run; q = p (of Eq. 30 for loss events), RTO = 3R."
    )
    return Table("errors-table", caption, head, groups)


def _experiment(errors: pd.DataFrame) -> list[Row]:
    rows: list[Row] = []
    for (*curve, flow), its in errors.groupby([*CURVE, "flow"], sort=False):
        by_model = {row.model: row for row in its.itertuples(index=False)}
        cells: list[Cell] = []
        for model in MODEL_NAMES:
            row = by_model[model]
            span = f"{row.least_error_pct:.0f} to {row.largest_error_pct:.0f}"
            half = half_width(row.mean_error_pct_lo, row.mean_error_pct_hi, 1)
            detail = ", ".join(filter(None, (half, span)))
            cells.append(number(fixed(row.mean_error_pct, 1), detail))
            if model in _PRINTED:
                cells.append(_published(row))
        rows.append([*_named(curve), Cell(FLOW_NAMES[flow]), *cells])
    return rows


def _named(curve: Sequence[str]) -> list[Cell]:
    """The first cells of a row: the experiment, and its queue."""
    part, queue, variant = curve
    name = ", ".join(filter(None, (part, variant)))
    return [row_heading(name), Cell(QUEUE_NAMES[queue], kind="word")]


def _errors_of(rows: pd.DataFrame, wanted: Sequence[tuple[str, str]]) -> list[Cell]:
    """Mean errors of formulas with some inputs, each with its bias."""
    by = {(row.model, row.inputs): row for row in rows.itertuples(index=False)}
    return [
        number(fixed(by[each].mean_error_pct, 1), f"bias {signed(by[each].bias_pct, 1)}")
        if each in by
        else number(MISSING)
        for each in wanted
    ]


def _of_newreno(result: StudyResult) -> pd.DataFrame:
    errors = result.tables["errors"]
    return errors[errors["flow"] == NEWRENO] if len(errors) else errors


def _published(row: tuple) -> Cell:
    if not isfinite(row.published_mean_pct):
        return published("")
    span = row.published_range_pct
    return published(f"{row.published_mean_pct:g}", span if isinstance(span, str) else "")


def inputs_table(result: StudyResult) -> Table | None:
    """What a measured time-out and a measured q change for NewReno."""
    rows = _of_newreno(result)
    if rows.empty:
        return None
    below = {
        f"{MODEL_NAMES[model]} (%)": [_INPUT_WORDS[each] for each in inputs]
        for model, inputs in _ALTERNATIVES.items()
    }
    wanted = [(model, each) for model, inputs in _ALTERNATIVES.items() for each in inputs]
    head = two_rows(("Experiment", "Queue"), below)
    body = [
        [*_named(curve), *_errors_of(its, wanted)] for curve, its in rows.groupby(CURVE, sort=False)
    ]
    caption = (
        "NewReno: effect of the inputs. Mean errors with the paper's inputs, with the measured "
        "mean first time-out instead of 3R, and with q from the measured losses by Eq. 30 instead "
        "of q = p. The bias is the mean of the signed errors. A prediction from a measured "
        "time-out exists only for runs that had a time-out."
    )
    return Table("inputs-table", caption, head, [body])


def trust_table(result: StudyResult) -> Table | None:
    """Which formula is within how many percent for NewReno, by experiment."""
    rows = _of_newreno(result)
    if rows.empty:
        return None
    limits = [f"up to {each} %" for each in _CLASSES_PCT] + [f"above {_CLASSES_PCT[-1]} %"]
    head = [[heading("Experiment"), heading("Queue"), *map(heading, limits)]]
    body: list[Row] = []
    for curve, its in rows[rows["inputs"] == PAPER].groupby(CURVE, sort=False):
        cells: list[list[str]] = [[] for _ in limits]
        for row in its.sort_values("mean_error_pct", kind="stable").itertuples(index=False):
            at = sum(row.mean_error_pct > limit for limit in _CLASSES_PCT)
            cells[at].append(f"{MODEL_NAMES[row.model]} {fixed(row.mean_error_pct, 0)}")
        body.append([*_named(curve), *(Cell("; ".join(each)) for each in cells)])
    caption = (
        "Which formula to use: mean error of each formula for NewReno's throughput by class, best "
        "formula first (%)."
    )
    return Table("trust-table", caption, head, [body])


def trust_by_loss_table(result: StudyResult) -> Table | None:
    """The errors by what the losses are like, whatever made them."""
    trust = result.tables["trust"]
    if trust.empty:
        return None
    wanted = [*((model, PAPER) for model in MODEL_NAMES), (FULL, MEASURED_Q), (FULL, MEASURED_RTO)]
    head = [
        heading("Loss event rate p"),
        heading("Losses in an event"),
        number_heading("Points"),
        *(
            number_heading(
                f"{MODEL_NAMES[model]} (%)", "" if inputs == PAPER else _INPUT_WORDS[inputs]
            )
            for model, inputs in wanted
        ),
    ]
    groups = []
    for _, rates in trust.groupby(TRUST[:2], sort=False):
        group: list[Row] = []
        for limits, its in rates.groupby(TRUST, sort=False):
            names = _between(*limits[:2], " %"), _between(*limits[2:], "")
            first = [Cell(each, scope="row") for each in names]
            points = number(str(its["points"].max()))
            group.append([*first, points, *_errors_of(its, wanted)])
        groups.append(group)
    caption = (
        "Which formula to use: all points of all experiments together, by the loss event rate and "
        "by the losses per loss event of the NewReno flow. Mean errors over all runs, and the "
        "mean of the signed errors."
    )
    return Table("trust-by-loss-table", caption, [head], groups)


def _between(low: float, high: float, unit: str) -> str:
    return f"{low:g} to {high:g}{unit}" if high < 100 else f"{low:g}{unit} and more"


def advantage_table(result: StudyResult, part: str) -> Table | None:
    """Throughput of both flows at each point of a part, and by how much NewReno's is larger."""
    results = result.tables["results"]
    rows = results[results["part"] == part] if len(results) else results
    if rows.empty or RENO not in set(rows["flow"]):
        return None
    names = (
        "x",
        "NewReno (Mbit/s)",
        "Reno (Mbit/s)",
        "NewReno above Reno (%)",
        "p, NewReno (%)",
        "Losses in an event",
        "R (ms)",
        "First time-out (R)",
    )
    head = [heading("Queue"), *map(number_heading, names)]
    groups = [
        [_both(queue, x, flows) for x, flows in its.groupby("x", sort=False)]
        for queue, its in rows.groupby("queue", sort=False)
    ]
    caption = (
        f"Throughput, {means(result)}, and the losses and round-trip times of the NewReno flow."
    )
    return Table(f"flows-{part}", caption, [head], groups)


def _both(queue: str, x: float, flows: pd.DataFrame) -> Row:
    by = {row.flow: row for row in flows.itertuples(index=False)}
    newreno, reno = by[NEWRENO], by[RENO]

    def throughput(row: tuple) -> Cell:
        lo, hi = row.throughput_bit_s_lo / _MBIT, row.throughput_bit_s_hi / _MBIT
        return number(fixed(row.throughput_bit_s / _MBIT), half_width(lo, hi))

    above = 100 * (newreno.throughput_bit_s / reno.throughput_bit_s - 1)
    per_event = newreno.loss_rate / newreno.p if newreno.p > 0 else float("nan")
    return [
        row_heading(QUEUE_NAMES[queue]),
        number(f"{x:g}"),
        throughput(newreno),
        throughput(reno),
        number(signed(above, 1)),
        number(fixed(100 * newreno.p, 2)),
        number(fixed(per_event, 2)),
        number(fixed(1e3 * newreno.rtt_s, 1)),
        number(fixed(newreno.first_rto_s / newreno.rtt_s, 2)),
    ]


def emulation_table(result: StudyResult) -> Table | None:
    """Table III, simulated beside printed, and the Full model on both."""
    table = result.tables["emulation"]
    if table.empty:
        return None
    pairs = ("R (ms)", "p (%)", "Time-outs", "Fast recoveries", "NewReno, Full: error (%)")
    below = {"Throughput (Mbit/s)": (*SOURCES, "ratio"), **dict.fromkeys(pairs, SOURCES)}
    rows = [_emulated(row) for row in table.itertuples(index=False)]
    caption = (
        f"Table III. Simulated: {means(result)}. Errors are those of the prediction with q = p and "
        "RTO = 3R, from simulated and from printed inputs; the paper's text has a mean error of "
        "11 % and a largest error of 21 %. These do not follow from its printed numbers with any "
        "RTO that is a multiple of R."
    )
    return Table("emulation-table", caption, two_rows(("Imposed loss",), below), [rows])


def _emulated(row: tuple) -> Row:
    lo, hi = row.throughput_bit_s_lo / _MBIT, row.throughput_bit_s_hi / _MBIT
    return [
        number(f"{row.imposed_loss_pct:g} %"),
        number(fixed(row.throughput_bit_s / _MBIT), half_width(lo, hi)),
        published(fixed(row.published_bit_s / _MBIT)),
        number(fixed(row.ratio)),
        number(fixed(1e3 * row.rtt_s, 2)),
        published(fixed(1e3 * row.published_rtt_s, 2)),
        number(fixed(100 * row.p, 2)),
        published(fixed(100 * row.published_p, 2)),
        number(fixed(row.timeouts, 0)),
        published(f"{row.published_timeouts}"),
        number(fixed(row.fast_retransmits, 0)),
        published(f"{row.published_fast_retransmits}"),
        number(signed(row.model_error_pct, 1)),
        published(signed(row.published_model_error_pct, 1)),
    ]


def internet_table(result: StudyResult) -> Table | None:
    """Table IV: what follows from its counts."""
    table = result.tables["internet"]
    if table.empty:
        return None
    below = {
        "p (%)": ("computed", "published"),
        "Throughput (kbit/s)": ("computed", "published"),
        "NewReno, Full, RTO = 3R (kbit/s)": ("prediction", "error (%)"),
        "NewReno, Full, printed (kbit/s)": ("prediction", "error (%)"),
        "Time-out that this implies": ("s", "R"),
    }
    rows = [_computed(row) for row in table.itertuples(index=False)]
    caption = (
        "Table IV, computed again from its printed counts, round-trip times and durations, for a "
        "file of 3477 segments. Loss event rates and throughputs follow exactly. The predictions "
        "do not follow with any multiple of R: the last two columns are the time-outs with which "
        "the formula gives the printed predictions."
    )
    return Table("internet-table", caption, two_rows(("Imposed loss",), below), [rows])


def _computed(row: tuple) -> Row:
    return [
        number(f"{row.imposed_loss_pct:g} %"),
        number(fixed(100 * row.p, 2)),
        published(fixed(100 * row.published_p, 2)),
        number(fixed(row.throughput_bit_s / _KBIT, 0)),
        published(fixed(row.published_bit_s / _KBIT, 0)),
        number(fixed(row.model_bit_s / _KBIT, 0)),
        number(signed(row.model_error_pct, 1)),
        published(fixed(row.published_model_bit_s / _KBIT, 0)),
        published(signed(row.published_model_error_pct, 1)),
        number(fixed(row.implied_rto_s, 2)),
        number(fixed(row.implied_rto_rtts, 1)),
    ]
