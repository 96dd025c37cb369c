"""The records of the runs of a campaign."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ackclock.campaign.store import REMEDY
from ackclock.errors import InputError, InputWarning
from ackclock.plurals import counted
from ackclock.results.cells import CATEGORIES
from ackclock.results.names import known
from ackclock.results.pages import CLOCKS, pages_of
from ackclock.results.probe_hints import ASK, CALLED
from ackclock.results.rows import facts_of
from ackclock.scenario.compile.facts import FILES, WEB

if TYPE_CHECKING:
    import pandas as pd

    from ackclock.campaign import Campaign

_NAMED = {"flow": "flow_names", "link": "link_names", "port": "link_names", "vc": "vc_names"}
"""Columns with numbers of flows, links or VCs, and the fact with their names."""
_OF_FLOWS = {"flow": "flow_names", "group": "flow_groups", "workload": "flow_workloads"}
"""Columns about the flow of a page, and the fact with the values of each."""
OVER_TIME = ("cwnd", "transport", "acr", "queue")
"""Tables of a figure over time."""
PS_PER_S = 10**12


def delay_column(clock: str) -> str:
    """Return the column of page delays by a clock, one of ``CLOCKS``."""
    return "page_delay_s" if clock == "open" else f"page_delay_{clock}_s"


class FlowTrace(NamedTuple):
    """One flow over time; a table is empty if it was not recorded.

    Attributes:
        flow: name of the flow.
        cwnd: columns connection (of the flow, from 0), time_s, cwnd_bytes, ssthresh_bytes,
            flight_size_bytes; one row per change.
        goodput: columns time_s (start of the bin), goodput_bit_s (in the bin).
    """

    flow: str
    cwnd: pd.DataFrame
    goodput: pd.DataFrame


class Times(NamedTuple):
    """End of the runs of a point and end of their warm-up, s."""

    end_s: float
    warm_up_s: float


class Records:
    """The records of a campaign, with the names of flows and links.

    Args:
        campaign: campaign with the records.
    """

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._traces = {(run.point, run.replication): run.traces for run in campaign.runs}
        self._removed = {
            (*run, name): trace.path
            for run, traces in self._traces.items()
            for name, trace in traces.items()
            if not trace.path.is_file()
        }
        self._scenarios: dict[int, Any] = {}
        self._points: Sequence[Any] = ()

    def removed(self, point: int | None = None, replication: int | None = None) -> str:
        """Return a message about removed files; empty if all files exist.

        Args:
            point: number of the point; by default the files of all points.
            replication: number of the replication; by default all.
        """
        paths = [
            path
            for (its_point, its_replication, _), path in self._removed.items()
            if point in (None, its_point) and replication in (None, its_replication)
        ]
        if not paths:
            return ""
        more = f", and {counted(len(paths) - 1, 'more file')}" if len(paths) > 1 else ""
        return f"{paths[0]}: is missing{more}; {REMEDY}"

    def replications(self, point: int, table: str) -> list[int]:
        """Return the numbers of the replications with a recorded table."""
        return sorted(
            replication
            for its_point, replication in self._traces
            if its_point == point and self.has(table, point, replication)
        )

    def table(self, name: str, point: int, replication: int) -> pd.DataFrame:
        """Return a table of a run, with names for flows, links, ports, VCs and categories.

        Raises:
            InputError: nothing was recorded there, or the file was changed since.
        """
        trace = self._traces.get((point, replication), {}).get(name)
        if trace is None:
            raise InputError(self._nothing(name, point, replication))
        import pyarrow
        from pyarrow import parquet

        content = trace.content()
        try:
            return self._named(parquet.read_table(pyarrow.BufferReader(content)).to_pandas(), point)
        # Records of earlier versions have no hash.
        except (pyarrow.ArrowException, OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{trace.path}: contains no table of a run ({' '.join(str(error).split())}); delete"
                " it and repeat the command that made the runs: it makes this file again"
            ) from error

    def _named(self, frame: pd.DataFrame, point: int) -> pd.DataFrame:
        """Replace the numbers of flows, links, ports, VCs and categories by names."""
        import pandas as pd

        facts = self.facts(point)
        names = {column: facts[fact] for column, fact in _NAMED.items() if column in frame}
        if "service" in frame:
            names["service"] = CATEGORIES
        for column, its in names.items():
            codes = frame[column].to_numpy(dtype=np.int64)
            frame[column] = pd.Categorical.from_codes(codes, categories=list(its))
        return frame

    def check_run(self, point: int, replication: int) -> None:
        """Check that a run exists.

        Raises:
            InputError: the run does not exist.
        """
        if (point, replication) in self._traces:
            return
        there = sorted(number for its_point, number in self._traces if its_point == point)
        some = "the point has none yet"
        if there:
            some = f"there {'is only' if len(there) == 1 else 'are'} {_numbers(there)}"
        raise InputError(f"replication {replication} of point {point} is not there; {some}")

    def nothing_over_time(self, points: Sequence[int], replication: int) -> str:
        """Return the message for runs without any table of ``OVER_TIME``."""
        for point in points:
            recorded = {number for table in OVER_TIME for number in self.replications(point, table)}
            if recorded:
                return self._other_replications("nothing was", replication, point, sorted(recorded))
        return (
            "nothing was recorded over time in these runs; set [probes] "
            f"{ASK['cwnd']} and {ASK['queue']} (or {ASK['acr']}) and run it again"
        )

    def has(self, name: str, point: int, replication: int) -> bool:
        """Return whether a run has a recorded table whose file exists."""
        run = (point, replication)
        return name in self._traces.get(run, {}) and (*run, name) not in self._removed

    def facts(self, point: int) -> dict[str, Any]:
        """Return the facts of a point, by name."""
        return facts_of(self._campaign, point)

    def times(self, point: int) -> Times:
        """Return the end of the runs of a point and of their warm-up.

        Raises:
            InputError: the file of the scenario in the folder was changed.
        """
        scenario = self._scenario(point)
        return Times(scenario.duration / PS_PER_S, scenario.warm_up / PS_PER_S)

    def flow(self, flow: str, point: int, replication: int) -> FlowTrace:
        """Return the records of one flow over time.

        Raises:
            InputError: there is no such flow, or nothing about it was recorded.
        """
        import pandas as pd

        known(flow, self.facts(point)["flow_names"], "a flow")
        tables = {}
        for name in ("cwnd", "goodput"):
            if self.has(name, point, replication):
                table = self.table(name, point, replication)
                tables[name] = table[table["flow"] == flow].drop(columns="flow")
        if all(table.empty for table in tables.values()):
            raise InputError(self._nothing("cwnd", point, replication, of=flow))
        goodput = tables.get("goodput", pd.DataFrame())
        if not goodput.empty:
            goodput = self._with_rate(goodput, point)
        cwnd = tables.get("cwnd", pd.DataFrame())
        return FlowTrace(flow, cwnd.reset_index(drop=True), goodput.reset_index(drop=True))

    def total_goodput(self, point: int, replication: int) -> pd.DataFrame:
        """Return the goodput of all flows together: columns time_s, goodput_bit_s."""
        table = self.table("goodput", point, replication)
        total = table.groupby("time_s", as_index=False)["delivered_bytes"].sum()
        return self._with_rate(total, point)

    def fetches_pages(self, point: int) -> bool:
        """Return whether a flow of a point fetches pages or files."""
        # Campaigns of earlier versions have no such flows.
        return not {*WEB, *FILES}.isdisjoint(self.facts(point).get("flow_workloads", ()))

    def pages(self, point: int, replication: int) -> pd.DataFrame:
        """Return the pages and files that clients fetched in a run.

        Returns:
            One row per page: flow (name), group, workload, page (number in the flow, from 0; a file
            is a page), bytes (of all responses), opened_s, page_delay_s (from the first SYN),
            page_delay_request_s (from the first request), page_delay_no_setup_s (without
            handshakes).

        Raises:
            InputError: no flow fetches pages or files, or nothing was recorded.
        """
        import pandas as pd

        facts = self.facts(point)
        if not self.fetches_pages(point):
            raise InputError(
                f"no flow fetches pages or files at point {point}; clients that do have for "
                'example [workload] kind = "http10"'
            )
        table = self.table("transfers", point, replication)
        flow = table["flow"].cat.codes.to_numpy()
        its = pages_of({name: table[name].to_numpy() for name in table} | {"flow": flow})
        of_flow = {
            name: np.array(facts[fact], dtype=object)[its.flow] for name, fact in _OF_FLOWS.items()
        }
        delays = {delay_column(clock): its.delay_s(clock) for clock in CLOCKS}
        numbers = {"page": its.page, "bytes": its.bytes, "opened_s": its.opened_s}
        return pd.DataFrame(of_flow, dtype=str).assign(**numbers, **delays)

    def queue(self, link: str | None, point: int, replication: int) -> tuple[str, pd.DataFrame]:
        """Return the name of a link, and its queue: columns time_s (start of the bin), max_length.

        Args:
            link: name of the link; by default the bottleneck.
            point: number of the point.
            replication: number of the replication.

        Raises:
            InputError: there is no such link, or nothing was recorded.
        """
        name = self._link(link, point)
        table = self.table("queue", point, replication)
        rows = table[table["link"] == name].drop(columns="link")
        if rows.empty and not isinstance(self.points()[point].scenario.probes.queue_links, bool):
            raise InputError(f"the queue of {name!r} was not recorded; name it in queue_links")
        return name, rows.reset_index(drop=True)

    def _link(self, link: str | None, point: int) -> str:
        """Return the name of a link, by default that of the bottleneck.

        Raises:
            InputError: there is no such link.
        """
        facts = self.facts(point)
        names = facts["link_names"]
        if link is not None:
            return known(link, names, "a link")
        if facts["bottleneck_link"] is None:
            raise InputError(
                f"there is no single bottleneck; name a link, for example link={names[0]!r}"
            )
        return names[facts["bottleneck_link"]]

    def seconds_of_one(self, link: str, point: int) -> float | None:
        """Return the serialization time of a cell or full packet; see the function of this name."""
        from ackclock.scenario.queue_time import seconds_of_one

        number = self.facts(point)["link_names"].index(link)
        return seconds_of_one(self.points()[point].compile(), number)

    def acr(self, vc: str, point: int, replication: int) -> pd.DataFrame:
        """Return the allowed cell rate of a VC: columns time_s (start of the bin), acr_bit_s.

        Raises:
            InputError: there is no such VC, or nothing about it was recorded.
        """
        # Campaigns of earlier versions have no VCs.
        known(vc, self.facts(point).get("vc_names", ()), "a VC")
        table = self.table("acr", point, replication)
        rows = table[table["vc"] == vc].drop(columns="vc")
        if rows.empty:
            raise InputError(f"{vc!r} is not an ABR VC, and only ABR VCs have an allowed cell rate")
        return rows.reset_index(drop=True)

    def transport(self, flow: str, point: int, replication: int) -> pd.DataFrame:
        """Return the transport state of a flow's sender, as ``Results.transport`` does.

        Raises:
            InputError: there is no such flow, or nothing about it was recorded.
        """
        rows = self.of_flow("transport", flow, point, replication)
        if rows.empty:
            raise InputError(
                f"{flow!r} has no sender with a state: it is not a TCP flow, or sent nothing"
            )
        return rows

    def delays(self, point: int, replication: int) -> pd.DataFrame:
        """Return the delays of a run as histograms: columns what, link, flow, until_s, count.

        Raises:
            InputError: nothing was recorded there.
        """
        return self.table("delays", point, replication)

    def segments(self, flow: str, point: int, replication: int) -> pd.DataFrame:
        """Return the segments of a flow, as ``Results.segments`` does; may be empty.

        Raises:
            InputError: there is no such flow, or the table was not recorded.
        """
        rows = self.of_flow("segments", flow, point, replication)
        rows[["sent_again", "lost"]] = rows[["sent_again", "lost"]].astype(bool)
        return rows

    def of_flow(self, name: str, flow: str, point: int, replication: int) -> pd.DataFrame:
        """Return the rows of a flow in a table of events, without the column flow; may be empty.

        Raises:
            InputError: there is no such flow, or the table was not recorded.
        """
        known(flow, self.facts(point)["flow_names"], "a flow")
        table = self.table(name, point, replication)
        return table[table["flow"] == flow].drop(columns="flow").reset_index(drop=True)

    def packets(self, link: str | None, point: int, replication: int) -> pd.DataFrame:
        """Return the packets of a link, as ``Results.packets`` does; may be empty.

        Raises:
            InputError: there is no such link, or the table was not recorded.
        """
        name = self._link(link, point)
        table = self.table("packets", point, replication)
        rows = table[table["link"] == name].drop(columns="link")
        rows[["sent_again", "marked"]] = rows[["sent_again", "marked"]].astype(bool)
        return rows.reset_index(drop=True)

    def _with_rate(self, table: pd.DataFrame, point: int) -> pd.DataFrame:
        """Convert the bytes of each bin to a rate; the end of the run may shorten the last bin."""
        times = table["time_s"].to_numpy()
        widths = np.diff(times, append=self.times(point).end_s)
        rates = table["delivered_bytes"].to_numpy() * 8 / widths
        return table[["time_s"]].assign(goodput_bit_s=rates).reset_index(drop=True)

    def points(self) -> Sequence[Any]:
        """Return the points of the scenario in the folder, by number.

        Raises:
            InputError: the file of the scenario in the folder was changed.
        """
        if not self._points:
            from ackclock.scenario import load

            text, sets = self._campaign.text + "\n", self._campaign.design.sets
            with warnings.catch_warnings():
                # A campaign's scenario must not change after the first run.
                warnings.simplefilter("ignore", InputWarning)
                self._points = load(text, sets).points()
        return self._points

    def _scenario(self, point: int) -> Any:
        if point not in self._scenarios:
            self._scenarios[point] = self.points()[point].scenario
        return self._scenarios[point]

    def _nothing(self, name: str, point: int, replication: int, of: str = "") -> str:
        if removed := self.removed(point, replication):
            return removed
        recorded = self.replications(point, name)
        called = CALLED.get(name, name)
        what = f"the {called} of {of}" if of else f"the {called}"
        if name == "transfers" and self._traces.get((point, replication)):
            return (
                f"no page or file was completed after the warm-up in replication {replication} of "
                f"point {point}; the duration may be too short"
            )
        if recorded and replication not in recorded:
            return self._other_replications(f"{what} was not", replication, point, recorded)
        where = f"at point {point}"
        return f"{what} was not recorded {where}; set [probes] {ASK[name]} and run it again"

    @staticmethod
    def _other_replications(what: str, replication: int, point: int, recorded: list[int]) -> str:
        return (
            f"{what} recorded in replication {replication} of point {point}, but in "
            f"{_numbers(recorded)}; [probes] replications sets the number of recorded replications"
        )


def _numbers(numbers: Sequence[int]) -> str:
    """Return ascending numbers as text: "0 to 5" if they have no gap."""
    if len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(map(str, numbers))
