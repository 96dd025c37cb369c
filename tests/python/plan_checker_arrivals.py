"""What a plan is, continued: sizes, flows that arrive, calls and video."""

from __future__ import annotations

from itertools import pairwise

from plan_checker_values import MOST_PS, MOST_U32, PPB, PPM, check_law, has_keys, number


def check_sizes(sizes: dict) -> None:
    if sizes["law"] == "pareto":
        has_keys(sizes, "law mean_bytes shape_ppm")
        number(sizes["mean_bytes"], 1, 2**40)
        number(sizes["shape_ppm"], PPM + 1, MOST_U32)
        return
    keys = {"fixed": "bytes", "in_turn": "bytes", "quantiles": "u_ppb bytes interpolation"}
    has_keys(sizes, f"law {keys[sizes['law']]}")
    each = [sizes["bytes"]] if sizes["law"] == "fixed" else sizes["bytes"]
    assert each
    for size in each:
        number(size, 1, 2**40)
    if sizes["law"] == "quantiles":
        assert sizes["interpolation"] in ("log", "linear", "none")
        assert len(sizes["u_ppb"]) == len(each)
        assert sizes["u_ppb"][-1] == PPB
        for low, high in pairwise([0, *sizes["u_ppb"]]):
            number(high, low + 1, PPB)


def check_arrivals(workload: dict) -> None:
    has_keys(workload, "kind arrivals sizes request_bytes answers_with_ack start_ps")
    number(workload["request_bytes"], 1, MOST_U32)
    assert isinstance(workload["answers_with_ack"], bool)
    number(workload["start_ps"], 0, MOST_PS)
    check_sizes(workload["sizes"])
    arrivals = workload["arrivals"]
    if arrivals["kind"] == "random":
        has_keys(arrivals, "kind gap")
        check_law(arrivals["gap"])
        assert arrivals["gap"]["law"] == "exponential"
        number(arrivals["gap"]["mean_ps"], 1, MOST_PS)
        return
    assert arrivals["kind"] == "listed"
    has_keys(arrivals, "kind at_ps")
    assert len(arrivals["at_ps"]) == len(workload["sizes"]["bytes"])
    for low, high in pairwise([0, *arrivals["at_ps"]]):
        number(high, low, MOST_PS)


def check_rpc(workload: dict) -> None:
    has_keys(workload, "kind request_bytes sizes think closed_loop start_ps start_spread_ps")
    number(workload["request_bytes"], 1, MOST_U32)
    check_sizes(workload["sizes"])
    check_law(workload["think"])
    assert isinstance(workload["closed_loop"], bool)
    assert workload["closed_loop"] or workload["think"]["mean_ps"] > 0
    for name in ("start_ps", "start_spread_ps"):
        number(workload[name], 0, MOST_PS)


def check_video(workload: dict) -> None:
    has_keys(
        workload,
        "kind ladder_bps chunk_ps most_ps start_up_ps adaptation request_bytes start_ps"
        " start_spread_ps",
    )
    assert 1 <= len(workload["ladder_bps"]) <= 100
    for low, high in pairwise([0, *workload["ladder_bps"]]):
        number(high, low + 1, 10**12)
    number(workload["chunk_ps"], 1, workload["most_ps"])
    number(workload["most_ps"], 1, MOST_PS)
    number(workload["start_up_ps"], 0, workload["most_ps"])
    number(workload["request_bytes"], 1, 400)
    for name in ("start_ps", "start_spread_ps"):
        number(workload[name], 0, MOST_PS)
    adaptation = workload["adaptation"]
    if adaptation["by"] == "buffer":
        has_keys(adaptation, "by reservoir_ps cushion_ps")
        number(adaptation["reservoir_ps"], 0, MOST_PS)
        number(adaptation["cushion_ps"], 1, MOST_PS)
        return
    has_keys(adaptation, "by chunks used_ppm")
    assert adaptation["by"] == "rate"
    number(adaptation["chunks"], 1, MOST_U32)
    number(adaptation["used_ppm"], 1, PPM)


CHECKS = {"arrivals": check_arrivals, "rpc": check_rpc, "video": check_video}
"""Of each of these kinds, what fails if it is no workload."""
