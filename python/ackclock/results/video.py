"""The metrics of players of adaptive video, from the chunks that they fetched.

The core returns each chunk's request, arrival and bit rate, also those of the warm-up. From these
the playback is computed again, with the player's rules: it starts with ``start_up`` of video, plays
until the buffer is empty, and then stalls until it has ``start_up`` again.

``video_qoe`` is the quality of experience of X. Yin, A. Jindal, V. Sekar and B. Sinopoli, A
Control-Theoretic Approach for Dynamic Adaptive Video Streaming over HTTP, SIGCOMM 2015, section 3,
divided by the number of chunks K. With q the bit rate of a chunk in Mbit/s:

    (sum of q_k - sum of |q_k - q_(k-1)| - 4.3 x seconds of stalls) / K

The weights are those of QoE_lin in H. Mao, R. Netravali and M. Alizadeh, Neural Adaptive Video
Streaming with Pensieve, SIGCOMM 2017, section 5.1. Deviation: the start-up delay has no weight; it
is a metric of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ackclock.results.metric import Columns, Metric, Number

if TYPE_CHECKING:
    from ackclock.scenario import Facts
    from ackclock.scenario.compile.facts import Playback

STALL_MBIT = 4.3
"""Weight of a second of stalls, Mbit/s for a chunk."""
_MBIT = 1e6


class Played(NamedTuple):
    """What players did in the measured time; each attribute has the shape (players,).

    Attributes:
        chunks: number of chunks that arrived.
        bit_rates: sum of their bit rates, bit/s.
        switches: number of chunks with another bit rate than the one before.
        changes: sum of these differences, bit/s, without sign.
        start_up_s: time from the first request to the first picture, in the warm-up or later; up
            to the end of the run if there was none.
        stalled_s: time without pictures after the first one.
        played_s: time with pictures.
        has_begun: whether there was a picture before the end of the run.
    """

    chunks: np.ndarray
    bit_rates: np.ndarray
    switches: np.ndarray
    changes: np.ndarray
    start_up_s: np.ndarray
    stalled_s: np.ndarray
    played_s: np.ndarray
    has_begun: np.ndarray


def played(columns: Columns, facts: Facts) -> Played:
    """What the players of a run did.

    Args:
        columns: table "responses", as the core returns it.
        facts: facts of the point.
    """
    table = columns.get("responses") or {}
    players = []
    if facts.playbacks and table:
        flows = table["flow"].astype(np.int64)
        for flow in np.unique(flows):
            playback = facts.playbacks.get(facts.flow_groups[flow])
            if playback is not None:
                rows = {name: values[flows == flow] for name, values in table.items()}
                players.append(_player(rows, playback, facts))
    if not players:
        return _NOBODY
    return Played(*(np.array(values) for values in zip(*players, strict=True)))


_NOBODY = Played(*[np.zeros(0)] * len(Played._fields))


def _player(rows: dict[str, np.ndarray], playback: Playback, facts: Facts) -> tuple[Number, ...]:
    """The values of ``Played`` of one player."""
    begin, end = facts.warm_up_s, facts.warm_up_s + facts.duration_s
    arrived = rows["completed_s"][~np.isnan(rows["completed_s"])]
    # A player fetches one chunk after the other: what has not arrived is the last.
    rates = np.array(playback.ladder_bit_s)[rows["request"].astype(np.int64)][: arrived.size]
    is_measured = arrived >= begin
    changes = np.abs(np.diff(rates))[is_measured[1:]]
    first, stalls = _stalls(arrived, playback, end)
    stalled = sum(max(0.0, until - max(begin, since)) for since, until in stalls)
    watched = max(0.0, end - max(begin, first))
    return (
        int(is_measured.sum()),
        float(rates[is_measured].sum()),
        int(np.count_nonzero(changes)),
        float(changes.sum()),
        first - float(rows["requested_s"][0]),
        stalled,
        watched - stalled,
        first < end,
    )


def _stalls(
    arrived: np.ndarray, playback: Playback, end: float
) -> tuple[float, list[tuple[float, float]]]:
    """When the first picture comes, and from when to when there is none after that, s.

    Args:
        arrived: when each chunk arrived, ascending, s.
        playback: of the player.
        end: of the run, s; the first picture comes then if it never comes.
    """
    first, stalls = end, []
    held, now, empty_since = 0.0, 0.0, 0.0
    plays = has_begun = False
    for time in arrived.tolist():
        if plays and time - now < held:
            held -= time - now
        elif plays:
            empty_since, held, plays = now + held, 0.0, False
        now = time
        held += playback.chunk_s
        if not plays and held >= playback.start_up_s:
            plays = True
            if has_begun:
                stalls.append((empty_since, now))
            else:
                first, has_begun = now, True
    if has_begun and (not plays or now + held < end):
        stalls.append((now + held if plays else empty_since, end))
    return first, stalls


def _played(columns: Columns, facts: Facts) -> Played:
    known = columns.get("played")
    return played(columns, facts) if known is None else Played(**known)


def _mean_rate(columns: Columns, facts: Facts) -> float:
    its = _played(columns, facts)
    return _ratio(its.bit_rates.sum(), its.chunks.sum())


def _mean_of_begun(values: str) -> Callable[[Columns, Facts], float]:
    def mean(columns: Columns, facts: Facts) -> float:
        its = _played(columns, facts)
        begun = its.has_begun.astype(bool)
        return _ratio(getattr(its, values)[begun].sum(), begun.sum())

    return mean


def _rebuffer_ratio(columns: Columns, facts: Facts) -> float:
    its = _played(columns, facts)
    return _ratio(its.stalled_s.sum(), its.stalled_s.sum() + its.played_s.sum())


def _start_up(columns: Columns, facts: Facts) -> float:
    its = _played(columns, facts)
    return _ratio(its.start_up_s.sum(), its.start_up_s.size)


def _switches(columns: Columns, facts: Facts) -> float:
    its = _played(columns, facts)
    return _ratio(its.switches.sum(), np.count_nonzero(its.chunks))


def _qoe(columns: Columns, facts: Facts) -> float:
    its = _played(columns, facts)
    some = its.chunks > 0
    quality = (its.bit_rates - its.changes) / _MBIT - STALL_MBIT * its.stalled_s
    return _ratio((quality[some] / its.chunks[some]).sum(), np.count_nonzero(some))


def _ratio(total: Number, number: Number) -> float:
    return float(total / number) if number else nan


_NO_CHUNK = "if no chunk of video arrived"
_NO_PICTURE = "if no player of video began to play"
VIDEO_METRICS: dict[str, Metric] = {
    "video_rate_bit_s": Metric(
        "bit/s",
        "bit rate of a chunk of video, mean over the chunks that arrived",
        _mean_rate,
        _NO_CHUNK,
    ),
    "rebuffer_s": Metric(
        "s",
        "time for which a player of video stalled after its first picture, mean over players",
        _mean_of_begun("stalled_s"),
        _NO_PICTURE,
    ),
    "rebuffer_ratio": Metric(
        "1",
        "time for which players of video stalled, over the time since their first picture",
        _rebuffer_ratio,
        _NO_PICTURE,
        share=True,
    ),
    "start_up_delay_s": Metric(
        "s",
        "from a player's first request to its first picture, or to the end of the run without one,"
        " mean over players; those that began in the warm-up count",
        _start_up,
        "if no player of video made a request",
    ),
    "rate_switches": Metric(
        "1",
        "chunks of video with another bit rate than the chunk before, mean over players",
        _switches,
        _NO_CHUNK,
    ),
    "video_qoe": Metric(
        "Mbit/s",
        f"quality of experience for each chunk: its bit rate, less {STALL_MBIT} Mbit/s for each"
        " second of stalls, less the change of the bit rate; mean over players",
        _qoe,
        _NO_CHUNK,
    ),
}
"""Metrics of players of video."""
