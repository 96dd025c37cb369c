"""Loss repair: tail loss probes, reordering, the rate of a recovery, and spurious time-outs.

Sources: RFC 8985 (RACK-TLP), RFC 9937 (proportional rate reduction), RFC 5682 (F-RTO), and Linux
6.18 where it differs.

Conventions: R is the RTT of the idle path. The last segment is shorter than the others, so that it
and the FIN behind it are one segment in flight. Nothing waits in a queue while packets are
reordered. A burst is what leaves at the same time in a recovery.
"""

from __future__ import annotations

from pathlib import Path

from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.file import files_in
from ackclock.studies.machinery.study import Choice, Part, Picture, Study, Watch
from ackclock.studies.tail_loss import model
from ackclock.studies.tail_loss.claims import CLAIMS
from ackclock.studies.tail_loss.levels import (
    LOST,
    PATTERNS,
    REDUCTION,
    REORDERING,
    RTTS_S,
    SPIKE,
    SPREADS,
    STACKS,
    TAIL,
    TAILS,
    Reduction,
    Reordering,
    Spike,
    Tail,
)
from ackclock.studies.tail_loss.metrics import (
    COMPLETION,
    OF_REDUCTION,
    OF_REORDERING,
    OF_SPIKE,
    OF_TAIL,
    PROBE,
    RESTORED,
    SPURIOUS,
)

_HERE = Path(__file__).parent
_MEASURES = "ackclock.studies.tail_loss.metrics"
_VARIABLES = {
    "stack": ("linux or rfc", "Whose timers: linux or rfc."),
    "path_rtt_s": ("above 0", "RTT of the path, s."),
    "tail": ("whole number", "Number of segments that are lost at the end."),
    "spread_share": ("from 0 to 1", "How late packets may be, share of the RTT."),
    "dsack": ("true or false", "Whether receivers report duplicates."),
    "prr": ("true or false", "Whether the window falls in proportion to what is delivered."),
    "lost_segments": ("whole number", "Number of segments that are lost."),
    "pattern": ("together or spread", "Which are lost: together, or spread (every third one)."),
    "f_rto": ("true or false", "Whether spurious time-outs are detected and undone."),
}
_FILES = files_in(_HERE / "scenarios", _VARIABLES)


STUDY = Study(
    name="tail-loss",
    title="Loss repair: probes, reordering, reduction, spurious time-outs",
    source="RFC 8985, RFC 9937, RFC 5682, and Linux 6.18",
    question="Do senders repair losses when the RFCs say, and only losses?",
    whose="the sources'",
    parts=(
        Part(
            name=TAIL,
            file=_FILES["tail"],
            point=Tail,
            measure=f"{_MEASURES}:tail",
            metrics=OF_TAIL,
            probed=True,
            title="The last segments of a response are lost",
            pictures=tuple(
                Picture(metric, "path_rtt_s", "tail", "stack", x_scale="log")
                for metric in (PROBE, COMPLETION)
            ),
            model={PROBE: lambda point: model.probe_s(*point)},
        ),
        Part(
            name=REORDERING,
            file=_FILES["reordering"],
            point=Reordering,
            measure=f"{_MEASURES}:reordering",
            metrics=OF_REORDERING,
            probed=True,
            title="Packets arrive out of order",
            pictures=(Picture(SPURIOUS, "spread_share", "dsack"),),
        ),
        Part(
            name=REDUCTION,
            file=_FILES["reduction"],
            point=Reduction,
            measure=f"{_MEASURES}:reduction",
            metrics=OF_REDUCTION,
            probed=True,
            title="Segments of a window of 100 are lost",
            pictures=(Picture(COMPLETION, "lost_segments", "prr", "pattern"),),
            watch=Watch(
                choose=lambda points: [
                    point
                    for point in points
                    if point.lost_segments == 10 and point.pattern == "together"
                ],
                probes=lambda scenario: (),
                folder="over-time",
                span=(0.1, 0.8),
            ),
        ),
        Part(
            name=SPIKE,
            file=_FILES["spike"],
            point=Spike,
            measure=f"{_MEASURES}:spike",
            metrics=OF_SPIKE,
            probed=True,
            title="A link stops for a second",
            pictures=(Picture(RESTORED, "path_rtt_s", "f_rto", x_scale="log"),),
        ),
    ),
    levels=(
        Choice("stacks", STACKS, "Run these stacks only: linux, rfc.", "stack"),
        Choice("rtts", RTTS_S, "Run these RTTs of the path only, s: 0.02 to 0.1.", "path_rtt_s"),
        Choice("tails", TAILS, "Run these numbers of lost last segments only: 1 to 8.", "tail"),
        Choice("spreads", SPREADS, "Run these latenesses only: 0.1 to 0.5.", "spread_share"),
        Choice("lost", LOST, "Run these numbers of lost segments only: 1 to 30.", "lost_segments"),
        Choice("patterns", PATTERNS, "Run these patterns only: together, spread.", "pattern"),
    ),
    evidence=RunsEvidence,
    claims=tuple(CLAIMS),
)
