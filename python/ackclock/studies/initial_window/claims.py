"""The statements of RFC 6928, each as a test on this study's own results."""

from __future__ import annotations

from typing import Any

from ackclock.studies.initial_window.levels import (
    FAST,
    OBJECTS,
    PAGES,
    ROUNDS,
    SEGMENTS,
    SLOW,
    WINDOWS,
    Page,
    Transfer,
)
from ackclock.studies.initial_window.metrics import PAGE_DELAY, ROUND_TRIPS, SENT_AGAIN
from ackclock.studies.initial_window.model import rounds
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.estimates import every, within
from ackclock.studies.machinery.evidence import RunsEvidence, shown

CLAIMS = Claims()
_EXACT = 0.05
_SMALL, *_, _LARGE = WINDOWS


@CLAIMS.add(
    "round-trips",
    "RFC 6928, arithmetic",
    "without losses and with an ACK for each segment, a transfer of S segments takes the least n "
    "round trips with IW (2^n - 1) >= S, exactly: 3 with IW 3 and 1 with IW 10 for 10 segments, 4 "
    "and 2 for 30, 6 and 4 for 100",
    (ROUNDS,),
)
def _rounds(evidence: RunsEvidence) -> Verdict:
    its = {
        point: evidence.at(ROUNDS, ROUND_TRIPS, point)
        for point in (Transfer(window, each) for window in WINDOWS for each in SEGMENTS)
    }
    holds = every(within(each - rounds(*point), _EXACT) for point, each in its.items())

    def text() -> str:
        listed = "; ".join(
            f"IW {window}, {segments} segments: {shown(each, unit='', decimals=2)}"
            for (window, segments), each in its.items()
        )
        return f"round trips: {listed}"

    return Verdict(holds, text)


def _pages(evidence: RunsEvidence, metric: str, rate: int) -> dict[int, tuple[Any, Any]]:
    """A metric with the smallest and with the largest window, by the size of an object."""
    return {
        size: (
            evidence.at(PAGES, metric, Page(_SMALL, rate, size)),
            evidence.at(PAGES, metric, Page(_LARGE, rate, size)),
        )
        for size in OBJECTS
    }


def _listed(pairs: dict[int, tuple[Any, Any]], scale: float, **format: Any) -> str:
    return "; ".join(
        f"{size / 1000:g} kB: {shown(scale * small, **format)}, {shown(scale * large, **format)}"
        for size, (small, large) in pairs.items()
    )


@CLAIMS.add(
    "pages-sooner",
    "RFC 6928, section 5.1",
    "at 10 Mbit/s pages arrive sooner with an initial window of 10 than with one of 3",
    (PAGES,),
    exploratory=True,
)
def _sooner(evidence: RunsEvidence) -> Verdict:
    its = _pages(evidence, PAGE_DELAY, FAST)
    return Verdict(
        every(large < small for small, large in its.values()),
        lambda: f"page delay with 3, with 10: {_listed(its, 1, unit=' s', decimals=2)}",
    )


@CLAIMS.add(
    "more-sent-again",
    "RFC 6928, section 6",
    "at 1.5 Mbit/s with a buffer of 100 ms more is sent again with an initial window of 10 than "
    "with one of 3",
    (PAGES,),
    exploratory=True,
)
def _more(evidence: RunsEvidence) -> Verdict:
    its = _pages(evidence, SENT_AGAIN, SLOW)
    return Verdict(
        every(large > small for small, large in its.values()),
        lambda: f"share sent again with 3, with 10: {_listed(its, 100)}",
    )
