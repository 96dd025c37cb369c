"""DCTCP: the queue that it keeps, the threshold that it needs, and queries to many servers.

Source: M. Alizadeh, A. Greenberg, D. Maltz, J. Padhye, P. Patel, B. Prabhakar, S. Sengupta,
M. Sridharan, Data Center TCP (DCTCP), SIGCOMM 2010.

Conventions: 100 us is the RTT of a full packet on the idle path; packets of 1500 bytes; TCP is Reno
with SACK (RFC 6675). The longest queue is the 99 % quantile over time and the shortest one the 1 %
quantile. A packet is marked if it has waited longer than K packets need, which are those that it
found. Servers open a connection for each query and begin with two packets. Flows come and go every
3 s instead of 30 s.
"""

from __future__ import annotations

from pathlib import Path

from ackclock.studies.dctcp import model
from ackclock.studies.dctcp.claims import CLAIMS
from ackclock.studies.dctcp.levels import (
    BUSY,
    CONVERGENCE,
    FEW,
    FLAVORS,
    INCAST,
    MANY,
    OSCILLATION,
    PORT,
    SAWTEETH,
    SERVERS,
    SHORT_RTO_S,
    THRESHOLD,
    THRESHOLDS,
    USUAL_RTO_S,
    WORST,
    Busy,
    Joining,
    Marked,
    Query,
    Sawtooth,
)
from ackclock.studies.dctcp.metrics import (
    AMPLITUDE,
    HIGHEST,
    MEDIAN,
    OF_CONVERGENCE,
    OF_INCAST,
    OF_OSCILLATION,
    OF_PORT,
    OF_THRESHOLD,
    PERIOD,
    QUERY,
    SLOW,
    UTILISATION,
    VARIATION,
)
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.file import files_in
from ackclock.studies.machinery.study import Choice, Part, Picture, Study, Watch

_HERE = Path(__file__).parent
_MEASURES = "ackclock.studies.dctcp.metrics"
_VARIABLES = {
    "flavor": ("a flavor", "TCP of the senders."),
    "senders": ("whole number", "Number of senders."),
    "rate_bit_s": ("above 0", "Rate of the port, bit/s."),
    "threshold_packets": ("whole number", "Threshold K, packets."),
    "rto_s": ("above 0", "Least time-out, s."),
    "step_s": ("above 0", "Time from one change of the number of flows to the next, s."),
    "step_bytes": ("above 0", "What the port delivers in a step; sets how long flows stay."),
}
_FILES = files_in(_HERE / "scenarios", _VARIABLES)

STUDY = Study(
    name="dctcp",
    title="DCTCP in a data centre",
    source="Alizadeh et al., SIGCOMM 2010",
    question="How short does DCTCP keep a queue, and what does this give to queries?",
    parts=(
        Part(
            name=PORT,
            file=_FILES["port"],
            point=Busy,
            measure=f"{_MEASURES}:port",
            metrics=OF_PORT,
            probed=True,
            title="Long flows through a port of 1 Gbit/s",
            pictures=(Picture(MEDIAN, "senders", "flavor", x_scale="log", y_scale="log"),),
            watch=Watch(
                choose=lambda points: [point for point in points if point.senders == min(BUSY)],
                probes=lambda scenario: ("probes.queue=1 ms", "duration=4 s"),
                folder="over-time",
                redraws="Figure 1",
            ),
        ),
        Part(
            name=OSCILLATION,
            file=_FILES["steady"],
            point=Sawtooth,
            points=SAWTEETH,
            measure=f"{_MEASURES}:oscillation",
            metrics=OF_OSCILLATION,
            probed=True,
            title="The queue as a sawtooth",
            pictures=tuple(
                Picture(
                    metric,
                    "senders",
                    where={"rate_bit_s": MANY.rate_bit_s, "threshold_packets": 40},
                    x_scale="log",
                )
                for metric in (HIGHEST, AMPLITUDE, PERIOD)
            ),
            model={
                HIGHEST: lambda point: model.highest_packets(*point[1:]),
                AMPLITUDE: lambda point: model.amplitude_packets(*point),
                PERIOD: lambda point: model.period_s(*point),
            },
            watch=Watch(
                choose=lambda points: [point for point in points if point.threshold_packets == 40],
                probes=lambda scenario: ("duration=110 ms",),
                folder="sawteeth",
                span=(0.1, 0.105),
                redraws="Figure 12",
            ),
        ),
        Part(
            name=THRESHOLD,
            file=_FILES["steady"],
            own_sets=(
                f"sweep.factors={{ threshold_packets = {list(THRESHOLDS)}, "
                f"senders = {[FEW, WORST]} }}",
            ),
            point=Marked,
            measure=f"{_MEASURES}:port",
            metrics=OF_THRESHOLD,
            probed=True,
            title="The threshold at 10 Gbit/s",
            pictures=(
                Picture(
                    UTILISATION,
                    "threshold_packets",
                    "senders",
                    x_scale="log",
                    redraws="Figure 14",
                ),
            ),
        ),
        Part(
            name=INCAST,
            file=_FILES["incast"],
            point=Query,
            measure=f"{_MEASURES}:query",
            metrics=OF_INCAST,
            title="Queries to many servers",
            pictures=(
                Picture(QUERY, "senders", "flavor", "rto_s", y_scale="log", redraws="Figure 18a"),
                Picture(
                    SLOW, "senders", "flavor", where={"rto_s": USUAL_RTO_S}, redraws="Figure 18b"
                ),
            ),
        ),
        Part(
            name=CONVERGENCE,
            file=_FILES["convergence"],
            point=Joining,
            measure=f"{_MEASURES}:convergence",
            metrics=OF_CONVERGENCE,
            probed=True,
            title="Flows come and go",
            pictures=(Picture(VARIATION, "flavor"),),
        ),
    ),
    levels=(
        Choice("flavors", FLAVORS, "Run these TCPs only: dctcp, reno_sack.", "flavor"),
        Choice(
            "senders",
            tuple(sorted({*BUSY, *(each.senders for each in SAWTEETH), FEW, WORST, *SERVERS})),
            "Run these numbers of senders only: 1 to 40.",
            "senders",
        ),
        Choice(
            "thresholds",
            THRESHOLDS,
            "Run these thresholds only, packets: 4 to 65.",
            "threshold_packets",
        ),
        Choice("rtos", (USUAL_RTO_S, SHORT_RTO_S), "Run these least time-outs only, s.", "rto_s"),
    ),
    evidence=RunsEvidence,
    claims=tuple(CLAIMS),
    main=OSCILLATION,
    published=_HERE / "published" / "printed.csv",
)
