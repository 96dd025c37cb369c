"""The study of BBR's share under test."""

from ackclock.studies.bbr_share.levels import ALONE, BUFFERS, CROWD
from ackclock.studies.bbr_share.metrics import LEAST_RTT, SHARE
from ackclock.studies.bbr_share.model import least_rtt_s, share
from modern_cases import Break, Example

_OTHERS = {"utilisation": 1.0, "retransmitted_share": 0.01, "mean_queue": 100.0}


def _row(part, point):
    if part == ALONE:
        return {LEAST_RTT: least_rtt_s(point.bbr_flows), **_OTHERS}
    return {SHARE: share(point.buffer_bdp) if part == BUFFERS else 0.45, **_OTHERS}


EXAMPLE = Example(
    name="bbr-share",
    small={"parts": (BUFFERS, ALONE), "buffers": (2, 4), "flavors": ("cubic",), "bbrs": (2,)},
    command="--parts buffers,alone --buffers 2,4 --flavors cubic --bbrs 2",
    files=("buffers-results", "buffers-runs", "alone-results", "alone-runs"),
    other={"parts": (ALONE,), "bbrs": (2,)},
    gone=("buffers-results", "buffers-runs"),
    row=_row,
    breaks=(
        Break("half-at-most", CROWD, SHARE, 1.3, also=()),
        Break(
            "same-whatever-the-number",
            CROWD,
            SHARE,
            0.6,
            where=lambda point: point.other_flows == 16,
        ),
        Break("formula-beside-cubic", BUFFERS, SHARE, 1.1, lambda its: its.flavor == "cubic"),
        Break(
            "formula-beside-cubic",
            BUFFERS,
            SHARE,
            0.8,
            lambda its: (its.flavor, its.buffer_bdp) == ("cubic", 8),
        ),
        Break("formula-beside-reno", BUFFERS, SHARE, 1.1, lambda its: its.flavor != "cubic"),
        Break("inflated-rtt", ALONE, LEAST_RTT, 1.1, lambda point: point.bbr_flows == 32),
    ),
)
