"""The suite for some TCPs: its experiments as the parts of a study.

| experiment | section | as in the draft | by default here |
|---|---|---|---|
| networks | 4 | loads of 60, 85 and 110 %, its durations | 85 %, a tenth of the durations |
| delay and throughput by buffer | 5.1 | 829 s | a tenth |
| ramp-up | 5.2 | 10 Mbit/s and 1 Gbit/s, 600 s | 10 Mbit/s, 200 s |
| transients | 5.3 | as there | as there |
| impact on standard TCP | 6.1 | loads of 50 and 100 % | a fifth of the durations |
| fairness | 6.2 | as there | as there |

Deviations: random arrivals with sizes of campus traffic in place of Tmix traces, so that warm-ups
take the place of the prefill; SACK and RACK are on in all TCPs, standard TCP included; the wireless
network is a shared radio channel between the left nodes and their router.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ackclock.evaluation import metrics, points
from ackclock.evaluation.comparison import tables
from ackclock.evaluation.points import name_of
from ackclock.plurals import listed
from ackclock.scenario.toml_text import inline
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.file import StudyFile
from ackclock.studies.machinery.study import Part, Picture, Study

STANDARD = "reno_sack"
"""Standard TCP of section 6.1."""
_FOLDER = Path(__file__).parent / "scenarios"
_MEASURES = "ackclock.evaluation.metrics"
_FILES = {
    # A TCP in a Python file is found from the working directory.
    name: StudyFile(_FOLDER / f"{name}.toml", sweep_stays=True, folder=Path())
    for name in ("traffic", "ramp_up", "transients", "fairness")
}
_CENTRAL_LINK, _BACK_LINK = 6, 7
_GROUPS_OF_A = 18


class Network(NamedTuple):
    """A network of section 4.

    Attributes:
        title: in words.
        sets: what differs from ``traffic.toml``: variables, and keys with a dot.
        warm_ups_s: at loads of 60, 85 and 110 %.
        durations_s: measured time at these loads.
    """

    title: str
    sets: Mapping[str, Any]
    warm_ups_s: tuple[float, ...]
    durations_s: tuple[float, ...]


LOADS, USUAL_LOAD = (0.6, 0.85, 1.1), 0.85
_RADIO = {
    f"topology.links[{link}].varies": {"kind": "wifi"} for link in (_CENTRAL_LINK, _BACK_LINK)
}
NETWORKS = {
    "data-centre": Network(
        "Data centre: 1 Gbit/s",
        {
            "rate": 1e9,
            "back_rate": 1e9,
            "edge_rate": 1e9,
            "buffer": 0.01,
            "back_buffer": 0.01,
            "central": 0.0,
            **{f"edge_{node}": 1e-5 for node in (1, 2, 4)},
            **{f"edge_{node}": 1e-4 for node in (3, 5, 6)},
        },
        (63, 19, 8),
        (69, 328, 663),
    ),
    "access": Network("Access link: 100 Mbit/s", {}, (84, 179, 34), (479, 829, 1423)),
    "trans-oceanic": Network(
        "Trans-oceanic link: 1 Gbit/s, 65 ms",
        {"rate": 1e9, "back_rate": 1e9, "edge_rate": 1e9, "central": 0.065},
        (140, 64, 82),
        (82.5, 252, 326),
    ),
    "satellite": Network(
        "Geostationary satellite: 40 and 4 Mbit/s, 300 ms",
        {"rate": 40e6, "back_rate": 4e6, "central": 0.3, "back_buffer": 1.0},
        (163, 230, 298),
        (2513, 2184, 2481),
    ),
    "wireless": Network(
        "Wireless network: 6 Mbit/s",
        {"rate": 6e6, "back_rate": 6e6, **_RADIO},
        (20, 20, 620),
        (4147, 5397, 1797),
    ),
    "dial-up": Network(
        "Dial-up link: 64 kbit/s",
        {"rate": 64e3, "back_rate": 64e3, "central": 0.005, "buffer": 1.25, "back_buffer": 1.25},
        (280, 400, 512),
        (168804, 88094, 69891),
    ),
}

_IMPACT_TIMES = {"warm_ups": (26, 26, 50), "durations": (508, 508, 498)}
_SHORT, _SHORT_OF_IMPACT = 0.1, 0.2
"""Shares of the draft's times that are simulated if not all is asked for."""


def suite(tested: str, against: Sequence[str], *, full: bool = False) -> Study:
    """The suite as a study without claims.

    Args:
        tested: the TCP under test: a flavor, or a class in a Python file, "my_tcp.py:MyControl".
        against: those that it is compared with.
        full: whether all loads and the draft's durations are simulated.
    """
    tcps = tuple(dict.fromkeys([tested, *against]))
    scale = 1.0 if full else _SHORT
    loads = LOADS if full else (USUAL_LOAD,)
    return Study(
        name="evaluate",
        title=f"{name_of(tested)} in the Common TCP Evaluation Suite",
        source="draft-irtf-iccrg-tcpeval-01",
        question=f"How does {name_of(tested)} compare with {listed(list(map(name_of, against)))}?",
        command=("evaluate", tested, "--against", ",".join(against), *(["--full"] * full)),
        parts=(
            *(_network(name, tcps, loads, scale) for name in NETWORKS),
            _buffers(tcps, scale),
            _ramp_up(tcps, full=full),
            _transients(tcps),
            _impact(tcps, 1.0 if full else _SHORT_OF_IMPACT),
            _fairness(tcps),
        ),
        claims=(),
        evidence=RunsEvidence,
        tables=partial(tables, name_of(tested)),
        report="ackclock.evaluation.report:PAGE",
    )


def _network(name: str, tcps: Sequence[str], loads: Sequence[float], scale: float) -> Part:
    its = NETWORKS[name]
    sets = {"scale": scale, "warm_ups": its.warm_ups_s, "durations": its.durations_s, **its.sets}
    return _part(
        name,
        its.title,
        "traffic",
        points.Traffic,
        metrics.TRAFFIC,
        (*_sets(sets), _factor("load", loads), _tcps(tcps)),
        pictures=()
        if len(loads) == 1
        else _pictures("load", "completion_medium_p50_s", "queue_delay_s"),
    )


def _buffers(tcps: Sequence[str], scale: float) -> Part:
    return _part(
        "buffers",
        "Delay and throughput of the access link, by its buffer",
        "traffic",
        points.Buffers,
        metrics.TRAFFIC,
        (
            *_sets({"scale": scale}),
            _factor("buffer_bdp", (0.1, 0.2, 0.5, 1, 2)),
            _tcps(tcps),
        ),
        pictures=_pictures("buffer_bdp", "utilisation", "queue_delay_s", "drop_share", log=True),
    )


def _ramp_up(tcps: Sequence[str], *, full: bool) -> Part:
    sets = ["duration=600 s", _factor("rate_bit_s", (10e6, 1e9))] if full else []
    return _part(
        "ramp-up",
        "A second flow starts",
        "ramp_up",
        points.FullRampUp if full else points.RampUp,
        metrics.RAMP_UP,
        (*sets, _tcps(tcps)),
        pictures=(),
        probed=True,
    )


def _transients(tcps: Sequence[str]) -> Part:
    return _part(
        "transients",
        "Datagrams stop, begin, or become fewer",
        "transients",
        points.Transients,
        metrics.TRANSIENTS,
        (_tcps(tcps),),
        pictures=(),
        probed=True,
    )


def _impact(tcps: Sequence[str], scale: float) -> Part:
    standard = {f"flows[{group}].tcp.flavor": STANDARD for group in range(_GROUPS_OF_A)}
    sets = {"scale": scale, "share_b": 0.5, "smss_b": "1460 B", **_IMPACT_TIMES}
    return _part(
        "impact",
        "Impact on standard TCP: camp A has standard TCP, camp B the TCP of the row",
        "traffic",
        points.Impact,
        metrics.IMPACT,
        (
            *_sets({**sets, **standard}),
            _factor("load", (0.5, 1.0)),
            _tcps(dict.fromkeys([STANDARD, *tcps])),
        ),
        measure="impact",
        pictures=(),
    )


def _fairness(tcps: Sequence[str]) -> Part:
    return _part(
        "fairness",
        "Two flows of the same TCP, with equal RTTs or a first RTT of 160 ms",
        "fairness",
        points.Fairness,
        metrics.FAIRNESS,
        (_tcps(tcps),),
        pictures=tuple(
            Picture(
                "throughput_ratio", "second_rtt_s", "tcp", "buffer_bdp", {"first_rtt": first}, "log"
            )
            for first in ("the same", "160 ms")
        ),
    )


def _part(
    name: str,
    title: str,
    file: str,
    point: type[Any],
    its: Sequence[str],
    sets: Sequence[str],
    measure: str = "",
    **more: Any,
) -> Part:
    return Part(
        name=name,
        title=title,
        file=_FILES[file],
        point=point,
        measure=f"{_MEASURES}:{measure or file}",
        metrics=tuple(its),
        own_sets=tuple(sets),
        **more,
    )


def _sets(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Texts ``key=value``; a name without a dot is a variable."""
    return tuple(
        f"{name if '.' in name else f'variables.{name}'}={inline(value)}"
        for name, value in values.items()
    )


def _factor(name: str, levels: Sequence[float]) -> str:
    return f"sweep.factors.{name}={inline(list(levels))}"


def _tcps(tcps: Iterable[str]) -> str:
    """A factor with a level for each TCP, by its name."""
    return f"sweep.factors.tcp={inline({name_of(tcp): {'tcp.flavor': tcp} for tcp in tcps})}"


def _pictures(x: str, *names: str, facet: str = "", log: bool = False) -> tuple[Picture, ...]:
    scale = "log" if log else "auto"
    return tuple(Picture(name, x, "tcp", facet, x_scale=scale) for name in names)
