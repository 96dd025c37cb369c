"""What the sources conclude, each conclusion as a test on this study's own results.

A conclusion has bounds: numbers of the runs, each with a least or a largest value, or both. With
both it is an equivalence, by the 90 % interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf, isfinite
from typing import Any, NamedTuple

from ackclock.studies.bbr_paths import levels as at
from ackclock.studies.bbr_paths.metrics import GOODPUT
from ackclock.studies.machinery.claims import Claims, Verdict
from ackclock.studies.machinery.estimates import Estimate, every, within
from ackclock.studies.machinery.evidence import RunsEvidence, shown

CLAIMS = Claims()
_RTT_S = 0.04
_PERCENT = " %"


class Bound(NamedTuple):
    """A number and what it must be.

    Attributes:
        name: in the evidence.
        number: of the evidence.
        least: the least value that it may have.
        most: the largest value.
        unit: " %" for a share; it is then shown times 100.
        decimals: that are shown.
    """

    name: str
    number: Callable[[RunsEvidence], Estimate]
    least: float = -inf
    most: float = inf
    unit: str = ""
    decimals: int = 2

    def decisions(self, evidence: RunsEvidence) -> Iterator[Any]:
        """Whether it holds, by each of its ends, or as an equivalence."""
        its = self.number(evidence)
        if isfinite(self.most - self.least):
            yield within(its - (self.least + self.most) / 2, (self.most - self.least) / 2)
        elif isfinite(self.least):
            yield its >= self.least
        elif isfinite(self.most):
            yield its <= self.most

    def text(self, evidence: RunsEvidence) -> str:
        """The number with its interval."""
        scale = 100 if self.unit == _PERCENT else 1
        return f"{self.name}: " + shown(
            scale * self.number(evidence), decimals=self.decimals, unit=self.unit
        )


def _claim(
    id: str, source: str, statement: str, part: str, *bounds: Bound, exploratory: bool = False
) -> None:
    """A claim that holds if all of its bounds do."""

    def test(evidence: RunsEvidence) -> Verdict:
        holds = every(decision for its in bounds for decision in its.decisions(evidence))
        return Verdict(holds, lambda: "; ".join(its.text(evidence) for its in bounds))

    CLAIMS.add(id, source, statement, (part,), exploratory=exploratory)(test)


def _of(part: str, metric: str, *levels: Any) -> Callable[[RunsEvidence], Estimate]:
    """A metric at a point."""
    return lambda its: its.at(part, metric, its.made.parts[part].part.point(*levels))


def _ratio(one: Any, other: Any, minus: float = 0.0) -> Callable[[RunsEvidence], Estimate]:
    """One number over another, less 1 for a gain."""
    return lambda evidence: one(evidence) / other(evidence) - minus


def _of_loss(flavor: str, loss: float, least: float = -inf, most: float = inf) -> Bound:
    """What a flow gets of the link."""
    number = _of(at.LOSS, GOODPUT, flavor, loss)
    return Bound(f"{100 * loss:g} % lost", number, least, most, _PERCENT, 1)


_claim(
    "loss-bbr",
    "Cardwell, Figure 8",
    "BBR gets at least 0.93 (- 0.05) of what the losses leave of the link up to 5 % loss, and at "
    "least 0.8 (- 0.05) of it at 15 %",
    at.LOSS,
    *(_of_loss("bbr", loss, 0.88 * (1 - loss)) for loss in at.LOSSES if loss <= 0.05),
    _of_loss("bbr", 0.15, 0.75 * 0.85),
)
_claim(
    "loss-cubic",
    "Cardwell, Figure 8",
    "CUBIC falls to a tenth of the link at 0.1 % loss, within a factor of 1.5, and to 0.03 of it "
    "or less (factor 1.5) at 1 %",
    at.LOSS,
    _of_loss("cubic", 0.001, least=0.1 / 1.5),
    _of_loss("cubic", 0.001, most=0.1 * 1.5),
    _of_loss("cubic", 0.01, most=0.03 * 1.5),
)
_claim(
    "fat-path",
    "the Linux commit of BBR",
    "with 1 % loss at 1 Gbit/s and 100 ms BBR gets at least 200 times what CUBIC gets",
    at.FAT,
    Bound("ratio", _ratio(_of(at.FAT, GOODPUT, "bbr"), _of(at.FAT, GOODPUT, "cubic")), least=200.0),
    Bound("BBR's share of the link", _of(at.FAT, GOODPUT, "bbr"), unit=_PERCENT),
    Bound("CUBIC's", _of(at.FAT, GOODPUT, "cubic"), unit=_PERCENT),
)
_claim(
    "loss-cliff",
    "Cao, section 5; gains of BBR",
    "BBR falls below half of what the losses leave of the link between 15 % and 25 % loss, around "
    "the 20 % that a gain of 1.25 can make up for",
    at.LOSS,
    _of_loss("bbr", 0.15, least=0.5 * 0.85),
    _of_loss("bbr", 0.2),
    _of_loss("bbr", 0.25, most=0.5 * 0.75),
)
_claim(
    "doubled-learned",
    "Cardwell, Figure 3",
    "BBR learns a rate of twice the old one in three cycles of probing (one more: 1.28 s)",
    at.DOUBLED,
    Bound("95 % of it after", _of(at.DOUBLED, "learned_s", "bbr"), most=4 * 8 * _RTT_S, unit=" s"),
)
_claim(
    "halved-forgotten",
    "Cardwell, Figure 3",
    "when the rate halves, BBR goes by the new rate after 10 round trips (+ 1), and the queue is "
    "as short as before the changes within 4 s (+ 2 s)",
    at.DOUBLED,
    Bound("by the new rate after", _of(at.DOUBLED, "forgotten_rtt", "bbr"), most=11.0, unit=" RTT"),
    Bound("in time", _of(at.DOUBLED, "forgotten_s", "bbr"), unit=" s"),
    Bound("queue as before after", _of(at.DOUBLED, "drained_s", "bbr"), most=6.0, unit=" s"),
)
_claim(
    "startup-and-drain",
    "Cardwell, Figure 4",
    "STARTUP has 2.5 to 3 BDP in flight at its end (15 %), and one RTT after DRAIN at most 1.2 BDP "
    "(15 %) are left",
    at.START,
    Bound(
        "most in flight", _of(at.START, "most_in_flight_bdp", "bbr"), 2.5 / 1.15, 3 * 1.15, " BDP"
    ),
    Bound("after DRAIN", _of(at.START, "after_drain_bdp", "bbr"), most=1.2 * 1.15, unit=" BDP"),
)


def _gains(paths: tuple[str, ...], said: tuple[float, ...]) -> Iterator[Bound]:
    """What BBR gains over CUBIC, within a factor of 2."""
    for path, gain in zip(paths, said, strict=True):
        bbr, cubic = (_of(at.BUFFERS, GOODPUT, flavor, path) for flavor in ("bbr", "cubic"))
        least, most = sorted((gain / 2, gain * 2))
        yield Bound(path, _ratio(bbr, cubic, minus=1.0), least, most, _PERCENT, 1)


_claim(
    "shallow-buffers",
    "Cao, Figure 5a",
    "in 100 kB at 250 and 500 Mbit/s and 200 ms BBR gets more than CUBIC: 91 % and 115 % more, "
    "within a factor of 2",
    at.BUFFERS,
    *_gains(at.WIDE_PATHS, (0.91, 1.15)),
)
_claim(
    "deep-buffers",
    "Cao, Figure 5b",
    "in 10 MB at 10 Mbit/s and 200 ms, and at 20 Mbit/s and 150 ms, BBR gets less than CUBIC: 34 % "
    "and 33 % less, within a factor of 2",
    at.BUFFERS,
    *_gains(at.SLOW_PATHS, (-0.34, -0.33)),
)


def _resent(buffer: float) -> Bound:
    """What BBR sends again over what CUBIC does."""
    bbr, cubic = (_of(at.TOGETHER, f"{its}_resent_packets", buffer) for its in ("bbr", "cubic"))
    return Bound(f"ratio in {buffer:g} BDP", _ratio(bbr, cubic), least=10.0, decimals=1)


_claim(
    "resends-in-shallow-buffers",
    "Cao, Table 1",
    "beside each other in a buffer of 0.1 and 0.4 BDP, BBR sends at least 10 times as many "
    "segments again as CUBIC",
    at.TOGETHER,
    _resent(0.1),
    _resent(0.4),
)
_claim(
    "standing-queue",
    "Hock, section 4",
    "several BBR flows keep 1 to 1.5 BDP (0.25 BDP) in a buffer of 8 BDP",
    at.STANDING,
    *(
        Bound(f"{count} flows", _of(at.STANDING, "standing_queue_bdp", count), 0.75, 1.75, " BDP")
        for count in at.COUNTS
    ),
    exploratory=True,
)
_claim(
    "loss-in-shallow-buffers",
    "Hock, section 4",
    "six flows in a buffer of 0.8 BDP: BBR loses at least 1 % of its packets, CUBIC at most 0.1 %",
    at.SHALLOW,
    Bound("lost by BBR", _of(at.SHALLOW, "drop_share", "bbr"), least=0.01, unit=_PERCENT),
    Bound("by CUBIC", _of(at.SHALLOW, "drop_share", "cubic"), most=0.001, unit=_PERCENT),
    exploratory=True,
)
_claim(
    "fair-shares",
    "Cardwell, Figure 6",
    "five BBR flows that start one after the other share the link: Jain's index is at least 0.95 "
    "(- 0.03) from 30 to 40 s",
    at.FAIR,
    Bound("index", _of(at.FAIR, "jain", 5), least=0.92),
    Bound("they begin PROBE_RTT within", _of(at.FAIR, "probes_within_s", 5), unit=" s"),
    exploratory=True,
)
_claim(
    "v3-startup",
    "draft-ietf-ccwg-bbr, appendix",
    "version 3 leaves STARTUP three rounds (+ 1) after the rate has stopped growing, with a "
    "bandwidth within 2 % of the link's",
    at.START,
    Bound("bandwidth", _of(at.START, "bandwidth_share", "bbr3"), 0.98, 1.02, _PERCENT),
    Bound("rounds", _of(at.START, "at_full_rate_rtt", "bbr3"), 2.0, 4.0),
)
_claim(
    "v3-drain",
    "draft-ietf-ccwg-bbr, appendix",
    "version 3 ends DRAIN after 3 rounds (1 round) with more than a BDP in flight if the link has "
    "become a tenth slower",
    at.DRAIN,
    Bound("rounds", _of(at.DRAIN, "drain_rtt", "bbr3"), 2.0, 4.0),
    Bound("left in flight", _of(at.DRAIN, "left_in_flight_bdp", "bbr3"), least=1.0, unit=" BDP"),
)
_claim(
    "v3-probe-rtt",
    "draft-ietf-ccwg-bbr, section 5.3.4",
    "version 3 waits 5 s (one RTT) between two PROBE_RTT, stays in it for 0.2 s or longer (at most "
    "two RTTs), with a cwnd of 0.5 BDP (2 packets)",
    at.PROBES,
    Bound("between", _of(at.PROBES, "between_probes_s", "bbr3"), 5 - _RTT_S, 5 + _RTT_S, " s"),
    Bound("in it", _of(at.PROBES, "in_probe_s", "bbr3"), 0.2, 0.2 + 2 * _RTT_S, " s"),
    Bound("cwnd", _of(at.PROBES, "cwnd_in_probe_bdp", "bbr3"), 0.44, 0.56, " BDP"),
)
_claim(
    "v3-tenfold",
    "draft-ietf-ccwg-bbr, section 5.3.3",
    "version 3 finds a tenfold rate within 3 s of waiting and 9 round trips (factor 2: 3.72 s)",
    at.TENFOLD,
    Bound(
        "95 % of it after", _of(at.TENFOLD, "learned_s", "bbr3"), most=3 + 18 * _RTT_S, unit=" s"
    ),
)
_claim(
    "v3-tenth",
    "draft-ietf-ccwg-bbr, section 5.3.3",
    "when the rate falls to a tenth, version 3 goes by it after two cycles (one more: 9 s)",
    at.TENFOLD,
    Bound("by the new rate after", _of(at.TENFOLD, "forgotten_s", "bbr3"), most=9.0, unit=" s"),
)
_claim(
    "v3-one-percent",
    "draft-ietf-ccwg-bbr, section 5.3.3",
    "with 1 % loss and a BDP below 60 packets version 3 gets at least 0.9 (- 0.05) of what the "
    "losses leave of the link",
    at.LOSSY,
    Bound("share of the link", _of(at.LOSSY, GOODPUT, "bbr3"), 0.85 * 0.99, unit=_PERCENT),
)
_claim(
    "v3-waits",
    "draft-ietf-ccwg-bbr, section 5.3.3",
    "beside Reno at 25 Mbit/s and 30 ms version 3 waits at most 3 s (+ 0.1 s) between two probes",
    at.RENO,
    *(
        Bound(f"{buffer:g} BDP", _of(at.RENO, "wait_to_probe_s", buffer), most=3.1, unit=" s")
        for buffer in at.RENO_BDP
    ),
)
_claim(
    "v3-leaves-reno",
    "draft-ietf-ccwg-bbr, section 5.3.3",
    "beside version 3 at 25 Mbit/s and 30 ms Reno gets at least 0.4 (- 0.15) of the link in a "
    "buffer of 1 and of 2 BDP",
    at.RENO,
    *(
        Bound(f"{buffer:g} BDP", _of(at.RENO, "reno_share", buffer), 0.25, unit=_PERCENT)
        for buffer in at.RENO_BDP
    ),
    exploratory=True,
)
