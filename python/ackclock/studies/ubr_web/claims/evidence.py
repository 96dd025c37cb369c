"""What a claim of this study may use: means and their analysis of variation, in its words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan

import pandas as pd

from ackclock.stats import Effect, FactorialAnalysis
from ackclock.studies.machinery.claims import Verdict
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.running import Runs
from ackclock.studies.ubr_web.analysis import analyses, component_name, level_name
from ackclock.studies.ubr_web.levels import BUFFERS_RTT, DROP_POLICIES, RUNS, TCP_FLAVORS

MODERN = ("NewReno", "SACK")
OLD = ("Vanilla", "Reno")


class Evidence(RunsEvidence):
    """The means and their analysis of variation as a claim sees them."""

    def __init__(self, made: Runs) -> None:
        super().__init__(made)
        self.analyses = analyses(made)

    def missing(self, needs: Iterable[str]) -> str:
        """Which of some links were not analysed, in words."""
        analysed = {link for link, _ in self.analyses}
        absent = ", ".join(link for link in needs if link not in analysed)
        return absent and f"no analysis of {absent}"

    def on(self, link: str, metric: str) -> View:
        """One metric on one link."""
        results = self.made.of(RUNS, "results")
        return View(metric, results[results["link"] == link], self.analyses[link, metric])


@dataclass(frozen=True)
class View:
    """One metric on one link."""

    metric: str
    rows: pd.DataFrame
    analysis: FactorialAnalysis

    def mean(
        self, flavor: str, buffer_rtt: float | None = None, policy: str | None = None
    ) -> float:
        """Mean over the points with these levels; over all levels of what is not given."""
        rows = self.rows[self.rows["tcp_flavor"] == flavor]
        if buffer_rtt is not None:
            rows = rows[rows["buffer_rtt"] == buffer_rtt]
        if policy is not None:
            rows = rows[rows["drop_policy"] == policy]
        return float(rows[self.metric].mean())

    def gain(self, flavor: str, start: float, end: float, policy: str | None = None) -> float:
        """How much the mean rises from one buffer size to another."""
        return self.mean(flavor, end, policy) - self.mean(flavor, start, policy)

    def effect(self, factor: str, level: str | float) -> Effect:
        """A main effect with its 90 % interval."""
        return self.analysis.effect(factor, level)

    def flavors(self) -> dict[str, Effect]:
        """The main effects of the TCP flavors."""
        return {level: self.effect("tcp_flavor", level) for level in TCP_FLAVORS}

    def buffers(self) -> dict[str, Effect]:
        """The main effects of the buffer sizes, by their names."""
        return {
            level_name("buffer_rtt", level): self.effect("buffer_rtt", level)
            for level in BUFFERS_RTT
        }

    def policies(self) -> dict[str, Effect]:
        """The main effects of the drop policies."""
        return {level: self.effect("drop_policy", level) for level in DROP_POLICIES}

    def shares(self) -> dict[str, float]:
        """Percent of the variation that each factor and interaction explains, largest first."""
        table = self.analysis.allocation
        names = table["component"].map(lambda name: name.split(":"))
        explained = table[names.map(lambda parts: set(parts) <= set(self.analysis.factors))]
        shares = {
            component_name(*name.split(":")): float(percent)
            for name, percent in zip(explained["component"], explained["percent"], strict=True)
        }
        return dict(sorted(shares.items(), key=lambda share: -share[1]))


def above(high: Effect, low: Effect) -> bool:
    """Whether one effect is larger and the intervals do not overlap."""
    return high.lo > low.hi


def similar(one: Effect, other: Effect) -> bool:
    """Whether the intervals overlap."""
    return one.lo <= other.hi and other.lo <= one.hi


def rank(shares: dict[str, float], component: str) -> int:
    """Place of a component among all factors and interactions; 1 explains most.

    0 where nothing varies and there are no shares.
    """
    return 0 if isnan(shares[component]) else list(shares).index(component) + 1


def drop_policy_small(view: View) -> Verdict:
    """Whether the drop policy explains less than 2 % of the variation."""
    share = view.shares()["Drop Policy"]
    return share < 2, shares_text({"Drop Policy": share})


def shares_text(shares: dict[str, float]) -> str:
    """All shares in words."""
    return "; ".join(f"{name} {percent:.2f} %" for name, percent in shares.items())


def effects_text(effects: dict[str, Effect]) -> str:
    """Effects with their intervals in words."""
    return "; ".join(
        f"{name} {e.effect:+.4f} ({e.lo:+.4f}, {e.hi:+.4f})" for name, e in effects.items()
    )


def numbers_text(numbers: dict[str, float], signed: bool = False) -> str:
    """Named numbers in words."""
    sign = "+" if signed else ""
    return "; ".join(f"{name} {number:{sign}.4f}" for name, number in numbers.items())
