"""A description of a workload."""

from __future__ import annotations

from ackclock.plurals import counted
from ackclock.scenario.model.workload import (
    Cbr,
    Ftp,
    Http10,
    Http11,
    HttpSessions,
    OnOff,
    Workload,
)
from ackclock.scenario.units import RATE, SIZE, TIME, show
from ackclock.scenario.values.kind import decimal, shown


def workload_text(workload: Workload) -> str:
    """A workload and what is written of it; pages and files in words."""
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
            f"{workload.kind}: pages of {_objects_text(workload)}, {_sizes_text(workload)}, "
            f"{pause}{_requests(workload)}"
        )
    written = workload.model_dump(mode="json", exclude_unset=True, exclude={"kind"})
    texts = (
        f"{name} {value if isinstance(value, str) else shown(value)}"
        for name, value in written.items()
    )
    return ", ".join([workload.kind, *texts])


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


def _sizes_text(page: Http10 | Http11) -> str:
    sizes, its = page.sizes, page.sizes.distribution
    if its is None:
        return f"each {show(sizes.bytes, SIZE)}"
    interpolated = page.sizes_interpolation == "log"
    middle = f"median {its.median(interpolated=interpolated):.0f} B"
    middle += f", mean {its.mean(interpolated=interpolated):.0f} B"
    how = f"{counted(len(its.bytes), 'size')} in turn, " if its.is_list else ""
    return f"sizes of {sizes.name} ({how}{middle})"


def _requests(workload: Ftp | Http10 | Http11 | HttpSessions) -> str:
    """The size of requests, and when the first one comes if that is not at once."""
    apart = "" if workload.answers_with_ack else " acknowledged separately"
    return f", requests of {show(workload.request_size, SIZE)}{apart}{_first(workload)}"


def _first(workload: Ftp | Http10 | Http11 | HttpSessions | Cbr | OnOff) -> str:
    """When it begins, if that is not at once."""
    if not workload.start and not workload.start_spread:
        return ""
    first, last = workload.start, workload.start + workload.start_spread
    span = show(first, TIME) + (f" to {show(last, TIME)}" if last > first else "")
    return f", the first at {span}"
