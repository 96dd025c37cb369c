"""Who gets what at one bottleneck: RTTs, mixes of BBR and CUBIC, Vegas, LEDBAT, CUBIC alone.

Sources: S. Ma, J. Jiang, W. Wang, B. Li, Fairness of congestion-based congestion control, 2017
(arXiv 1706.09115), and M. Hock, R. Bless, M. Zitterbart, Experimental evaluation of BBR congestion
control, ICNP 2017, for RTTs; A. Mishra, W. Tiu, B. Leong, Are we heading towards a BBR-dominant
Internet?, IMC 2022, for the mix; RFC 9438; L. Brakmo, L. Peterson, TCP Vegas, 1995; RFC 6817;
N. Cardwell et al., BBR, ACM Queue 14(5), 2016, for CUBIC in a deep buffer.

Conventions: packets of 1500 bytes; the RTT is that of a full packet on the idle path; flows start
within a second; 100 of 120 s are measured; the presets of the RFCs, but for BBR version 1 and
Vegas, which are those of Linux. ``--set`` changes each.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ackclock.studies.fairness_rtt import levels as at
from ackclock.studies.fairness_rtt.claims import CLAIMS
from ackclock.studies.fairness_rtt.metrics import OF
from ackclock.studies.fairness_rtt.model import window_packets
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.file import StudyFile
from ackclock.studies.machinery.study import Choice, Part, Picture, Study, Watch

_FILE = StudyFile(
    Path(__file__).parent / "scenarios" / "two_groups.toml",
    {
        "rate": ("a rate", "Rate of the bottleneck."),
        "first_rtt": ("a time", "RTT of the first flows, of a full packet on the idle path."),
        "second_rtt": ("a time", "RTT of the other flows."),
        "buffer": ("a queue limit", "Buffer of the bottleneck."),
        "first": ("a flavor", "TCP of the first flows."),
        "second": ("a flavor", "TCP of the other flows."),
        "firsts": ("whole number", "Number of the first flows."),
        "seconds": ("whole number", "Number of the other flows."),
        "second_start": ("a time", "When the other flows start, beside the random part."),
    },
    sweep_stays=True,
)


def _part(name: str, title: str, point: type[Any], measure: str, *sets: str, **more: Any) -> Part:
    """A part whose measure looks at what its sets record, if they record anything.

    Where a single level varies, it is the point, whatever its name.
    """
    if len(point._fields) == 1:
        more["point_of"] = lambda levels: point(*levels.values())
    return Part(
        name=name,
        file=_FILE,
        own_sets=sets,
        point=point,
        measure=f"ackclock.studies.fairness_rtt.metrics:{measure}",
        metrics=OF[measure],
        probed=any(each.startswith("probes.") for each in sets),
        title=title,
        **more,
    )


def _over(name: str, levels: Any) -> str:
    """The only factor of a part, for ``own_sets``."""
    return f"sweep.factors={{ {name} = {list(levels)} }}"


PARTS = (
    _part(
        at.RTTS,
        "Two flows of a TCP, RTTs of 10 and 50 ms, 100 Mbit/s, buffer 2 MB",
        at.Rtts,
        "rtts",
        *("variables.first_rtt=10 ms", "variables.second_rtt=50 ms"),
        pictures=(Picture("long_share", "flavor"),),
    ),
    _part(
        at.MIX,
        "BBR flows among ten flows, the others CUBIC: 100 Mbit/s, 40 ms, buffer 2 BDP",
        at.Count,
        "mix",
        _over("firsts", at.MIXES),
        *("variables.second=cubic", f"variables.seconds== {at.ALL_FLOWS} - firsts"),
        "variables.buffer=667 packets",
        pictures=(
            Picture("bbr_of_fair", "flows", redraws="Figure 8a"),
            Picture("cubic_of_fair", "flows"),
            Picture("mean_queue_delay_s", "flows", redraws="Figure 8b"),
        ),
    ),
    _part(
        at.RESPONSE,
        "One loss in 1 / p packets, 100 ms",
        at.Response,
        "response",
        at.losses(),
        *("variables.seconds=0", "variables.first_rtt=100 ms"),
        *("duration=300 s", "warm_up=60 s"),
        point_of=lambda levels: at.Response(levels["flavor"], float(levels["loss"])),
        pictures=(Picture("window_packets", "loss", "flavor", x_scale="log", y_scale="log"),),
        model={"window_packets": lambda point: window_packets(point.flavor, point.loss)},
    ),
    _part(
        at.VEGAS,
        "Vegas flows, 10 Mbit/s, 40 ms, an ample buffer",
        at.Count,
        "vegas",
        _over("firsts", at.VEGAS_FLOWS),
        *("variables.first=vegas", "variables.seconds=0", "variables.rate=10 Mbit/s"),
        pictures=(Picture("queue_a_flow_packets", "flows"),),
    ),
    _part(
        at.LEDBAT,
        "A LEDBAT flow by itself after 60 s, 10 Mbit/s, 40 ms, buffer 400 ms",
        at.Alone,
        "ledbat",
        _over("first", ["ledbat"]),
        *("variables.seconds=0", "variables.rate=10 Mbit/s", "variables.buffer=333 packets"),
        "warm_up=60 s",
    ),
    _part(
        at.YIELD,
        "A LEDBAT flow that another flow joins at 30 s: 10 Mbit/s, 40 ms, buffer 400 ms",
        at.Later,
        "joined",
        _over("second", at.LATER),
        *("variables.first=ledbat", f"variables.second_start={at.JOINS_S:.0f} s"),
        *("variables.rate=10 Mbit/s", "variables.buffer=333 packets"),
        *("probes.queue=100 ms", "probes.goodput=1 s"),
        pictures=(Picture("first_share", "joining"),),
        watch=Watch(
            lambda points: points, lambda _: ("probes.cwnd=all",), "yield-watched", (0.0, 120.0)
        ),
    ),
    _part(
        at.CUBIC,
        "One CUBIC flow, 10 Mbit/s, 40 ms, buffer 250 ms",
        at.Alone,
        "cubic",
        _over("first", ["cubic"]),
        *("variables.seconds=0", "variables.rate=10 Mbit/s", "variables.buffer=208 packets"),
        "probes.queue=20 ms",
        watch=Watch(
            lambda points: points,
            lambda _: ("probes.cwnd=all",),
            "cubic-watched",
            (0.0, 40.0),
            "CUBIC in Figure 5",
        ),
    ),
)

STUDY = Study(
    name="fairness-rtt",
    title="Who gets what at one bottleneck",
    source="Ma et al. 2017, Hock et al. 2017, Mishra et al. 2022, RFC 9438, RFC 6817 and others",
    question="Who gets how much of a link if RTTs differ, or if TCPs of different kinds share it?",
    parts=PARTS,
    levels=(
        Choice(
            "flavors",
            (*at.FLAVORS, "ledbat"),
            "Run these TCPs only: reno_sack, cubic, bbr, bbr3, ledbat.",
            "flavor",
        ),
        Choice(
            "flows",
            tuple(sorted({*at.MIXES, *at.VEGAS_FLOWS})),
            "Run these numbers of BBR or Vegas flows only: 1 to 9.",
            "flows",
        ),
        Choice("losses", at.LOSSES, "Run these shares of losses only: 0.001, 0.0001.", "loss"),
        Choice("joining", at.LATER, "Let these TCPs join LEDBAT only: cubic, ledbat.", "joining"),
    ),
    evidence=RunsEvidence,
    claims=tuple(CLAIMS),
)
