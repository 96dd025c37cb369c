"""Delays and segments as records have them, made by hand, put into the runs of a campaign."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from ackclock.results.delay_samples import DELAYS
from ackclock.results.drawing.over_time import SEGMENTS
from ackclock.results.records import Records

MSS = 1000


def delays(rows: Iterable[tuple]) -> pd.DataFrame:
    """Rows (what, link, flow, until_s, count)."""
    return pd.DataFrame(rows, columns=["what", "link", "flow", "until_s", "count"])


def segments(rows: Iterable[tuple]) -> pd.DataFrame:
    """Rows (time_s, kind, low, high) with, where wanted, sent_again, lost and connection."""
    whole = [(*row, *(False, False, 0)[len(row) - 4 :]) for row in rows]
    columns = ["time_s", "kind", "low", "high", "sent_again", "lost", "connection"]
    return pd.DataFrame(whole, columns=columns)


def recorded(monkeypatch, *, of_delays=None, of_segments=None) -> None:
    """Let runs have recorded these, whatever their files say.

    Args:
        monkeypatch: pytest's.
        of_delays: from point and replication to a frame; none where nothing was recorded.
        of_segments: from flow, point and replication to a frame; likewise.
    """
    really = Records.has

    def has(self, name, point, replication):
        if name == DELAYS:
            return of_delays is not None and of_delays(point, replication) is not None
        if name == SEGMENTS:
            names = self.facts(point)["flow_names"] if of_segments is not None else ()
            return any(of_segments(each, point, replication) is not None for each in names)
        return really(self, name, point, replication)

    def its_segments(self, flow, point, replication):
        rows = of_segments(flow, point, replication)
        return segments([]) if rows is None else rows

    monkeypatch.setattr(Records, "has", has)
    monkeypatch.setattr(Records, "delays", lambda self, *run: of_delays(*run), raising=False)
    monkeypatch.setattr(Records, "segments", its_segments, raising=False)


def a_slow_start(times: int = 12, rtt_s: float = 0.1) -> pd.DataFrame:
    """A connection of some round trips: a segment is lost, SACKed around, and sent again."""
    rows: list[tuple] = []
    sent = acked = 0
    rows += [(0.0, "ack", 0, 0), (0.0, "window", 0, 40 * MSS)]
    lost = 20 * MSS
    hole = False
    cwnd = 2
    for turn in range(times):
        start = turn * rtt_s
        if hole:
            again = start + 0.02
            rows.append((again, "data", lost, lost + MSS, True))
            rows.append((again + rtt_s - 0.001, "ack", sent, sent))
            hole, acked, cwnd = False, sent, max(cwnd // 2, 2)
            continue
        for at in range(cwnd):
            its = start + at * 0.0012
            gone = sent == lost
            rows.append((its, "data", sent, sent + MSS, False, gone))
            sent += MSS
            hole |= gone
            if hole and not gone:
                rows.append((its + rtt_s, "ack", lost, lost))
                rows.append((its + rtt_s, "sack", lost + MSS, sent))
            elif not hole:
                acked = sent
                rows.append((its + rtt_s, "ack", acked, acked))
                rows.append((its + rtt_s, "window", 0, acked + 40 * MSS))
        cwnd = cwnd * 2 if cwnd < 16 else cwnd + 1
    return segments(sorted(rows, key=lambda row: row[0]))


def log_bins(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Largest values of bins 1.6 % wide, and counts; what is 0 has a bin of its own."""
    step = np.log(1.016)
    bins = np.where(values > 0, np.ceil(np.log(np.maximum(values, 1e-9)) / step), -(10**9))
    found, counts = np.unique(bins, return_counts=True)
    return np.where(found > -(10**9), np.exp(found * step), 0.0), counts
