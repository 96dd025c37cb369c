"""The records of one run, as tables for Parquet files.

Flows, VCs and links are numbers here, so that a run and its files do not depend on the names of
flows. ``Results`` adds the names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa

_OF_CELLS = ("classes", "vcs")
_RECORDED = ("queue", "goodput", "cwnd", "acr", "transport", "segments", "rtt", "states", "packets")
TABLES = (*_RECORDED, "transfers", *_OF_CELLS)
_DELAYS = {
    "queue": ("queue_delay_bins", "flow_queue_delay_bins"),
    "rtt": ("rtt_bins",),
}
"""What is delayed, and the tables of the core that have its bins."""
NOT_ONE = -1
"""The number of a link or a flow in a row that is of all, or of none."""


def tables(columns: Mapping[str, Mapping[str, np.ndarray]]) -> dict[str, pa.Table]:
    """The tables that have columns, as the core returns them.

    Returns:
        Of these:

        - queue: link, time_s (start of the bin), max_length (packets or cells);
        - goodput: flow, time_s (start of the bin), delivered_bytes (in the bin);
        - cwnd: flow, connection (of the flow, from 0), time_s, cwnd_bytes, ssthresh_bytes,
          flight_size_bytes; a row a change;
        - acr: vc, time_s (start of the bin), acr_bit_s (at its end);
        - transport: flow, connection (of the flow, from 0), time_s, pacing_rate_bit_s,
          delivery_rate_bit_s, min_rtt_s (nan where the sender has none), in_flight_bytes, state (of
          the congestion control, a word; none where it has none); a row a bin in which the sender
          did something, of its first event there;
        - delays: what ("queue": waiting times, "rtt": RTTs as senders measured them), link (of the
          waiting times, else -1), flow (-1: all packets of the link), until_s (the largest time of
          a bin that has some; a bin is 1.6 % wide), count;
        - segments: flow, connection (of the flow, from 0), time_s, kind ("data": sent; "ack",
          "sack", "window": the ACK came, reported a range, moved the end of the receive window),
          low, high (bytes of the stream, the first is 0), sent_again, lost (1 if so), reason (why
          it was sent again, or out of turn; none if it was not, or that is not known);
        - rtt: flow, connection, time_s, rtt_s (a sample), srtt_s, rto_s (after it); a row a sample;
        - states: flow, connection, time_s, state (a word), timeouts, fast_retransmits (so far); a
          row a change;
        - packets: link, flow, connection, packet (its number in the run), kind ("data", "ack",
          "syn", "fin", "reset", "datagram"), offered_s (it comes to the link), left_s (its last bit
          has left; nan if it has not), arrived_s (at the other end; likewise), dropped_s (before
          its last bit left; likewise), low, high (bytes of the stream; of an ACK both are what it
          acknowledges), bytes (with headers), sent_again, marked (1 if so; with CE as it leaves),
          lost (why; none if it is not); a row a packet that comes to a link;
        - transfers: flow, page (of the flow), stage (of the page), connection (of the flow), all
          from 0, bytes (of the response), opened_s (SYN sent), established_s (request sent),
          completed_s (last byte came); a row a connection of a page that was completed and opened
          after the warm-up. It needs no probe: it is there if a flow fetches pages or files;
        - classes: port (number of its line), service (0 VBR, 1 ABR, 2 UBR), cells_offered,
          cells_carried, cells_lost, max_queued, mean_queued; and vcs: vc, cells_sent,
          cells_received, rm_sent, rm_received, cells_waiting_max, mean_acr_bit_s. Both are there
          if the network is an ATM network.
    """
    made = {name: pa.table(dict(columns[name])) for name in TABLES if columns.get(name)}
    if parts := [part for what in _DELAYS for part in _delays(columns, what)]:
        made["delays"] = pa.concat_tables(parts)
    return {name: table for name, table in made.items() if table.num_rows or name not in _OF_CELLS}


def _delays(columns: Mapping[str, Mapping[str, np.ndarray]], what: str) -> Iterator[pa.Table]:
    """The histograms of one kind of delay, each with the columns that all have."""
    for name in _DELAYS[what]:
        its = columns.get(name)
        if not its:
            continue
        nothing = np.full(its["count"].size, NOT_ONE, dtype=np.int64)
        numbers = {key: its.get(key, nothing).astype(np.int64) for key in ("link", "flow")}
        measured = {"until_s": its["until_s"], "count": its["count"]}
        yield pa.table(
            {"what": pa.array([what] * nothing.size, pa.string()), **numbers, **measured}
        )
