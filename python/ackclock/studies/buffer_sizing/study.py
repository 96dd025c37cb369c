"""Buffer sizing: how large the buffer of a bottleneck must be, for one flow and for hundreds.

Sources: G. Appenzeller, I. Keslassy, N. McKeown, Sizing router buffers, SIGCOMM 2004; B. Spang,
S. Arslan, N. McKeown, Updating the theory of buffer sizing, Performance Evaluation 151, 2021; RFC
9438 for CUBIC.

Conventions: one flow on 24 Mbit/s and 100 ms, measured for 160 s; hundreds of flows on 155 Mbit/s,
with RTTs spread evenly from 50 to 150 ms, measured for 20 s; Reno with SACK, RACK-TLP and
proportional rate reduction (PRR); a buffer counts as full use if it gives 99 %.
"""

from __future__ import annotations

from pathlib import Path

from ackclock.studies.buffer_sizing import model
from ackclock.studies.buffer_sizing.claims import CLAIMS
from ackclock.studies.buffer_sizing.levels import (
    BDPS,
    FLAVORS,
    FLOWS,
    MANY,
    MULTIPLES,
    ONE,
    Many,
    One,
)
from ackclock.studies.buffer_sizing.metrics import OF_ALL, USED
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.file import files_in
from ackclock.studies.machinery.study import Choice, Part, Picture, Study, Watch

_HERE = Path(__file__).parent
_MEASURE = "ackclock.studies.buffer_sizing.metrics:measure"
_VARIABLES = {
    "buffer_bdp": ("above 0", "Buffer of the bottleneck, BDP."),
    "flavor": ("a flavor", "TCP of the flow."),
    "senders": ("whole number", "Number of flows, n."),
    "multiple": ("above 0", "Buffer of the bottleneck, in BDP / sqrt(n)."),
}
_FILES = files_in(_HERE / "scenarios", _VARIABLES)
_FORMULAS = {"reno_sack": model.reno, "cubic": model.cubic}
_WATCHED = (One("reno_sack", 0.25), One("reno_sack", 1))


def _formula(point: One) -> float:
    """Of BBR there is no formula."""
    its = _FORMULAS.get(point.flavor)
    return its(point.buffer_bdp) if its else float("nan")


STUDY = Study(
    name="buffer-sizing",
    title="Sizing router buffers",
    source="Appenzeller, Keslassy and McKeown, SIGCOMM 2004; Spang et al. 2021",
    question="How large must a buffer be so that TCP keeps the link busy?",
    parts=(
        Part(
            name=ONE,
            file=_FILES["one"],
            point=One,
            measure=_MEASURE,
            metrics=OF_ALL,
            title="One flow",
            pictures=(
                Picture(USED, "buffer_bdp", "flavor", x_scale="log"),
                Picture("mean_queue_delay_s", "buffer_bdp", "flavor", x_scale="log"),
            ),
            model={USED: _formula},
            watch=Watch(
                choose=lambda points: [each for each in points if each in _WATCHED],
                probes=lambda its: ("probes.queue=100 ms", "probes.cwnd=all"),
                folder="one/watched",
                span=(80.0, 180.0),
                redraws="Figures 4 and 5",
            ),
        ),
        Part(
            name=MANY,
            file=_FILES["many"],
            point=Many,
            measure=_MEASURE,
            metrics=OF_ALL,
            title="Hundreds of flows, buffer in BDP / sqrt(n)",
            pictures=(Picture(USED, "multiple", facet="senders", redraws="Figure 15"),),
        ),
    ),
    levels=(
        Choice(
            "buffers", BDPS, "Run these buffers of one flow only, BDP: 0.01 to 1.", "buffer_bdp"
        ),
        Choice("flavors", FLAVORS, "Run these TCPs only: reno_sack, cubic, bbr.", "flavor"),
        Choice("flows", FLOWS, "Run these numbers of flows only: 100 to 400.", "senders"),
        Choice(
            "multiples", MULTIPLES, "Run these buffers of many flows only: 0.5 to 3.", "multiple"
        ),
    ),
    evidence=RunsEvidence,
    claims=tuple(CLAIMS),
    published=_HERE / "published" / "printed.csv",
)
