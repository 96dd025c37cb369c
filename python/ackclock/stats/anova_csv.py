"""Analysis of variation of any CSV file, and its tables for a terminal.

The file has a header and one row per run. A factor is numeric if every level is a number, so that
1 and 1.0 are the same level. The levels of any other factor are text, without surrounding spaces.
Source of the analysis: ``ackclock.stats.factorial``.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from math import floor, isfinite, log10
from pathlib import Path

import pandas as pd
from rich.console import Group
from rich.text import Text

from ackclock.errors import InputError
from ackclock.stats.factorial import TOTAL_VARIATION, FactorialAnalysis, analyse
from ackclock.stats.factorial_design import design_problems, finite_numbers, level_text, rows_text
from ackclock.stats.intervals import check_confidence
from ackclock.terminal import FRAMED, TerminalTable
from ackclock.untrusted_text import without_formulas

_SIGNIFICANT_DIGITS = 5


def anova_csv(
    path: str | Path, response: str, factors: Sequence[str], confidence: float = 0.90
) -> FactorialAnalysis:
    """Analyse a full factorial experiment read from a CSV file.

    Args:
        path: a UTF-8 file with a header and one row per run.
        response: name of the numeric column to explain.
        factors: names of the columns that hold the levels.
        confidence: level of every interval, two-sided, for example 0.90.

    Raises:
        InputError: with all problems: the file cannot be read or is empty; the problems of
            ``ackclock.stats.factorial_design`` (rows count from 1, the header); the confidence is
            outside (0, 1).
    """
    problems = _confidence_problems(confidence)
    try:
        text = _read(Path(path))
    except InputError as unreadable:
        raise InputError(problems + unreadable.messages) from unreadable
    columns = {name: _levels(text[name]) for name in factors if name in text}
    if response in text and response not in columns:
        columns[response] = finite_numbers(text[response])
    frame = text.assign(**columns)
    problems += design_problems(frame, response, factors)
    if problems:
        raise InputError(problems)
    return analyse(frame, response, factors, confidence)


def render(analysis: FactorialAnalysis, response: str, *, interactions: bool = False) -> Group:
    """Return tables for a terminal: allocation of variation, then effects with intervals.

    Args:
        analysis: the result of ``anova_csv`` or ``analyse``.
        response: name of the response, for the titles.
        interactions: also show the first-order interactions with their intervals.

    Returns:
        A group for ``rich.console.Console.print``. A number that cannot be computed is a dash.
    """
    parts: list[TerminalTable | Text] = [
        *_allocation_table(analysis, response),
        *_effects_table(f"Main effects on {response}", analysis.effects, analysis.confidence),
    ]
    if interactions and len(analysis.interactions):
        table = analysis.interactions
        pairs = pd.DataFrame(
            {
                "factor": table["factor_a"] + ":" + table["factor_b"],
                "level": [
                    f"{level_text(a)}:{level_text(b)}"
                    for a, b in zip(table["level_a"], table["level_b"], strict=True)
                ],
            }
        )
        pairs = pairs.join(table[["effect", "lo", "hi"]])
        title = f"First-order interactions on {response}"
        parts += _effects_table(title, pairs, analysis.confidence)
    return Group(*parts, Text(_summary(analysis)))


def write_tables(analysis: FactorialAnalysis, folder: Path) -> None:
    """Write summary.csv, allocation.csv, effects.csv and interactions.csv, with all digits.

    Args:
        analysis: the result of ``anova_csv`` or ``analyse``. Its tables are written as they are;
            the summary is one row: n, replications, mean, lo, hi, standard_error,
            degrees_of_freedom, confidence. What cannot be computed is empty.
        folder: made if it does not exist; files of an earlier call are replaced.

    Raises:
        InputError: there is a file with the name of the folder, or it cannot be written to.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(
            f"--out {folder} is a file; name a folder, for example {folder.stem}-anova"
        )
    mean, lo, hi, n = analysis.grand_mean_interval()
    summary = {
        "n": n,
        "replications": analysis.replications,
        "mean": mean,
        "lo": lo,
        "hi": hi,
        "standard_error": analysis.standard_error,
        "degrees_of_freedom": analysis.degrees_of_freedom,
        "confidence": analysis.confidence,
    }
    tables = {
        "summary": pd.DataFrame([summary]),
        "allocation": analysis.allocation,
        "effects": analysis.effects,
        "interactions": analysis.interactions,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in tables.items():
            text = without_formulas(table).to_csv(index=False, lineterminator="\n")
            (folder / f"{name}.csv").write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror}") from error


def _confidence_problems(confidence: float) -> list[str]:
    try:
        check_confidence(confidence)
    except ValueError as outside:
        return [str(outside)]
    return []


def _read(path: Path) -> pd.DataFrame:
    """Read all columns as text without surrounding spaces; index: row (the header is row 1)."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            records = enumerate(csv.reader(file, strict=True), start=1)
            filled = [
                (row, [value.strip() for value in values]) for row, values in records if values
            ]
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text (byte {error.start})") from error
    except csv.Error as error:
        raise InputError(f"{path} is not a readable CSV file: {error}") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    if not filled:
        raise InputError(f"{path} is empty: it needs a header and one row per run")
    (_, header), *rows = filled
    if problems := _shape_problems(path, header, rows):
        raise InputError(problems)
    return pd.DataFrame(
        [values for _, values in rows], index=[row for row, _ in rows], columns=header, dtype=object
    )


def _shape_problems(path: Path, header: list[str], rows: list[tuple[int, list[str]]]) -> list[str]:
    problems = [
        f"{path} has more than one column {name!r}"
        for name in dict.fromkeys(header)
        if header.count(name) > 1
    ]
    if not rows:
        problems.append(f"{path} has a header but no rows")
    if uneven := [row for row, values in rows if len(values) != len(header)]:
        problems.append(
            f"{path}: the header has {len(header)} columns; other numbers of values are in "
            + rows_text(uneven)
        )
    return problems


def _levels(column: pd.Series) -> pd.Series:
    """Return a factor's levels: numbers if all are numbers, else text; missing where blank."""
    numbers = finite_numbers(column)
    return column.mask(column == "") if numbers.isna().any() else numbers


def _allocation_table(analysis: FactorialAnalysis, response: str) -> list[TerminalTable | Text]:
    allocation = analysis.allocation
    mean, lo, hi, n = analysis.grand_mean_interval()
    digits = _decimals(abs(mean))
    title = f"{response}: mean {mean:.{digits}f}, n = {n}"
    if isfinite(lo):
        title += f", {_percent(analysis.confidence)} interval {lo:.{digits}f} to {hi:.{digits}f}"
    table = TerminalTable("Component", look=FRAMED)
    for name in ("Sum of squares", "Degrees of freedom", "% of variation"):
        table.add_column(name, justify="right")
    total = allocation.loc[allocation["component"] == TOTAL_VARIATION, "sum_of_squares"]
    decimals = _decimals(float(total.iloc[0]))
    for row in allocation.itertuples():
        table.add_row(
            Text(row.component),
            _number(row.sum_of_squares, decimals),
            str(row.degrees_of_freedom),
            _number(row.percent, 2),
        )
    return [Text(title, style="italic"), table]


def _effects_table(
    title: str, effects: pd.DataFrame, confidence: float
) -> list[TerminalTable | Text]:
    table = TerminalTable("Factor", "Level", keys=2, look=FRAMED)
    for name in ("Effect", f"{_percent(confidence)} interval from", "to"):
        table.add_column(name, justify="right")
    table.add_column("Excludes 0")
    decimals = _decimals(effects["effect"].abs().max())
    previous = None
    for row in effects.itertuples():
        if previous not in (None, row.factor):
            table.add_section()
        table.add_row(
            Text(row.factor if row.factor != previous else ""),
            Text(level_text(row.level)),
            *(_number(value, decimals) for value in (row.effect, row.lo, row.hi)),
            "yes" if row.lo > 0 or row.hi < 0 else "",
        )
        previous = row.factor
    return [Text(title, style="italic"), table]


def _summary(analysis: FactorialAnalysis) -> str:
    if not analysis.degrees_of_freedom:
        return (
            "No intervals: the effects and interactions use up every degree of freedom. "
            "Replicate the runs."
        )
    source = {
        "pure": f"the variation between the {analysis.replications} replications of a combination",
        "pooled": "everything beyond main effects and first-order interactions",
    }[analysis.error]
    return (
        f"Standard error {analysis.standard_error:.{_SIGNIFICANT_DIGITS}g} with "
        f"{analysis.degrees_of_freedom} degrees of freedom, from {source}."
    )


def _percent(confidence: float) -> str:
    return f"{100 * confidence:g} %"


def _decimals(largest: float) -> int:
    """Return the decimals for the significant digits of a column's largest number."""
    if not isfinite(largest) or largest <= 0:
        return 0
    return max(0, _SIGNIFICANT_DIGITS - 1 - floor(log10(largest)))


def _number(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}" if isfinite(value) else "-"
