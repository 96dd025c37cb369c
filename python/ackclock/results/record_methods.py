"""``Results.trace`` and similar methods: the records of one run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ackclock.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from ackclock.results.records import FlowTrace, Records

WINDOWS_S = (1.0, 10.0)
"""Default windows of Jain's index over time, s."""
Point = int | Mapping[str, Any] | None
"""The number of a point, or levels that identify it; none if there is only one point."""


class RecordMethods:
    """Methods that return the records of one run of a campaign.

    Attributes:
        records: records of the campaign.
    """

    records: Records

    def point(self, point: Point) -> int:
        """Return the number of the point that a number or levels identify."""
        raise NotImplementedError

    def trace(self, flow: str, *, point: Point = None, replication: int = 0) -> FlowTrace:
        """Return congestion window and goodput of a flow over time.

        Args:
            flow: name of the flow, for example "a 1".
            point: number of the point, or levels that identify it,
                {"tcp_flavor": "reno"}; may be left out if there is only one point.
            replication: number of the replication.

        Raises:
            InputError: there is no such flow or point, or nothing was recorded there.
        """
        return self.records.flow(flow, self.point(point), replication)

    def queue(
        self, link: str | None = None, *, point: Point = None, replication: int = 0
    ) -> pd.DataFrame:
        """Return the longest queue of a link in each bin: columns time_s, max_length.

        Args:
            link: name of the link, for example "r1 -> r2"; by default the bottleneck.
            point: as in ``trace``.
            replication: number of the replication.

        Raises:
            InputError: there is no such link or point, or nothing was recorded there.
        """
        return self.records.queue(link, self.point(point), replication)[1]

    def fairness_over_time(
        self, window_s: float = 1.0, *, point: Point = None, replication: int = 0
    ) -> pd.DataFrame:
        """Return Jain's index of the bulk flows' goodputs by time window; needs [probes] goodput.

        Args:
            window_s: length of the windows, s, a multiple of the probe's bins.
            point: as in ``trace``.
            replication: number of the replication.

        Returns:
            Columns time_s (start of the window), flows (number of flows during the whole window),
            jain_fairness (of these flows; nan with fewer than two flows or without deliveries).

        Raises:
            InputError: there is no such point, nothing was recorded there, or the window is not a
                multiple of the bins.
        """
        from ackclock.results.over_time import fairness_over_time

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
        """Return the time that endless bulk flows need to share equally after the last one began.

        The time starts with the first delivery of the last flow. It ends when the goodput of each
        flow, in consecutive windows, begins to stay within the tolerance of an equal share of the
        total for ``hold_s``. Needs [probes] goodput.

        Args:
            window_s: length of the windows, s, a multiple of the probe's bins.
            tolerance: largest deviation as a fraction of the equal share.
            hold_s: time for which goodputs must stay within the tolerance, s, a multiple of the
                window.
            point: as in ``trace``.
            replication: number of the replication.

        Returns:
            The time, s, rounded to a bin of the probe; nan if the flows do not converge, or with
            fewer than two flows.

        Raises:
            InputError: there is no such point, nothing was recorded there, a time is not a multiple
                of the other, or the tolerance is not between 0 and 1.

        Source: ``ackclock.stats.sharing``.
        """
        from ackclock.results.over_time import convergence_s

        return convergence_s(
            self.records,
            self.point(point),
            replication,
            window_s=window_s,
            tolerance=tolerance,
            hold_s=hold_s,
        )

    def transfers(self, *, point: Point = None, replication: int = 0) -> pd.DataFrame:
        """Return the connections of the pages and files of a run; see ``pages``.

        Columns: flow, page, stage, connection, bytes, opened_s, established_s, completed_s; a row
        a connection.

        ``point`` and ``replication`` are those of ``trace``.

        Raises:
            InputError: there is no such point, or nothing was recorded there.
        """
        return self.records.table("transfers", self.point(point), replication)

    def acr(self, vc: str, *, point: Point = None, replication: int = 0) -> pd.DataFrame:
        """Return the allowed cell rate of an ABR VC: columns time_s (start of the bin), acr_bit_s.

        Args:
            vc: name of the VC: the name of its flow or source, with " (back)" for the way back.
            point: as in ``trace``.
            replication: number of the replication.

        Raises:
            InputError: there is no such VC or point, or nothing was recorded there.
        """
        return self.records.acr(vc, self.point(point), replication)

    def transport(self, flow: str, *, point: Point = None, replication: int = 0) -> pd.DataFrame:
        """Return the transport state of a flow's sender over time.

        Columns: connection (of the flow, from 0), time_s, pacing_rate_bit_s, delivery_rate_bit_s
        (the last valid sample), min_rtt_s (nan without a sample), in_flight_bytes, state (name of
        the congestion control's state; none if it has no states). Each bin of
        ``[probes] transport`` has at most one row, with the values after the sender's first event.

        The arguments are those of ``trace``.

        Raises:
            InputError: there is no such flow or point, or nothing was recorded there.
        """
        return self.records.transport(flow, self.point(point), replication)

    def segments(self, flow: str, *, point: Point = None, replication: int = 0) -> pd.DataFrame:
        """Return the segments of a flow at its sender, one row per event.

        Columns: connection (of the flow, from 0), time_s, kind ("data": the sender sends a segment;
        "ack": an ACK arrives; "sack": the ACK reports a range; "window": the ACK moves the end of
        the receive window), low, high (range in the stream, bytes from 0; for "ack" and "window"
        both are the end), sent_again (whether data are retransmitted), lost (whether the network
        loses these data), reason (why data were retransmitted or sent out of order, for example
        "fast retransmit"; none for other data, or if the reason is unknown).

        The arguments are those of ``trace``.

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
        """Return the RTTs that the sender of a flow measured: one row per sample.

        Columns: connection (of the flow, from 0), time_s, rtt_s, srtt_s (smoothed), rto_s (both
        after the sample).

        The arguments are those of ``trace``.

        Raises:
            InputError: there is no such flow or point, or nothing was recorded there.
        """
        return self._of_flow("rtt", "RTT", flow, point, replication)

    def states(self, flow: str, *, point: Point = None, replication: int = 0) -> pd.DataFrame:
        """Return the states of a flow's sender: one row per change.

        Columns: connection (of the flow, from 0), time_s, state ("slow start", "conservative slow
        start 1", "congestion avoidance", "recovery", "time-out recovery"; for BBR its phase, for
        example "startup"), timeouts, fast_retransmits (totals so far).

        The arguments are those of ``trace``.

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
        """Return the packets of a link, one row per packet in the order of arrival.

        Columns: flow, connection (of the flow, from 0), packet (its number in the run), kind
        ("data", "ack", "syn", "fin", "reset", "datagram"), offered_s (arrival at the link), left_s
        (end of the last bit's transmission; nan if dropped before), arrived_s (arrival at the other
        end; nan if lost), dropped_s (drop before the last bit was sent; nan if not dropped), low,
        high (range in the stream, bytes from 0; for an ACK both are the acknowledged byte; for
        datagrams with headers), bytes (length), sent_again (whether it is a retransmission), marked
        (whether it has CE after the link), lost (reason of a loss, for example "queue full"; none
        if not lost).

        The arguments are those of ``queue``.

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
        """Return the VCs of an ATM network: one row per VC.

        Columns: vc, cells_sent, cells_received (data), rm_sent, rm_received (RM cells that
        returned), frames (complete after the first switch), frames_eligible, frames_tagged,
        frames_delivered, eligible_delivered, eligible_lost, cells_delivered (of complete frames;
        columns of frames are 0 unless UBR or GFR), cells_waiting_max (in the network card),
        mean_acr_bit_s (nan unless ABR); with a GFR VC also mcr_bit_s (nan unless GFR).

        ``point`` and ``replication`` are those of ``trace``.

        Raises:
            InputError: there is no such point, or nothing was recorded there.
        """
        number = self.point(point)
        table = self.records.table("vcs", number, replication)
        # Campaigns of earlier versions have no contracts.
        promised = self.records.facts(number).get("vc_mcr_bit_s")
        if promised:
            mcr = dict(enumerate(promised))
            table["mcr_bit_s"] = table["vc"].cat.codes.map(mcr).astype(float)
        return table

    def classes(self, *, point: Point = None, replication: int = 0) -> pd.DataFrame:
        """Return the queues of the ports of an ATM network: one row per port and service category.

        Columns: port (name of its line), service, cells_offered, cells_carried, cells_lost,
        max_queued, mean_queued (cells).

        ``point`` and ``replication`` are those of ``trace``.

        Raises:
            InputError: there is no such point, or nothing was recorded there.
        """
        return self.records.table("classes", self.point(point), replication)
