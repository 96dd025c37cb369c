"""The study of shares under test."""

from ackclock.studies.fairness_rtt import levels as at
from ackclock.studies.fairness_rtt.model import window_packets
from modern_cases import Break, Example

_USED = {"utilisation": 1.0}
_OF_LONG = {"reno_sack": 0.2, "cubic": 0.4, "bbr": 0.8, "bbr3": 0.8}


def _row(part, point):
    if part == at.RTTS:
        return {"long_share": _OF_LONG[point.flavor], "mean_queue_delay_s": 0.1, **_USED}
    if part == at.MIX:
        of_bbr = 2.0 - 0.15 * point.flows
        return {"bbr_of_fair": of_bbr, "cubic_of_fair": 0.8, "mean_queue_delay_s": 0.1, **_USED}
    if part == at.RESPONSE:
        return {"window_packets": window_packets(point.flavor, point.loss), "timeouts": 1.0}
    return {
        at.VEGAS: {"queue_a_flow_packets": 3.0},
        at.LEDBAT: {"mean_queue_delay_s": 0.1},
        at.YIELD: {"first_share": 0.05},
        at.CUBIC: {"least_of_buffer_share": 0.7, "most_of_buffer_share": 0.99},
    }[part] | _USED


def _is(**levels):
    return lambda point: all(getattr(point, name) == level for name, level in levels.items())


EXAMPLE = Example(
    name="fairness-rtt",
    small={"parts": (at.VEGAS, at.LEDBAT), "flows": (1, 2)},
    command="--parts vegas,ledbat --flows 1,2",
    files=("vegas-results", "vegas-runs", "ledbat-results", "ledbat-runs"),
    other={"parts": (at.LEDBAT,)},
    gone=("vegas-results", "vegas-runs"),
    row=_row,
    breaks=(
        Break(
            "long-rtt-wins",
            at.RTTS,
            "long_share",
            0.5,
            _is(flavor="bbr"),
            also=("long-rtt-wins-twice",),
        ),
        Break("long-rtt-wins", at.RTTS, "long_share", 3.0, _is(flavor="reno_sack")),
        Break("long-rtt-wins-twice", at.RTTS, "long_share", 0.75, _is(flavor="bbr")),
        Break("mix-has-a-balance", at.MIX, "bbr_of_fair", 2.0, _is(flows=9)),
        Break("mix-has-a-balance", at.MIX, "bbr_of_fair", 0.5, _is(flows=1)),
        Break("mix-has-a-balance", at.MIX, "bbr_of_fair", 0.4, _is(flows=5)),
        Break(
            "cubic-response", at.RESPONSE, "window_packets", 1.2, _is(flavor="cubic", loss=0.0001)
        ),
        Break("vegas-queue", at.VEGAS, "queue_a_flow_packets", 2.0, _is(flows=4)),
        Break("ledbat-target", at.LEDBAT, "mean_queue_delay_s", 1.2),
        Break("ledbat-yields", at.YIELD, "first_share", 4.0, _is(joining="cubic")),
        Break("ledbat-latecomer", at.YIELD, "first_share", 5.0, _is(joining="ledbat")),
        Break("cubic-keeps-the-buffer-full", at.CUBIC, "least_of_buffer_share", 0.8),
        Break("cubic-keeps-the-buffer-full", at.CUBIC, "most_of_buffer_share", 0.9),
    ),
)
