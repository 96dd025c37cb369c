"""BBR's share: one BBR flow beside loss-based flows in deep buffers, and BBR flows alone.

Source: R. Ware, M. Mukerjee, S. Seshan, J. Sherry, Modeling BBR's interactions with loss-based
congestion control, IMC 2019. The paper's BBR is version 1, as in Linux.

Conventions: packets of 1500 bytes; 40 ms are the RTT of a full packet on the idle path; shares are
of 240 s from the start of the flows, which start within a second of each other; the presets of the
RFCs, but for BBR, which is that of Linux. ``--set`` changes each.
"""

from __future__ import annotations

from pathlib import Path

from ackclock.studies.bbr_share import model
from ackclock.studies.bbr_share.claims import CLAIMS
from ackclock.studies.bbr_share.levels import (
    ALONE,
    BBRS,
    BDPS,
    BUFFERS,
    CROWD,
    DEEP_BDP,
    FLAVORS,
    OTHERS,
    Alone,
    Beside,
    Crowd,
)
from ackclock.studies.bbr_share.metrics import LEAST_RTT, OF_ALONE, OF_BESIDE, SHARE
from ackclock.studies.machinery.evidence import RunsEvidence
from ackclock.studies.machinery.file import files_in
from ackclock.studies.machinery.study import Choice, Part, Picture, Study

_HERE = Path(__file__).parent
_MEASURES = "ackclock.studies.bbr_share.metrics"
_VARIABLES = {
    "buffer_bdp": ("above 0", "Buffer of the bottleneck, BDP."),
    "other_flows": ("whole number", "Number of loss-based flows."),
    "flavor": ("a flavor", "TCP of the loss-based flows."),
    "bbr_flows": ("whole number", "Number of BBR flows."),
}
_FILES = files_in(_HERE / "scenarios", _VARIABLES)

STUDY = Study(
    name="bbr-share",
    title="BBR's share beside loss-based flows",
    source="Ware, Mukerjee, Seshan and Sherry, IMC 2019",
    question="How much of a link does one BBR flow get beside CUBIC or Reno flows?",
    parts=(
        Part(
            name=BUFFERS,
            file=_FILES["beside"],
            point=Beside,
            measure=f"{_MEASURES}:beside",
            metrics=OF_BESIDE,
            title="One BBR flow beside one other flow, by the buffer",
            pictures=(Picture(SHARE, "buffer_bdp", "flavor", x_scale="log", redraws="Figure 8"),),
            model={SHARE: lambda point: model.share(point.buffer_bdp)},
        ),
        Part(
            name=CROWD,
            file=_FILES["beside"],
            own_sets=(
                f"sweep.factors={{ other_flows = {list(OTHERS)} }}",
                f"variables.buffer_bdp={DEEP_BDP}",
            ),
            point=Crowd,
            measure=f"{_MEASURES}:beside",
            metrics=OF_BESIDE,
            title=f"One BBR flow beside several CUBIC flows, buffer {DEEP_BDP} BDP",
            pictures=(Picture(SHARE, "other_flows", x_scale="log"),),
            model={SHARE: lambda point: model.share(DEEP_BDP)},
        ),
        Part(
            name=ALONE,
            file=_FILES["alone"],
            point=Alone,
            measure=f"{_MEASURES}:alone",
            metrics=OF_ALONE,
            probed=True,
            title="BBR flows alone",
            pictures=(
                Picture(LEAST_RTT, "bbr_flows", x_scale="log", y_scale="log", redraws="Figure 6"),
            ),
            model={LEAST_RTT: lambda point: model.least_rtt_s(point.bbr_flows)},
        ),
    ),
    levels=(
        Choice("buffers", BDPS, "Run these buffers only, BDP: 2 to 64.", "buffer_bdp"),
        Choice("flavors", FLAVORS, "Run beside these TCPs only: cubic, reno_sack.", "flavor"),
        Choice("others", OTHERS, "Run these numbers of CUBIC flows only: 1 to 16.", "other_flows"),
        Choice("bbrs", BBRS, "Run these numbers of BBR flows only: 2 to 64.", "bbr_flows"),
    ),
    evidence=RunsEvidence,
    published=_HERE / "published" / "printed.csv",
    claims=tuple(CLAIMS),
)
