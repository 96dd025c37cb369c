"""``Results.trace`` and similar methods: the records of one run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ackclock.errors import InputError
from ackclock.results.over_time import convergence_s, fairness_over_time

if TYPE_CHECKING:
    import pandas as pd

    from ackclock.results.records import FlowTrace, Records

Point = int | Mapping[str, Any] | None
"""A point's number, or levels that identify it; none if there is one point."""


class RecordMethods:
    """What was recorded in one run of a campaign.

    Attributes:
        records: of the campaign.
    """

    records: Records

    def point(self, point: Point) -> int:
        """The number of the point that is meant."""
        raise NotImplementedError

    def trace(self, flow: str, *, point: Point = None, replication: int = 0) -> FlowTrace:
        """Congestion window and goodput of a flow over time.

        Args:
            flow: its name, "a 1".
            point: number of the point, or levels that identify it,
                {"tcp_flavor": "reno"}; not needed if there is one.
            replication: number of the replication.

        Raises:
            InputError: there is no such flow or point, or nothing was recorded there.
        """
        return self.records.flow(flow, self.point(point), replication)

    def queue(
        self, link: str | None = None, *, point: Point = None, replication: int = 0
    ) -> pd.DataFrame:
        """Longest queue of a link in each bin of time: columns time_s, max_length.

        Args:
            link: its name, "r1 -> r2"; by default the bottleneck.
            point: as in ``trace``.
            replication: number of the replication.

        Raises:
            InputError: there is no such link or point, or nothing was recorded there.
        """
        return self.records.queue(link, self.point(point), replication)[1]

    def fairness_over_time(
        self, window_s: float = 1.0, *, point: Point = None, replication: int = 0
    ) -> pd.DataFrame:
        """Jain's index of the bulk flows' goodputs in each window of time; needs [probes] goodput.

        Args:
            window_s: length of the windows, a multiple of the probe's bins.
            point: as in ``trace``.
            replication: number of the replication.

        Returns:
            Columns time_s (start of the window), flows (how many there were in the whole window),
            jain_fairness (of these; nan of fewer than two, or if they got nothing).

        Raises:
            InputError: there is no such point, nothing was recorded there, or the window is no
                multiple of the bins.
        """
        return fairness_over_time(self.records, window_s, self.point(point), replication)

    def convergence_s(
        self,
        window_s: float = 1.0,
        tolerance: float = 0.25,
        hold_s: float = 5.0,
        *,
        point: Point = None,
        replication: int = 0,
    ) -> float:
        """How long bulk flows without a size need to share equally, once the last of them began.

        That is from its first delivery to the least time after which the goodput of each flow, in
        windows one after the other, stays within the tolerance of an equal share of what all get
        there, for so long. Needs [probes] goodput.

        Args:
            window_s: length of the windows, a multiple of the probe's bins.
            tolerance: as a part of the equal share.
            hold_s: how long, a multiple of the window.
            point: as in ``trace``.
            replication: number of the replication.

        Returns:
            The time, s, to a bin of the probe; nan if there is none, or with fewer than two flows.

        Raises:
            InputError: there is no such point, nothing was recorded there, or a time is no multiple
                of the other; the tolerance is not between 0 and 1.

        Source: ``ackclock.stats.sharing``.
        """
        return convergence_s(
            self.records,
            self.point(point),
            replication,
            window_s=window_s,
            tolerance=tolerance,
            hold_s=hold_s,
        )

    def transfers(self, *, point: Point = None, replication: int = 0) -> pd.DataFrame:
        """The connections of the pages and files of a run; see ``pages``.

        Columns: flow, page, stage, connection, bytes, opened_s, established_s, completed_s; a row
        a connection.

        Args:
            point: as in ``trace``.
            replication: number of the replication.

        Raises:
            InputError: there is no such point, or nothing was recorded there.
        """
        return self.records.table("transfers", self.point(point), replication)

    def acr(self, vc: str, *, point: Point = None, replication: int = 0) -> pd.DataFrame:
        """The allowed cell rate of an ABR VC: columns time_s (start of the bin), acr_bit_s.

        Args:
            vc: its name: that of its flow or source, or that with " (back)".
            point: as in ``trace``.
            replication: number of the replication.

        Raises:
            InputError: there is no such VC or point, or nothing was recorded there.
        """
        return self.records.acr(vc, self.point(point), replication)

    def transport(self, flow: str, *, point: Point = None, replication: int = 0) -> pd.DataFrame:
        """How the sender of a flow stood over time.

        Columns: connection (of the flow, from 0), time_s, pacing_rate_bit_s, delivery_rate_bit_s
        (the last valid sample), min_rtt_s (nan where it has none), in_flight_bytes, state (of its
        congestion control, a word; none where it has none). There is at most one row in each bin
        of ``[probes] transport``, with the values after the sender's first event in it.

        Args:
            flow: its name, "a 1".
            point: as in ``trace``.
            replication: number of the replication.

        Raises:
            InputError: there is no such flow or point, or nothing was recorded there.
        """
        return self.records.transport(flow, self.point(point), replication)

    def segments(self, flow: str, *, point: Point = None, replication: int = 0) -> pd.DataFrame:
        """The segments of a flow one by one, as its sender sees them.

        Columns: connection (of the flow, from 0), time_s, kind ("data": a segment is sent; "ack":
        an ACK comes; "sack": it reports a range; "window": it moves the end of the receive window),
        low, high (bytes of the stream, the first is 0; of "ack" and "window" both are the end),
        sent_again, lost (of data; whether the network loses this one), reason (of data; why it was
        sent again or out of turn, "fast retransmit"; none if it was not, or that is not known).

        Args:
            flow: its name, "a 1".
            point: as in ``trace``.
            replication: number of the replication.

        Raises:
            InputError: there is no such flow or point, or nothing was recorded there.
        """
        rows = self.records.segments(flow, self.point(point), replication)
        if rows.empty:
            raise InputError(
                f"no segment of {flow!r} was recorded: it sent none between [probes] from and"
                " until, or [probes] segments does not name it"
            )
        return rows

    def rtt(self, flow: str, *, point: Point = None, replication: int = 0) -> pd.DataFrame:
        """The RTTs that the sender of a flow measured: a row a sample.

        Columns: connection (of the flow, from 0), time_s, rtt_s, srtt_s (smoothed), rto_s (both
        after the sample).

        Args:
            flow: its name, "a 1".
            point: as in ``trace``.
            replication: number of the replication.

        Raises:
            InputError: there is no such flow or point, or nothing was recorded there.
        """
        return self._of_flow("rtt", "RTT", flow, point, replication)

    def states(self, flow: str, *, point: Point = None, replication: int = 0) -> pd.DataFrame:
        """How the sender of a flow stood: a row a change.

        Columns: connection (of the flow, from 0), time_s, state ("slow start", "conservative slow
        start 1", "congestion avoidance", "recovery", "time-out recovery"; of BBR its phase,
        "startup"), timeouts, fast_retransmits (so far).

        Args:
            flow: its name, "a 1".
            point: as in ``trace``.
            replication: number of the replication.

        Raises:
            InputError: there is no such flow or point, or nothing was recorded there.
        """
        return self._of_flow("states", "state", flow, point, replication)

    def _of_flow(
        self, name: str, what: str, flow: str, point: Point, replication: int
    ) -> pd.DataFrame:
        rows = self.records.of_flow(name, flow, self.point(point), replication)
        if rows.empty:
            raise InputError(
                f"no {what} of {flow!r} was recorded: it had none between [probes] from and until,"
                f" or [probes] {name} does not name it"
            )
        return rows

    def packets(
        self, link: str | None = None, *, point: Point = None, replication: int = 0
    ) -> pd.DataFrame:
        """The packets of a link one by one, in the order in which they came to it.

        Columns: flow, connection (of the flow, from 0), packet (its number in the run), kind
        ("data", "ack", "syn", "fin", "reset", "datagram"), offered_s (it comes to the link), left_s
        (its last bit has left; nan if it was dropped before), arrived_s (at the other end; nan if
        it was lost), dropped_s (before its last bit left; nan if it was not), low, high (bytes of
        the stream, the first is 0; of an ACK both are what it acknowledges; of datagrams with
        headers), bytes (its length), sent_again, marked (with CE as it leaves), lost (why, "queue
        full"; none if it was not).

        Args:
            link: its name, "r1 -> r2"; by default the bottleneck.
            point: as in ``trace``.
            replication: number of the replication.

        Raises:
            InputError: there is no such link or point, or nothing was recorded there.
        """
        rows = self.records.packets(link, self.point(point), replication)
        if rows.empty:
            raise InputError(
                "no packet was recorded there: none came between [probes] from and until, or"
                " [probes] packets does not name the link"
            )
        return rows

    def vcs(self, *, point: Point = None, replication: int = 0) -> pd.DataFrame:
        """The VCs of an ATM network: a row a VC.

        Columns: vc, cells_sent, cells_received (data), rm_sent, rm_received (RM cells that came
        back), frames (that passed the first switch whole), frames_eligible, frames_tagged,
        frames_delivered, eligible_delivered, eligible_lost, cells_delivered (of whole frames; these
        are 0 unless UBR or GFR), cells_waiting_max (in the network card), mean_acr_bit_s (nan
        unless ABR); with a GFR VC also mcr_bit_s (nan unless GFR).

        Args:
            point: as in ``trace``.
            replication: number of the replication.

        Raises:
            InputError: there is no such point, or nothing was recorded there.
        """
        number = self.point(point)
        table = self.records.table("vcs", number, replication)
        # A campaign of an earlier version knew no contracts.
        promised = self.records.facts(number).get("vc_mcr_bit_s")
        if promised:
            mcr = dict(enumerate(promised))
            table["mcr_bit_s"] = table["vc"].cat.codes.map(mcr).astype(float)
        return table

    def classes(self, *, point: Point = None, replication: int = 0) -> pd.DataFrame:
        """The queues of the ports of an ATM network: a row a port and service category.

        Columns: port (name of its line), service, cells_offered, cells_carried, cells_lost,
        max_queued, mean_queued (cells).

        Args:
            point: as in ``trace``.
            replication: number of the replication.

        Raises:
            InputError: there is no such point, or nothing was recorded there.
        """
        return self.records.table("classes", self.point(point), replication)
