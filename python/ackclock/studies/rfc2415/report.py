"""The report of the study."""

from __future__ import annotations

from markupsafe import Markup

from ackclock.report.blocks import Section, section
from ackclock.studies.machinery.report import ONE_SET, Page
from ackclock.studies.machinery.reproduce import StudyResult
from ackclock.studies.machinery.words import verdicts
from ackclock.studies.rfc2415 import figures, tables
from ackclock.studies.rfc2415.analysis import errors_line
from ackclock.studies.rfc2415.levels import HTTPS


def _summary(result: StudyResult) -> str:
    found = verdicts(result)
    return found if result.tables["comparison"].empty else f"{found} {errors_line(result)}"


def _about(result: StudyResult) -> str:
    return Markup(
        "The study (RFC 2415) sends web pages and files over a bottleneck of {:g}\u00a0Mbit/s with "
        "a queue of 25 packets. The question is what an initial window (IW) of more than one "
        "segment gains for users of the web, and what it costs other users. A page consists of "
        "one object and three more. HTTP/1.0 fetches each object over its own connection, "
        "HTTP/1.1 fetches all over one. The delay of a page is counted {}."
    ).format(result.scenario.topology.bottleneck.rate / 1e6, tables.clock_words(result))


def _sections(result: StudyResult) -> list[Section]:
    """Sections of the page: id, name, text, and the tables and figures that are there."""
    return [
        section(
            "delays",
            "Page delay",
            "Median delay of the web clients' pages at IW 1, and its decrease with a larger "
            "initial window.",
            tables.delay_table(result, 1, "1.0"),
            tables.delay_table(result, 4, "1.1"),
        ),
        section(
            "link",
            "The bottleneck",
            "Utilisation of the bottleneck towards the clients, and the share of packets that its "
            "queue dropped.",
            tables.utilisation_table(result),
            tables.drops_table(result),
        ),
        section(
            "ftps",
            "File transfers",
            "Network power of the ftp clients: the goodput of all ftp clients divided by the "
            "median time of a transfer.",
            tables.power_table(result, 3, "1.0"),
            tables.power_table(result, 5, "1.1"),
        ),
        section(
            "power",
            "Network power of the web clients",
            "Goodput of all web clients divided by the median page delay; then the same "
            "normalised by its value at IW 1. The normalised figures leave out 32 web clients "
            "with any ftp, which the RFC calls pathological.",
            *(figures.power_figure(result, http) for http in HTTPS),
        ),
        section(
            "half-and-half",
            "Half and half",
            "Half of the web clients have an IW of 1, the others an IW of 3. For comparison, runs "
            "in which all clients have the same IW.",
            tables.half_table(result),
        ),
        section(
            "reverse",
            "Reverse traffic",
            "One more ftp client sends data in the reverse direction. The table shows how this "
            "changes the page delay with HTTP/1.0. The RFC observed no effect.",
            tables.reverse_table(result),
        ),
        section(
            "red",
            "RED",
            "RED replaces drop-tail. The table shows how far the page delay with HTTP/1.0 lies "
            "below that of drop-tail at IW 1, compared with larger initial windows without RED. "
            "The RFC found similar gains and calls its own study of RED incomplete.",
            tables.red_table(result),
        ),
    ]


PAGE = Page(
    title="Increased initial windows: simulated beside published",
    heading="Increased initial TCP windows: simulated beside published",
    about=_about,
    source="RFC",
    published="Tables 1 to 6 of the RFC",
    claims="Each conclusion of the RFC is a test on the simulated results alone.",
    sections=_sections,
    summary=_summary,
    conventions=ONE_SET
    + Markup(" Use <code>--page-clock</code> to choose how the delay of a page is counted."),
    intervals=(
        "A relative change, such as a decrease of the delay, compares means over the same "
        "replications. Its interval is Fieller's. There is no interval if the mean at IW 1 could "
        "be 0.",
        "All combinations of a replication have the same pages and pauses. A difference between "
        "two combinations is therefore more precise than their two intervals suggest.",
    ),
)
