"""A description of a workload."""

from __future__ import annotations

from math import isnan, nan

from ackclock.plurals import counted
from ackclock.scenario.compile.workloads import mean_size
from ackclock.scenario.flow_trace import ListedFlows
from ackclock.scenario.model.workload import (
    Arrivals,
    Cbr,
    FlowTrace,
    Ftp,
    Http10,
    Http11,
    HttpSessions,
    OnOff,
    Rpc,
    Video,
    Workload,
)
from ackclock.scenario.units import RATE, SIZE, TIME, show
from ackclock.scenario.values.kind import decimal, shown
from ackclock.scenario.values.sizes import Sizes


def workload_text(workload: Workload, capacity_bit_s: float = nan) -> str:
    """A workload and what is written of it; pages, files and calls in words.

    Args:
        workload: of a group of flows.
        capacity_bit_s: payload that the bottleneck carries; nan if there is not one bottleneck.
    """
    if isinstance(workload, Arrivals):
        arriving = arrivals_text(workload, capacity_bit_s)
        return f"arrivals: {arriving}{_requests(workload)}"
    if isinstance(workload, FlowTrace):
        return _trace_text(workload)
    if isinstance(workload, Rpc):
        return _rpc_text(workload)
    if isinstance(workload, Video):
        return _video_text(workload)
    if isinstance(workload, Ftp):
        return f"ftp: files of {show(workload.file_size, SIZE)}, back to back{_requests(workload)}"
    if isinstance(workload, HttpSessions):
        pause = f"pause {show(workload.pause, TIME)} on average (exponential)"
        return (
            f"http_sessions: objects of {show(workload.mean_size, SIZE)} on average "
            f"(Pareto, shape {decimal(workload.shape)}), each on a connection of its own, "
            f"{pause if workload.pause else 'no pause'}{_requests(workload)}"
        )
    if isinstance(workload, Cbr | OnOff):
        return _datagrams_text(workload)
    if isinstance(workload, Http10 | Http11):
        low, high = (show(each, TIME) for each in (workload.pause_min, workload.pause_max))
        pause = f"pause {low}" if low == high else f"pause {low} to {high}"
        return (
            f"{workload.kind}: pages of {_objects_text(workload)}, "
            f"{_sizes_text(workload.sizes, workload.sizes_interpolation)}, "
            f"{pause}{_requests(workload)}"
        )
    written = workload.model_dump(mode="json", exclude_unset=True, exclude={"kind"})
    texts = (
        f"{name} {value if isinstance(value, str) else shown(value)}"
        for name, value in written.items()
    )
    return ", ".join([workload.kind, *texts])


def arrivals_text(workload: Arrivals, capacity_bit_s: float = nan) -> str:
    """What arrives: the sizes, how many flows a second, and which load that is.

    Args:
        workload: of a group of flows.
        capacity_bit_s: as of ``workload_text``.
    """
    interpolation = workload.sizes_interpolation
    each = 8 * mean_size(workload.sizes, interpolation)
    a_second = float(workload.offered / each)
    share = workload.offered / capacity_bit_s
    of_all = f", {100 * share:.3g} % of the payload that the bottleneck carries"
    load = "" if isnan(share) else of_all
    return (
        f"{_sizes_text(workload.sizes, interpolation)}, {a_second:.3g} arrivals a second "
        f"(Poisson), {show(workload.offered, RATE)} of payload offered{load}"
    )


def _trace_text(workload: FlowTrace) -> str:
    listed = workload.flows.content
    assert isinstance(listed, ListedFlows), "a settled scenario has read its files"
    number = len(listed.bytes)
    first, last = (show(listed.start_ps[at] + workload.start, TIME) for at in (0, -1))
    return (
        f"trace: {counted(number, 'flow')} of {workload.flows.name}, "
        f"mean {sum(listed.bytes) / number:.0f} B, starts from {first} to {last}"
        f"{_requests(workload, first=False)}"
    )


def _rpc_text(workload: Rpc) -> str:
    after = "response" if workload.loop == "closed" else "request"
    think = show(workload.think, TIME)
    pause = f"{think} on average (exponential) after each {after}" if workload.think else "no pause"
    return (
        f"rpc: {workload.loop} loop on one connection, requests of "
        f"{show(workload.request_size, SIZE)}, "
        f"{_sizes_text(workload.sizes, workload.sizes_interpolation, 'responses')}, "
        f"{pause}{_first(workload)}"
    )


def _video_text(workload: Video) -> str:
    rates = [show(workload.ladder[at], RATE) for at in (0, -1)]
    ladder = f"{counted(len(workload.ladder), 'bit rate')} from {rates[0]} to {rates[1]}"
    if workload.adaptation == "buffer":
        top = show(workload.reservoir + workload.cushion, TIME)
        how = f"by the buffer: lowest to {show(workload.reservoir, TIME)}, highest from {top}"
    else:
        how = (
            f"by the rate: {decimal(100 * workload.used_share)} % of the harmonic mean of "
            f"{counted(workload.averaged_chunks, 'chunk')}"
        )
    return (
        f"video: {ladder}, chunks of {show(workload.chunk, TIME)}, buffer of "
        f"{show(workload.buffer, TIME)}, starts with {show(workload.start_up, TIME)}, {how}"
        f"{_first(workload)}"
    )


def _datagrams_text(workload: Cbr | OnOff) -> str:
    """Datagrams: how many, how large, and when."""
    size, rate = show(workload.packet_size, SIZE), show(workload.rate, RATE)
    times = ""
    if isinstance(workload, OnOff):
        on, off = (show(each, TIME) for each in (workload.mean_on, workload.mean_off))
        times = f", on for {on} and off for {off} on average"
        times += f" (Pareto, shape {decimal(workload.shape)})"
    return f"{workload.kind}: packets of {size} at {rate}{times}{_first(workload)}"


def _objects_text(page: Http10 | Http11) -> str:
    """How many objects a page has, and on which connections they come."""
    number = page.inline_objects
    if isinstance(page, Http11):
        return f"{counted(1 + number, 'object')} on one connection"
    then = f", then {number} at once, each on a connection of its own" if number else ""
    return f"1 object{then}"


def _sizes_text(sizes: Sizes, interpolation: str, what: str = "") -> str:
    """The sizes of objects, or of ``what``."""
    its = sizes.distribution
    if its is None:
        return f"{what} of {show(sizes.bytes, SIZE)}" if what else f"each {show(sizes.bytes, SIZE)}"
    middle = f"median {its.median(interpolation):.0f} B"
    middle += f", mean {float(its.mean(interpolation)):.0f} B"
    how = f"{counted(len(its.bytes), 'size')} in turn, " if its.is_list else ""
    return f"{what}{' with ' if what else ''}sizes of {sizes.name} ({how}{middle})"


def _requests(
    workload: Ftp | Http10 | Http11 | HttpSessions | Arrivals | FlowTrace, *, first: bool = True
) -> str:
    """The size of requests, and if wanted when the first one comes if that is not at once."""
    apart = "" if workload.answers_with_ack else " acknowledged separately"
    begins = _first(workload) if first else ""
    return f", requests of {show(workload.request_size, SIZE)}{apart}{begins}"


def _first(workload: Workload) -> str:
    """When it begins, if that is not at once."""
    start, spread = (getattr(workload, key, 0) for key in ("start", "start_spread"))
    if not start and not spread:
        return ""
    if isinstance(workload, Arrivals):
        return f", arrivals from {show(start, TIME)} on"
    first, last = start, start + spread
    span = show(first, TIME) + (f" to {show(last, TIME)}" if last > first else "")
    return f", the first at {span}"
