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
"""Kinds of delay, and the tables of the core with their bins."""
NOT_ONE = -1
"""Number of the link or flow in rows for all links or flows, or without one."""


def tables(columns: Mapping[str, Mapping[str, np.ndarray]]) -> dict[str, pa.Table]:
    """Return the recorded tables of a run, from those of the core.

    Returns:
        The tables are:

        - queue: link, time_s (start of the bin), max_length (packets or cells);
        - goodput: flow, time_s (start of the bin), delivered_bytes (in the bin);
        - cwnd: flow, connection (of the flow, from 0), time_s, cwnd_bytes, ssthresh_bytes,
          flight_size_bytes; one row per change;
        - acr: vc, time_s (start of the bin), acr_bit_s (at its end);
        - transport: flow, connection (of the flow, from 0), time_s, pacing_rate_bit_s,
          delivery_rate_bit_s, min_rtt_s (nan without a sample), in_flight_bytes, state (name of the
          congestion control's state; none if it has no states); one row per bin with an event of
          the sender, with the values after the first event;
        - delays: what ("queue": waiting times, "rtt": RTTs as senders measured them), link (of the
          waiting times, else -1), flow (-1: all packets of the link), until_s (the upper end of a
          bin that is not empty; a bin is 1.6 % wide), count;
        - segments: flow, connection (of the flow, from 0), time_s, kind ("data": sent; "ack",
          "sack", "window": the ACK arrived, reported a range, moved the end of the receive window),
          low, high (range in the stream, bytes from 0), sent_again, lost (1 if true), reason (why
          data were retransmitted or sent out of order; none for other data or if unknown);
        - rtt: flow, connection, time_s, rtt_s, srtt_s, rto_s (after the sample); a sample per row;
        - states: flow, connection, time_s, state (name), timeouts, fast_retransmits (totals so
          far); one row per change;
        - packets: link, flow, connection, packet (its number in the run), kind ("data", "ack",
          "syn", "fin", "reset", "datagram"), offered_s (arrival at the link), left_s (end of the
          last bit's transmission), arrived_s (arrival at the other end), dropped_s (drop before the
          last bit was sent; these three are nan if they did not happen), low, high (range in the
          stream, bytes; for an ACK both are the acknowledged byte), bytes (with headers),
          sent_again (1 if true), marked (1 if it has CE after the link), lost (reason; none if not
          lost); one row per packet that arrives at a link;
        - transfers: flow, page (of the flow), stage (of the page), connection (of the flow), all
          from 0, bytes (of the response), opened_s (SYN sent), established_s (request sent),
          completed_s (last byte arrived); one row per connection of a page that was opened and
          completed after the warm-up. It needs no probe, only a flow that fetches pages or files;
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
    """Yield the histograms of one kind of delay, all with the same columns."""
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
