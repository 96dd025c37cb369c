"""Formulas for TCP Reno: square root, PFTK simple and full.

Source: Mathis, Semke, Mahdavi, Ott, The Macroscopic Behavior of the TCP Congestion Avoidance
Algorithm, CCR 27(3), 1997; Padhye, Firoiu, Towsley, Kurose, Modeling TCP Throughput, SIGCOMM 1998,
Eq. 29, 30. There are no deviations that change values. The window limit of the square root is that
of PFTK's approximation. For a window below three segments, Q is 1, as in the paper, because the
formula then exceeds 1.

Parameters: p loss event rate (1), R round-trip time (s), RTO first time-out (s), b segments per ACK
(1), W_m window limit (segments), SMSS (bytes).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ackclock.models.inputs import checked
from ackclock.models.registry import SMSS_BYTES

BITS = 8


class Reno(NamedTuple):
    """A throughput, in the broadcast shape of the inputs.

    Attributes:
        throughput_bit_s: throughput of data, bit/s.
        segments_s: throughput, segments/s.
        limited: whether the window limit determines the throughput.
    """

    throughput_bit_s: np.ndarray
    segments_s: np.ndarray
    limited: np.ndarray


class PftkFull(NamedTuple):
    """A throughput and its components, in the broadcast shape of the inputs.

    Attributes:
        throughput_bit_s: throughput of data, bit/s.
        segments_s: throughput, segments/s.
        limited: whether E[W] reaches the window limit, so that the second branch holds.
        window_segments: E[W], without the limit.
        p_timeout: Q, the share of loss events that end in a time-out.
        timeout_s: average duration of a series of time-outs, RTO G / (1 - p).
    """

    throughput_bit_s: np.ndarray
    segments_s: np.ndarray
    limited: np.ndarray
    window_segments: np.ndarray
    p_timeout: np.ndarray
    timeout_s: np.ndarray


def square_root(
    p: ArrayLike,
    rtt_s: ArrayLike,
    *,
    smss_bytes: ArrayLike = SMSS_BYTES,
    segments_per_ack: ArrayLike = 1,
    window_limit: ArrayLike | None = None,
) -> Reno:
    """C / (R √p) with C = √(3 / (2b)): no time-outs, and one loss per event.

    Args:
        p: loss event rate, from 1e-12 on and below 1.
        rtt_s: average round-trip time, s.
        smss_bytes: data in a segment, bytes.
        segments_per_ack: segments that an ACK covers, b.
        window_limit: W_m, segments; none by default.

    Raises:
        DomainError: a value is outside its domain.

    Source: Mathis et al. 1997.
    """
    given = checked(**locals())
    rate = np.sqrt(1.5 / (given["segments_per_ack"] * given["p"])) / given["rtt_s"]
    return _at_most_the_window(rate, given)


def pftk_simple(
    p: ArrayLike,
    rtt_s: ArrayLike,
    *,
    smss_bytes: ArrayLike = SMSS_BYTES,
    rto_s: ArrayLike | None = None,
    segments_per_ack: ArrayLike = 1,
    window_limit: ArrayLike | None = None,
) -> Reno:
    """PFTK's approximation.

    Args:
        p: loss event rate, from 1e-12 on and below 1.
        rtt_s: average round-trip time, s.
        smss_bytes: data in a segment, bytes.
        rto_s: first time-out of a series, s; 3 R by default.
        segments_per_ack: segments that an ACK covers, b.
        window_limit: W_m, segments; none by default.

    Raises:
        DomainError: a value is outside its domain.

    Source: Padhye et al. 1998, Eq. 30; with b = 1, 003 Table I.
    """
    given = checked(**locals())
    p, b = given["p"], given["segments_per_ack"]
    without = given["rtt_s"] * np.sqrt(2 * b * p / 3)
    timeouts = given["rto_s"] * np.minimum(1, 3 * np.sqrt(3 * b * p / 8)) * p * (1 + 32 * p**2)
    return _at_most_the_window(1 / (without + timeouts), given)


def pftk_full(
    p: ArrayLike,
    rtt_s: ArrayLike,
    *,
    smss_bytes: ArrayLike = SMSS_BYTES,
    rto_s: ArrayLike | None = None,
    segments_per_ack: ArrayLike = 1,
    window_limit: ArrayLike | None = None,
) -> PftkFull:
    """PFTK's full model.

    With b = 2 the two branches meet at E[W] = W_m. With b = 1 they do not: there the throughput
    rises by up to (W_m/2 + 5/4) / (W_m/2 + 1) - 1 as p rises.

    The arguments are those of ``pftk_simple``.

    Raises:
        DomainError: a value is outside its domain.

    Source: Padhye et al. 1998, Eq. 29.
    """
    given = checked(**locals())
    p, b, rtt, limit = (given[n] for n in ("p", "segments_per_ack", "rtt_s", "window_limit"))
    survives = 1 - p
    base = (2 + b) / (3 * b)
    window = base + np.sqrt(8 * survives / (3 * b * p) + base**2)
    limited = window >= limit
    reached = np.minimum(window, limit)
    timeout_share = _timeout_share(reached, p)
    timeout = given["rto_s"] * backoff_sum(p) / survives
    free = rtt * (b * window / 2 + 1)
    held = rtt * (b * reached / 8 + survives / (p * reached) + 2)
    segments = survives / p + reached + timeout_share / survives
    rate = segments / (np.where(limited, held, free) + timeout_share * timeout)
    return PftkFull(
        rate * given["smss_bytes"] * BITS,
        *np.broadcast_arrays(rate, limited, window, timeout_share, timeout),
    )


def backoff_sum(p: np.ndarray) -> np.ndarray:
    """Return 1 + p + 2p² + 4p³ + 8p⁴ + 16p⁵ + 32p⁶.

    This is the average duration of a series of time-outs, in first time-outs, times 1 - p. The
    time-out doubles up to 64 times the first. Source: Padhye et al. 1998; 003 Eq. 26.
    """
    return np.polynomial.polynomial.polyval(p, [1, 1, 2, 4, 8, 16, 32])


def _timeout_share(window: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return Q, the probability that a loss in a window of this size ends in a time-out."""
    three = -np.expm1(3 * np.log1p(-p))  # 1 - (1 - p)^3, which is tiny if p is tiny
    others = -np.expm1((window - 3) * np.log1p(-p))
    all_of_it = -np.expm1(window * np.log1p(-p))
    return np.minimum(1, three * (1 + (1 - p) ** 3 * others) / all_of_it)


def _at_most_the_window(rate: np.ndarray, given: dict[str, np.ndarray]) -> Reno:
    """Limit a rate to one window per round-trip time."""
    most = given["window_limit"] / given["rtt_s"]
    rate, limited = np.minimum(rate, most), np.broadcast_arrays(rate >= most, rate)[0]
    return Reno(rate * given["smss_bytes"] * BITS, rate, limited)
