"""The report of campaigns: one alone, or several of the same points side by side."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from ackclock import __version__
from ackclock.report import page
from ackclock.report.blocks import Table
from ackclock.report.campaigns import delays, figures, kernels, over_time, tables
from ackclock.report.interactive import Components
from ackclock.results.emulated import banner
from ackclock.results.export import written
from ackclock.results.names import known
from ackclock.results.notes import notes
from ackclock.results.results import Results
from ackclock.results.side_by_side import SideBySide, short_names

TEMPLATE = "campaigns.html"


def write_report(
    several: Sequence[Results],
    path: Path,
    *,
    metrics: Sequence[str] | None = None,
    confidence: float = 0.95,
    components: Components | None = None,
) -> None:
    """Write the report: one page that needs no other file.

    Args:
        several: one campaign, or several of the same points; the others are compared with the
            first.
        path: of the file; the same results give the same bytes.
        metrics: to be shown; by default those that the first scenario shows.
        confidence: of the intervals.
        components: with which the figures can be looked into, as
            ``ackclock.lab.embedded.reports`` gives them; none for a page without scripts.

    Raises:
        InputError: campaigns cannot be compared, a metric is unknown, the confidence is none, or
            the file cannot be written.

    Warns:
        CampaignWarning: the scenarios of the campaigns differ, or not all have the same points.
    """
    side = SideBySide(several) if len(several) > 1 else None
    first, names = several[0], short_names([each.campaign.folder for each in several])
    measured = (side or first).measured
    usual = [name for name in first.shown_metrics if name in measured]
    chosen = list(dict.fromkeys(known(name, measured, "a metric") for name in metrics or usual))
    runs = [run for each in several for run in each.campaign.runs]
    text = page.render(
        TEMPLATE,
        components,
        title=first.title,
        description=first.description,
        names=names,
        summary=_summary(several),
        banner=banner(runs),
        made=tables.made_table(several, names),
        notes=_notes(several, names),
        results=_results(several, side, chosen, confidence, usual=not metrics),
        figures=figures.figures(several, names, chosen, confidence, drawn_all=metrics is None),
        heat_map=figures.heat_map(several, names, chosen),
        delays=delays.delays(several, names),
        over_time=over_time.over_time(several, names),
        verdicts=tables.verdicts_tables(several, names),
        kernels=kernels.settings_table(several, names),
        differences=kernels.differences(several, names),
        scenario=first.campaign.text.strip(),
        sets=[tuple(each.campaign.design.sets) for each in several],
        confidence=f"{100 * confidence:g}",
        replicated=max(tables.replications(each)[1] for each in several) > 1,
        command=_command(several, metrics, confidence, is_interactive=components is not None),
        version=__version__,
    )
    written(path, lambda place: place.write_text(text, encoding="utf-8", newline="\n"))


def _results(
    several: Sequence[Results],
    side: SideBySide | None,
    metrics: Sequence[str],
    confidence: float,
    *,
    usual: bool,
) -> list[Table]:
    """One table of a campaign alone, as ``ackclock show`` prints it, or a table a metric."""
    if side is None:
        return [tables.metrics_table(several[0], None if usual else metrics, confidence)]
    return [tables.metric_table(side, name, confidence) for name in metrics]


def _summary(several: Sequence[Results]) -> str:
    """What the page is about, in a sentence."""
    made = [tables.made_by(each) for each in several]
    if len(several) == 1:
        return f"{tables.runs_text(several[0])}, {made[0]}."
    parts = [f"{tables.runs_text(each)} {how}" for each, how in zip(several, made, strict=True)]
    return (
        f"Side by side: {', '.join(parts[:-1])} and {parts[-1]}. Runs of one point, replication and"
        " seed are compared pair by pair."
    )


def _notes(several: Sequence[Results], names: Sequence[str]) -> list[str]:
    """What is to be known of equal replications, and of receive windows that limit."""
    described = [
        (name, note) for name, each in zip(names, several, strict=True) for note in notes(each)
    ]
    return [note if len(several) == 1 else f"{name}: {note}" for name, note in described]


def _command(
    several: Sequence[Results],
    metrics: Sequence[str] | None,
    confidence: float,
    *,
    is_interactive: bool,
) -> str:
    words = ["ackclock", "report", *(str(each.campaign.folder) for each in several)]
    if metrics:
        words += ["--metric", ",".join(metrics)]
    if confidence != 0.95:
        words += ["--confidence", f"{confidence:g}"]
    if is_interactive:
        words.append("--interactive")
    return shlex.join(words)
