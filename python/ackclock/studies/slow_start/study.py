"""The end of slow start: standard, HyStart++ and the HyStart of Linux.

Source: P. Balasubramanian, Y. Huang, M. Olson, HyStart++: Modified Slow Start for TCP, RFC 9406.

Conventions: CUBIC with RACK-TLP; no pacing, so that an ACK counts for 8 segments at most (L of the
RFC). Section 5 of the RFC has results "across a variety of tests on a 100 Mbps link with a buffer
of one BDP"; which tests is not said. Here they are transfers of 20 MB, one or four at a time, at
RTTs of 10 to 200 ms, and the mean over all of them.
"""

from __future__ import annotations

from pathlib import Path

from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.file import files_in
from ackclock.studies.machinery.study import Choice, Part, Picture, Study, Watch
from ackclock.studies.slow_start.claims import CLAIMS
from ackclock.studies.slow_start.levels import (
    LESS_S,
    LOSSES,
    MORE_S,
    RISE,
    RISING_RTTS_S,
    RTTS_S,
    SENDERS,
    SPIKE,
    SPIKE_MARGIN_S,
    SPIKE_ROUNDS,
    STARTS,
    Rise,
    Spike,
    Transfer,
)
from ackclock.studies.slow_start.metrics import (
    COMPLETION,
    OF_LOSSES,
    OF_RISE,
    OF_SPIKE,
    SENT_AGAIN,
    SLOWED,
)

_HERE = Path(__file__).parent
_MEASURES = "ackclock.studies.slow_start.metrics"
_VARIABLES = {
    "start": ("standard, hystart_plus_plus or hystart", "How slow start ends."),
    "path_rtt_s": ("above 0", "RTT of the path, s."),
    "senders": ("whole number", "Number of transfers at a time."),
    "margin_s": ("a number", "Rise of the RTT, less that which ends slow start, s."),
    "lasts_rounds": ("above 0", "How long the RTT is longer, in round trips of the path."),
}
_FILES = files_in(_HERE / "scenarios", _VARIABLES)

STUDY = Study(
    name="slow-start",
    title="The end of slow start",
    source="RFC 9406 (HyStart++)",
    question="Which losses does an early end of slow start save, and what does it cost?",
    whose="the RFC's",
    parts=(
        Part(
            name=LOSSES,
            file=_FILES["losses"],
            point=Transfer,
            measure=f"{_MEASURES}:losses",
            metrics=OF_LOSSES,
            title="Transfers of 20 MB through a buffer of one BDP",
            pictures=tuple(
                Picture(metric, "path_rtt_s", "start", "senders", x_scale="log")
                for metric in (SENT_AGAIN, COMPLETION)
            ),
        ),
        Part(
            name=RISE,
            file=_FILES["rise"],
            point=Rise,
            measure=f"{_MEASURES}:rise",
            metrics=OF_RISE,
            probed=True,
            title="The RTT rises and stays longer: HyStart++",
            pictures=(Picture(SLOWED, "path_rtt_s", "margin_s", x_scale="log"),),
        ),
        Part(
            name=SPIKE,
            file=_FILES["rise"],
            own_sets=(
                f"sweep.factors={{ start = {list(STARTS)}, path_rtt_s = {list(RISING_RTTS_S)} }}",
                f"variables.margin_s={SPIKE_MARGIN_S}",
                f"variables.lasts_rounds={SPIKE_ROUNDS}",
            ),
            point=Spike,
            measure=f"{_MEASURES}:rise",
            metrics=OF_SPIKE,
            probed=True,
            title="The RTT is longer for two round trips",
            pictures=(Picture(COMPLETION, "path_rtt_s", "start", x_scale="log", y_scale="log"),),
            watch=Watch(
                choose=lambda points: [point for point in points if point.path_rtt_s == 0.08],
                probes=lambda scenario: ("probes.cwnd=all",),
                folder="over-time",
                span=(0.0, 3.2),
            ),
        ),
    ),
    levels=(
        Choice("starts", STARTS, "Run these ways to end slow start only.", "start"),
        Choice("senders", SENDERS, "Run these numbers of transfers only: 1, 4.", "senders"),
        Choice(
            "rtts",
            tuple(sorted({*RTTS_S, *RISING_RTTS_S})),
            "Run these RTTs of the path only, s: 0.01 to 0.2.",
            "path_rtt_s",
        ),
        Choice("margins", (LESS_S, MORE_S), "Run these margins of the rise only, s.", "margin_s"),
    ),
    evidence=RunsEvidence,
    claims=tuple(CLAIMS),
)
