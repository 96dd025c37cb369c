"""What a claim of this study may use: one metric on one link, in the words of the paper."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

from ackclock.studies.machinery.claims import Verdict
from ackclock.studies.machinery.draws import Draws
from ackclock.studies.machinery.effects import effects_text
from ackclock.studies.machinery.estimates import (
    EQUIVALENCE_CONFIDENCE,
    within,
)
from ackclock.studies.machinery.evidence import RunsEvidence, mean, shown, variation
from ackclock.studies.machinery.running import Runs
from ackclock.studies.machinery.variation import MainEffect, Number
from ackclock.studies.ubr_web.analysis import (
    analyses,
    component_name,
    level_name,
    resolution,
)
from ackclock.studies.ubr_web.levels import (
    BUFFERS_RTT,
    DROP_POLICIES,
    FACTORS,
    RUNS,
    TCP_FLAVORS,
    Point,
)

MODERN = ("NewReno", "SACK")
OLD = ("Vanilla", "Reno")
FLAVOR, BUFFER, POLICY = "TCP Flavor", "Buffer Size", "Drop Policy"


class Evidence(RunsEvidence):
    """The runs, metric by metric and link by link."""

    def __init__(self, made: Runs, draws: Draws | None = None) -> None:
        super().__init__(made, draws)
        self._analysed = {link for link, _ in analyses(made)}

    def missing(self, needs: Iterable[str]) -> str:
        """Which of some links were not analysed, in words."""
        absent = ", ".join(link for link in needs if link not in self._analysed)
        return absent and f"no analysis of {absent}"

    def on(self, link: str, metric: str) -> View:
        """One metric on one link."""
        return View(self, link, metric)


class View:
    """One metric on one link.

    Args:
        study: all runs.
        link: name of the link.
        metric: name of the metric.
    """

    def __init__(self, study: Evidence, link: str, metric: str) -> None:
        self.link, self.metric, self.is_drawn = link, metric, study.draws is not None
        levels = product(TCP_FLAVORS, BUFFERS_RTT, DROP_POLICIES)
        self._cells = {
            (flavor, buffer, policy): study.at(RUNS, metric, Point(link, policy, flavor, buffer))
            for flavor, buffer, policy in levels
        }
        self._variation = variation(self._cells, FACTORS, self.is_drawn)

    def mean(
        self, flavor: str, buffer_rtt: float | None = None, policy: str | None = None
    ) -> Number:
        """Mean over the points with these levels; over all levels of what is not given."""
        asked = (flavor, buffer_rtt, policy)
        return mean(
            [
                number
                for levels, number in self._cells.items()
                if all(its in (None, level) for its, level in zip(asked, levels, strict=True))
            ]
        )

    def gain(self, flavor: str, start: float, end: float, policy: str | None = None) -> Number:
        """How much the mean rises from one buffer size to another."""
        return self.mean(flavor, end, policy) - self.mean(flavor, start, policy)

    def effects(self, name: str) -> dict[str, MainEffect]:
        """The main effects of a factor, by level, with the half-width of their 90 % intervals."""
        factor = _FACTORS[name]
        found = self._variation.effects(factor)
        return {level_name(factor, level): effect for level, effect in found.items()}

    def resolution(self, name: str) -> float:
        """Half the width of the paper's own intervals of a factor's main effects."""
        return resolution(self.link, name, self.metric)

    def similar(self, name: str, one: str, other: str) -> Any:
        """Whether two main effects of a factor are similar.

        By the replications: their difference is none at the paper's resolution, the sum of the two
        half-widths that it prints. In a table of single runs, as in the paper: their intervals
        overlap.
        """
        first, second = (self.effects(name)[level] for level in (one, other))
        distance = first.effect - second.effect
        if self.is_drawn:
            return abs(distance) <= first.half_width + second.half_width
        return within(distance, 2 * self.resolution(name))

    def similarity_text(
        self, name: str, pairs: Iterable[tuple[str, str]], only: Iterable[str] = ()
    ) -> str:
        """Effects of a factor, and the differences of those that may be similar, in words."""
        effects = self.effects(name)
        named = {level: effects[level] for level in only} or effects
        differences = []
        for one, other in pairs:
            its = effects[one].effect - effects[other].effect
            text = shown(its, EQUIVALENCE_CONFIDENCE, decimals=4, unit="", signed=True)
            differences.append(f"{one} - {other} {text}")
        differences.append(f"resolution {2 * self.resolution(name):.4f}")
        return f"{effects_text(named)}. {'; '.join(differences)}"

    def shares(self) -> dict[str, Number]:
        """Percent of the variation that each factor and each pair of factors explains."""
        found = self._variation.shares()
        return {component_name(*name.split(":")): share for name, share in found.items()}


_FACTORS = {FLAVOR: "tcp_flavor", BUFFER: "buffer_rtt", POLICY: "drop_policy"}


def drop_policy_small(view: View) -> Verdict:
    """Whether the drop policy explains less than 2 % of the variation."""
    share = view.shares()[POLICY]
    return Verdict(share < 2, lambda: f"{POLICY} {shown(share, decimals=2)}")
