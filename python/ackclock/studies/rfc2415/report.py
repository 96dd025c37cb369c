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
        "a queue of 25 packets. It asks what an initial window of more than one segment gives the "
        "users of the web, and what it costs everybody else. A page is one object and three more; "
        "HTTP/1.0 fetches each over a connection of its own, HTTP/1.1 all over one. The delay of a "
        "page is counted {}."
    ).format(result.scenario.topology.bottleneck.rate / 1e6, tables.clock_words(result))


def _sections(result: StudyResult) -> list[Section]:
    """Sections of the page: id, name, text, and the tables and figures that are there."""
    return [
        section(
            "delays",
            "Page delay",
            "Median delay of the web clients' pages at IW 1, and by how much a larger initial "
            "window lowers it.",
            tables.delay_table(result, 1, "1.0"),
            tables.delay_table(result, 4, "1.1"),
        ),
        section(
            "link",
            "The bottleneck",
            "Utilisation of the bottleneck towards the clients, and the share of the packets that "
            "its queue dropped.",
            tables.utilisation_table(result),
            tables.drops_table(result),
        ),
        section(
            "ftps",
            "File transfers",
            "Network power of the ftp clients: goodput of all of them over the median time of a "
            "transfer.",
            tables.power_table(result, 3, "1.0"),
            tables.power_table(result, 5, "1.1"),
        ),
        section(
            "power",
            "Network power of the web clients",
            "Goodput of all web clients over the median page delay; then normalised by that at "
            "IW 1, without 32 web clients with any ftp, which the RFC calls pathological.",
            *(figures.power_figure(result, http) for http in HTTPS),
        ),
        section(
            "half-and-half",
            "Half and half",
            "Half of the web clients with an IW of 1, the others with 3; beside them all clients "
            "alike.",
            tables.half_table(result),
        ),
        section(
            "reverse",
            "Reverse traffic",
            "One more ftp client, whose data goes the other way: what it changes of the page delay "
            "with HTTP/1.0. The RFC saw no effect.",
            tables.reverse_table(result),
        ),
        section(
            "red",
            "RED",
            "RED in place of drop-tail: by how much the page delay with HTTP/1.0 lies below that "
            "of drop-tail at IW 1, beside larger initial windows without RED. The RFC found "
            "similar gains and calls that study not complete.",
            tables.red_table(result),
        ),
    ]


PAGE = Page(
    title="Increased initial windows: simulated beside published",
    heading="Increased initial TCP windows: simulated beside published",
    about=_about,
    source="RFC",
    published="Tables 1 to 6 of the RFC",
    claims="What the RFC concludes, each conclusion as a test on the simulated results alone.",
    sections=_sections,
    summary=_summary,
    conventions=ONE_SET
    + Markup(" <code>--page-clock</code> chooses how the delay of a page is counted."),
    intervals=(
        "A relative change, such as a decrease of the delay, compares means over the same "
        "replications. Its interval is Fieller's; there is none where the mean at IW 1 could be 0.",
        "The RFC prints one value for each combination and no interval with it: a single run, "
        "which scatters more than a mean does.",
        "Replications share their pages and pauses between combinations, so that a difference "
        "between two combinations is known better than their two intervals suggest.",
    ),
)
