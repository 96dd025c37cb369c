"""The study of BBR's paths under test."""

from ackclock.studies.bbr_paths import levels as at
from ackclock.studies.bbr_paths.metrics import GOODPUT
from modern_cases import Break, Example

_SINGLE = {
    at.START: {
        "most_in_flight_bdp": 2.9,
        "after_drain_bdp": 1.1,
        "peak_rtt_s": 0.12,
        "bandwidth_share": 1.0,
        "at_full_rate_rtt": 3.0,
    },
    at.DOUBLED: {"learned_s": 1.0, "forgotten_s": 1.0, "forgotten_rtt": 10.0, "drained_s": 4.0},
    at.STANDING: {"standing_queue_bdp": 1.2, "utilisation": 1.0},
    at.FAIR: {"jain": 0.99, "probes_within_s": 0.2, "utilisation": 1.0},
    at.DRAIN: {"drain_rtt": 3.0, "left_in_flight_bdp": 1.5},
    at.TENFOLD: {"learned_s": 1.0, "forgotten_s": 6.0, "forgotten_rtt": 10.0},
    at.PROBES: {"between_probes_s": 5.0, "in_probe_s": 0.24, "cwnd_in_probe_bdp": 0.5},
    at.RENO: {"reno_share": 0.4, "wait_to_probe_s": 2.5, "utilisation": 1.0},
    at.TOGETHER: {
        "bbr_resent_packets": 5000.0,
        "cubic_resent_packets": 100.0,
        "utilisation": 1.0,
    },
}
_PATH = {"retransmitted_share": 0.01, "timeouts": 1.0}
_OF_CUBIC = {
    at.WIDE_PATHS[0]: 0.9 / 1.91,
    at.WIDE_PATHS[1]: 0.9 / 2.15,
    at.SLOW_PATHS[0]: 0.9 / 0.66,
    at.SLOW_PATHS[1]: 0.9 / 0.67,
}


def _goodput(part, point):
    if part == at.LOSS:
        of_bbr = (1 - point.loss) * (0.95 if point.loss < 0.2 else 0.1)
        return of_bbr if point.flavor == "bbr" else min(1.0, 1e-4 / point.loss)
    if part == at.FAT:
        return 0.9 if point.flavor == "bbr" else 0.002
    if part == at.BUFFERS:
        return 0.9 if point.flavor == "bbr" else _OF_CUBIC[point.path]
    return 0.95


def _row(part, point):
    if part == at.SHALLOW:
        return {"drop_share": 0.05 if point.flavor == "bbr" else 0.0005, "utilisation": 1.0}
    return _SINGLE.get(part) or {GOODPUT: _goodput(part, point), **_PATH}


def _is(**levels):
    return lambda point: all(getattr(point, name) == level for name, level in levels.items())


EXAMPLE = Example(
    name="bbr-paths",
    small={"parts": (at.START, at.DRAIN), "flavors": ("bbr", "bbr3")},
    command="--parts start,drain --flavors bbr,bbr3",
    files=(
        "start-results",
        "start-runs",
        "start-comparison",
        "drain-results",
        "drain-runs",
    ),
    other={"parts": (at.DRAIN,), "flavors": ("bbr3",)},
    gone=("start-results", "start-runs", "start-comparison"),
    row=_row,
    breaks=(
        Break("loss-bbr", at.LOSS, GOODPUT, 0.9, _is(flavor="bbr", loss=0.05)),
        Break("loss-bbr", at.LOSS, GOODPUT, 0.7, _is(flavor="bbr", loss=0.15)),
        Break("loss-cubic", at.LOSS, GOODPUT, 2.0, _is(flavor="cubic", loss=0.001)),
        Break("loss-cubic", at.LOSS, GOODPUT, 0.5, _is(flavor="cubic", loss=0.001)),
        Break("loss-cubic", at.LOSS, GOODPUT, 5.0, _is(flavor="cubic", loss=0.01)),
        Break("fat-path", at.FAT, GOODPUT, 3.0, _is(flavor="cubic")),
        Break(
            "loss-cliff", at.LOSS, GOODPUT, 0.5, _is(flavor="bbr", loss=0.15), also=("loss-bbr",)
        ),
        Break("loss-cliff", at.LOSS, GOODPUT, 8.0, _is(flavor="bbr", loss=0.25)),
        Break("doubled-learned", at.DOUBLED, "learned_s", 1.5),
        Break("halved-forgotten", at.DOUBLED, "forgotten_rtt", 1.2),
        Break("halved-forgotten", at.DOUBLED, "drained_s", 2.0),
        Break("startup-and-drain", at.START, "most_in_flight_bdp", 0.7, _is(flavor="bbr")),
        Break("startup-and-drain", at.START, "after_drain_bdp", 1.5, _is(flavor="bbr")),
        Break(
            "shallow-buffers", at.BUFFERS, GOODPUT, 1.5, _is(path=at.WIDE_PATHS[0], flavor="cubic")
        ),
        Break("deep-buffers", at.BUFFERS, GOODPUT, 1.5, _is(path=at.SLOW_PATHS[1], flavor="bbr")),
        Break(
            "resends-in-shallow-buffers",
            at.TOGETHER,
            "cubic_resent_packets",
            6.0,
            _is(buffer_bdp=0.4),
        ),
        Break("standing-queue", at.STANDING, "standing_queue_bdp", 2.0, _is(bbr_flows=6)),
        Break("loss-in-shallow-buffers", at.SHALLOW, "drop_share", 3.0, _is(flavor="cubic")),
        Break("fair-shares", at.FAIR, "jain", 0.9),
        Break("v3-startup", at.START, "bandwidth_share", 0.95, _is(flavor="bbr3")),
        Break("v3-startup", at.START, "at_full_rate_rtt", 1.5, _is(flavor="bbr3")),
        Break("v3-drain", at.DRAIN, "drain_rtt", 0.5),
        Break("v3-drain", at.DRAIN, "left_in_flight_bdp", 0.6),
        Break("v3-probe-rtt", at.PROBES, "between_probes_s", 2.0),
        Break("v3-tenfold", at.TENFOLD, "learned_s", 4.0),
        Break("v3-tenth", at.TENFOLD, "forgotten_s", 2.0),
        Break("v3-one-percent", at.LOSSY, GOODPUT, 0.85, _is(flavor="bbr3")),
        Break("v3-waits", at.RENO, "wait_to_probe_s", 1.5),
        Break("v3-leaves-reno", at.RENO, "reno_share", 0.5),
    ),
)
