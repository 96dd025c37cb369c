"""What a plan says of the queue of a link, and of how it changes."""

from __future__ import annotations

import json

from ackclock import _core
from plan_checker_values import MOST_PS, MOST_U32, MOST_U64, PPB, has_keys, number

_SPANS = {
    "share": (1, PPB),
    "average_packets": (0, MOST_U64),
    "size": (1, MOST_U32),
    "time": (1, MOST_PS),
    "count": (1, MOST_U32),
    "frequency": (1, 10**12),
    "rate": (1, 10**14),
}
"""Of the parameters of queues, by their units."""
_MODELS = {
    "starlink": "phase_ps delay_spread_ps jitter_ps jitter_every_ps rate_cv_ppm outage_ps loss_ppb",
    "lte": "users coherence_ps snr_ppm shadowing_cv_ppm shadowing_time_ps averaging_ps "
    "retransmissions_ppb",
    "wifi": "contention_ps txop_ps",
}


def check_queue(queue: dict) -> None:
    row = next(row for row in json.loads(_core.queue_disciplines()) if row["name"] == queue["name"])
    parameters = {parameter["key"]: parameter for parameter in row["parameters"]}
    has_keys(queue, " ".join(["name limit_packets limit_bytes", *parameters]))
    for key, its in parameters.items():
        if its["unit"] == "flag":
            assert isinstance(queue[key], bool)
        elif its["unit"] == "word":
            assert queue[key] in its["words"]
        elif its["default"] != "off" or queue[key] is not None:
            number(queue[key], *_SPANS[its["unit"]])
    if queue["name"] == "red":
        assert queue["min_thresh_ppm"] < queue["max_thresh_ppm"]
    limits = [queue["limit_packets"], queue["limit_bytes"]]
    assert limits != [None, None]
    for limit in limits:
        if limit is not None:
            number(limit, 1, MOST_U64)


def check_varies(varies: dict) -> None:
    has_keys(varies, "number how")
    number(varies["number"], 0, MOST_U32)
    how = varies["how"]
    if how["kind"] == "steps":
        has_keys(how, "kind steps period_ps")
        times = [step["at_ps"] for step in how["steps"]]
        assert times[0] == 0
        assert times == sorted(set(times))
        assert how["period_ps"] is None or how["period_ps"] > times[-1]
        assert any(step["rate_bps"] for step in how["steps"])
        for step in how["steps"]:
            has_keys(step, "at_ps rate_bps delay_ps loss_ppb")
            number(step["rate_bps"], 0, 10**14)
            number(step["delay_ps"], 0, MOST_PS)
            number(step["loss_ppb"], 0, PPB)
    elif how["kind"] == "opportunities":
        has_keys(how, "kind times period_ps bytes")
        times = [at for at, _ in how["times"]]
        assert times == sorted(set(times))
        number(how["period_ps"], max(1, times[-1]), MOST_PS)
        number(how["bytes"], 1, MOST_U32)
        for _, count in how["times"]:
            number(count, 1, MOST_U32)
    else:
        has_keys(how, f"kind {_MODELS[how['kind']]}")
        for name, value in how.items():
            if name.endswith("_ps") and name != "outage_ps":
                number(value, 0, MOST_PS)
