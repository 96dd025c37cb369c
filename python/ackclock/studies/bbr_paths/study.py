"""BBR on lossy, changing and shared paths: versions 1 and 3.

Sources: N. Cardwell, Y. Cheng, C. S. Gunn, S. H. Yeganeh, V. Jacobson, BBR: congestion-based
congestion control, ACM Queue 14(5), 2016; M. Hock, R. Bless, M. Zitterbart, Experimental evaluation
of BBR congestion control, ICNP 2017; Y. Cao, A. Jain, K. Sharma, A. Balasubramanian, A. Gandhi,
When to use and when not to use BBR, IMC 2019; draft-ietf-ccwg-bbr for version 3.

Conventions: packets of 1500 bytes; the RTT is that of a full packet on the idle path; shares of a
link are of its full packets; the presets of the RFCs, but for BBR version 1, which is that of
Linux. Random losses come behind the bottleneck, whose buffer is 1 BDP; where no packet must be
lost, it is 10 BDP. Hock's 1 Gbit/s and Cao's table of retransmissions are scaled to 100 Mbit/s.
``--set`` changes each.
"""

from __future__ import annotations

from pathlib import Path as File
from typing import Any

from ackclock.studies.bbr_paths import levels as at
from ackclock.studies.bbr_paths import metrics
from ackclock.studies.bbr_paths.claims import CLAIMS
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.file import files_in
from ackclock.studies.machinery.study import Choice, Part, Picture, Study, Watch

_HERE = File(__file__).parent
_VARIABLES = {
    "rate": ("a rate", "Rate of the bottleneck."),
    "rtt": ("a time", "RTT of a full packet on the idle path."),
    "buffer_bdp": ("above 0", "Buffer of the bottleneck, BDP."),
    "loss": ("from 0 to 1", "Share of the packets that the path loses."),
    "flavor": ("a flavor", "TCP of the flow."),
    "first": ("a flavor", "TCP of the first flows."),
    "second": ("a flavor", "TCP of the other flows."),
    "firsts": ("whole number", "Number of the first flows."),
    "seconds": ("whole number", "Number of the other flows."),
}
_FILES = files_in(_HERE / "scenarios", _VARIABLES)
_MEASURES = {
    **dict.fromkeys((at.LOSS, at.FAT, at.BUFFERS, at.LOSSY), "path"),
    at.SHALLOW: "flows",
}
"""Of parts whose measure has another name."""
_LOG: dict[str, Any] = {"x_scale": "log", "y_scale": "log"}
_SHORT = ("variables.rate=10 Mbit/s", "variables.rtt=40 ms", "variables.buffer_bdp=10")
_EVENTS = ("probes.states=all", "probes.cwnd=all", "probes.rtt=all")
_RATES = ("probes.transport=1 ms", "probes.queue=10 ms")
_ONE_EACH = ("variables.firsts=1", "variables.seconds=1")


def _over(**factors: object) -> str:
    """The factors of a part, for ``own_sets``."""
    return f"sweep.factors={{ {', '.join(f'{name} = {its}' for name, its in factors.items())} }}"


def _part(name: str, title: str, point: type[Any], *sets: str, **more: Any) -> Part:
    """A part whose measure looks at what its sets record, if they record anything."""
    measure = _MEASURES.get(name, name)
    is_several = name == at.SHALLOW or point in (at.Buffer, at.Count)
    return Part(
        name=name,
        file=_FILES["several" if is_several else "one"],
        own_sets=sets,
        point=point,
        measure=f"ackclock.studies.bbr_paths.metrics:{measure}",
        metrics=metrics.OF[measure],
        probed=any(each.startswith("probes.") for each in sets),
        title=title,
        **more,
    )


def _watch(name: str, start_s: float, end_s: float, figure: str, *probes: str) -> Watch:
    return Watch(lambda points: points[:1], lambda _: probes, name, (start_s, end_s), figure)


PARTS = (
    _part(
        at.LOSS,
        "Random losses: one flow, 100 Mbit/s, 100 ms",
        at.Loss,
        pictures=(
            Picture(metrics.GOODPUT, "loss", "flavor", x_scale="log", redraws="Figure 8"),
            Picture("retransmitted_share", "loss", "flavor", **_LOG),
        ),
        model={metrics.GOODPUT: lambda point: 1 - point.loss},
    ),
    _part(
        at.FAT,
        "1 % loss at 1 Gbit/s, 100 ms",
        at.Flow,
        _over(flavor=at.FLAVORS),
        "variables.rate=1 Gbit/s",
        "variables.loss=0.01",
        "duration=30 s",
        pictures=(Picture(metrics.GOODPUT, "flavor", y_scale="log"),),
    ),
    _part(
        at.START,
        "The first second: 10 Mbit/s, 40 ms",
        at.Flow,
        _over(flavor=at.VERSIONS),
        *(*_SHORT, *_EVENTS, *_RATES, "duration=3 s"),
        pictures=(Picture("most_in_flight_bdp", "flavor"),),
        watch=_watch("start-watched", 0.0, 1.5, "Figure 4"),
    ),
    _part(
        at.DOUBLED,
        "From 10 to 20 Mbit/s at 20 s, and back at 40 s",
        at.Flow,
        _over(flavor=["bbr"]),
        *(*_SHORT, *_EVENTS, *_RATES, at.steps("20 Mbit/s")),
        watch=_watch("doubled-watched", 18.0, 46.0, "Figure 3"),
    ),
    _part(
        at.BUFFERS,
        "Shallow and deep buffers: one flow",
        at.Path,
        at.path_factors(),
        pictures=(Picture(metrics.GOODPUT, "path", "flavor", redraws="points of Figure 5"),),
    ),
    _part(
        at.TOGETHER,
        "One BBR and one CUBIC flow: what each sends again, 100 Mbit/s, 20 ms",
        at.Buffer,
        _over(buffer_bdp=at.SMALL_BDP),
        *_ONE_EACH,
        "warm_up=0 s",
        pictures=tuple(
            Picture(each, "buffer_bdp", **_LOG)
            for each in ("bbr_resent_packets", "cubic_resent_packets")
        ),
    ),
    _part(
        at.SHALLOW,
        "Six flows in a buffer of 0.8 BDP, 100 Mbit/s, 20 ms",
        at.Flow,
        _over(first=at.FLAVORS),
        "variables.firsts=6",
        "variables.buffer_bdp=0.8",
        point_of=lambda levels: at.Flow(levels["first"]),
        pictures=(Picture("drop_share", "flavor"),),
    ),
    _part(
        at.STANDING,
        "The queue that BBR flows keep, 100 Mbit/s, 20 ms",
        at.Count,
        "probes.queue=10 ms",
        point_of=lambda its: at.Count(its["firsts"]),
        pictures=(Picture("standing_queue_bdp", "bbr_flows"),),
    ),
    _part(
        at.FAIR,
        "Five BBR flows that start within 8 s, 100 Mbit/s, 10 ms",
        at.Count,
        _over(firsts=[5]),
        *("variables.rtt=10 ms", "workload.start_spread=8 s", "probes.goodput=100 ms"),
        *("probes.states=all", "probes.rtt=all"),
        point_of=lambda its: at.Count(its["firsts"]),
        watch=_watch("fair-watched", 0.0, 50.0, "Figure 6", "probes.cwnd=all", *_RATES[1:]),
    ),
    _part(
        at.DRAIN,
        "Version 3: the rate falls by a tenth as DRAIN begins",
        at.Flow,
        _over(flavor=["bbr3"]),
        *(*_SHORT, *_EVENTS, "duration=3 s"),
        'topology.bottleneck.schedule=[{ at = "459 ms", rate = "9 Mbit/s" }]',
    ),
    _part(
        at.TENFOLD,
        "Version 3: from 10 to 100 Mbit/s at 20 s, and back at 40 s",
        at.Flow,
        _over(flavor=["bbr3"]),
        *(*_SHORT, *_EVENTS, *_RATES, at.steps("100 Mbit/s")),
        watch=_watch("tenfold-watched", 18.0, 60.0, ""),
    ),
    _part(
        at.PROBES,
        "Version 3: PROBE_RTT, 10 Mbit/s, 40 ms",
        at.Flow,
        _over(flavor=["bbr3"]),
        *(*_SHORT, *_EVENTS),
    ),
    _part(
        at.LOSSY,
        "1 % loss and a BDP of 33 packets: 10 Mbit/s, 40 ms",
        at.Flow,
        _over(flavor=at.VERSIONS),
        *(*_SHORT, "variables.loss=0.01"),
        pictures=(Picture(metrics.GOODPUT, "flavor"),),
    ),
    _part(
        at.RENO,
        "Version 3 beside one Reno flow, 25 Mbit/s, 30 ms",
        at.Buffer,
        _over(buffer_bdp=at.RENO_BDP),
        *_ONE_EACH,
        *("variables.first=bbr3", "variables.second=reno_sack"),
        *("variables.rate=25 Mbit/s", "variables.rtt=30 ms"),
        *("probes.states=all", "probes.rtt=all"),
        pictures=(Picture("reno_share", "buffer_bdp"),),
    ),
)

STUDY = Study(
    name="bbr-paths",
    title="BBR on lossy, changing and shared paths",
    source="Cardwell et al. 2016, Hock et al. 2017, Cao et al. 2019, draft-ietf-ccwg-bbr",
    question="When does BBR fill a path that loss-based TCPs leave empty, and what does it cost?",
    parts=PARTS,
    levels=(
        Choice("losses", at.LOSSES, "Run these shares of losses only: 0.00001 to 0.5.", "loss"),
        Choice(
            "flavors", (*at.FLAVORS, "bbr3"), "Run these TCPs only: cubic, bbr, bbr3.", "flavor"
        ),
    ),
    evidence=RunsEvidence,
    published=_HERE / "published" / "printed.csv",
    claims=tuple(CLAIMS),
)
