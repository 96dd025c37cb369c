"""``ackclock report``."""

from __future__ import annotations

from pathlib import Path

from ackclock.cli.options import Several
from ackclock.cli.output import say
from ackclock.cli.reading import names, results_of, warnings_shown


def report(
    *places: Path,
    metric: Several | None = None,
    confidence: float = 0.95,
    out: Path | None = None,
    interactive: bool = False,
) -> None:
    """Write a report of a campaign, or of several side by side, as one HTML page.

    `ackclock report lab.results lab.emulated` shows what was run, the metrics with intervals and
    ratios, and figures over the sweep; for emulated runs also how late packets were, whether the
    runs are valid, and how the kernel's TCP differs from the scenario's.

    With --interactive, figures are panels: zoom into a run and its time-sequence diagram, read
    means with their intervals, hide lines, open a run in the lab. The report is still one file and
    works offline; where scripts are disabled, it shows the plain figures.

    Args:
        places: Folders of campaigns, or scenario files next to them. Several must have the same
            points; each is compared with the first.
        metric: Metrics to show, separated by commas; by default those of the scenario.
        confidence: Confidence level of the intervals, a number between 0 and 1.
        out: File to write; by default NAME.report.html next to the first folder.
        interactive: Write figures that you can zoom and filter in a browser.
    """
    from ackclock.errors import InputError
    from ackclock.report.campaigns import write_report

    if not places:
        raise InputError("name a folder of a campaign, for example ackclock report lab.results")
    with warnings_shown():
        several = [results_of(place) for place in places]
        first = several[0].campaign.folder
        if not first.name:
            first = first.resolve()
        name = first.name.removesuffix(".results").removesuffix(".emulated")
        path = out or first.parent / f"{name}.report.html"
        components = None
        if interactive:
            from ackclock.lab.embedded.reports import ReportComponents

            components = ReportComponents()
        write_report(
            several, path, metrics=names(metric), confidence=confidence, components=components
        )
    say(f"the report is {path}")
