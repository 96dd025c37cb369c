"""The NewReno model of Parvez, Mahanti and Williamson, without and with time-outs.

Source: 003 (An Analytic Throughput Model for TCP NewReno), Eq. 7, 14 to 19, 24, 26, 28, 29.

Deviations, each for a case that the paper does not define:

- Eq. 24 is a sum over whole numbers of losses up to W - 3, and W is none. It is (with
  x = (1-p)^(W/2)) x (1-q+qx)^(W-1) times a binomial distribution function, which an incomplete beta
  function continues to real W: ``timeout_probability`` is the sum for every whole W, and 1 for W of
  3 and less, where no loss can be followed by three duplicate ACKs.
- log₂(W/4) + 1 rounds of slow start (Eq. 28) are never fewer than one: below W = 4 the logarithm is
  negative, but ssthresh is 2 segments at least (RFC 5681), so that a round of one segment comes
  before congestion avoidance after every time-out. W < 4 needs p above about 0.1.
- A window limit W_m is not in the paper. Here the throughput is at most W_m / R, as in PFTK's
  approximation: no window above W_m can leave in a round-trip time. Near W = W_m this is too high,
  because a limited connection still halves its window.
- b is 1: the paper's receiver acknowledges every segment.

Parameters: p loss event rate (1), q segment loss rate within a loss event (1), R round-trip time
(s), RTO first time-out of a series (s), W peak window (segments), SMSS (bytes).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ackclock.models.inputs import checked, chosen
from ackclock.models.registry import BACKOFFS, SMSS_BYTES, WINDOWS
from ackclock.models.reno_formulas import BITS, backoff_sum
from ackclock.models.window import window_eq14, window_exact


class NewReno(NamedTuple):
    """A throughput and its components, in the broadcast shape of the inputs.

    A CAFR period is congestion avoidance and fast recovery, from one loss event to the next.

    Attributes:
        throughput_bit_s: throughput of data, bit/s.
        segments_s: throughput, segments/s.
        limited: whether the window limit determines the throughput.
        window_segments: W, the average of the peak window.
        p_timeout: p_TO, the share of loss events that end in a time-out.
        losses: E[m] = 1 + Wq, segments lost in a loss event.
        delta_segments: δ, segments from the first to the last loss of an event.
        cafr_segments: S_CAFR = 1/p + δ, the segments of a CAFR period.
        linear_s: D_LI = (W/2 + 1) R, linear increase.
        beta_s: D_β = R/2, from the end of the linear increase to the third duplicate ACK.
        recovery_s: D_FR = E[m] R, fast recovery.
        timeout_s: D_TO, a series of time-outs.
        slow_start_s: D_SS, slow start after the time-outs.
        period_s: average duration of a period: the denominator of Eq. 19 or 29.
    """

    throughput_bit_s: np.ndarray
    segments_s: np.ndarray
    limited: np.ndarray
    window_segments: np.ndarray
    p_timeout: np.ndarray
    losses: np.ndarray
    delta_segments: np.ndarray
    cafr_segments: np.ndarray
    linear_s: np.ndarray
    beta_s: np.ndarray
    recovery_s: np.ndarray
    timeout_s: np.ndarray
    slow_start_s: np.ndarray
    period_s: np.ndarray


def newreno_noto(
    p: ArrayLike,
    rtt_s: ArrayLike,
    *,
    smss_bytes: ArrayLike = SMSS_BYTES,
    q: ArrayLike | None = None,
    window_limit: ArrayLike | None = None,
    window: str | ArrayLike = WINDOWS[0],
) -> NewReno:
    """NewReno if three duplicate ACKs detect every loss event: Eq. 19.

    ``p_timeout``, ``timeout_s`` and ``slow_start_s`` are 0.

    Args:
        p: loss event rate, from 1e-12 on and below 1.
        rtt_s: average round-trip time, s.
        smss_bytes: data in a segment, bytes.
        q: segment loss rate within a loss event, 0 to 1; p by default.
        window_limit: W_m, segments; none by default.
        window: "eq14", "exact", or W itself in segments.

    Raises:
        DomainError: a value is outside its domain.
    """
    given = checked(p=p, rtt_s=rtt_s, smss_bytes=smss_bytes, q=q, window_limit=window_limit)
    nothing = np.zeros(())
    return _model(given, _peak(window, given), nothing, nothing, nothing)


def newreno(
    p: ArrayLike,
    rtt_s: ArrayLike,
    *,
    smss_bytes: ArrayLike = SMSS_BYTES,
    q: ArrayLike | None = None,
    rto_s: ArrayLike | None = None,
    window_limit: ArrayLike | None = None,
    window: str | ArrayLike = WINDOWS[0],
    backoff: str = BACKOFFS[0],
) -> NewReno:
    """NewReno with time-outs, the paper's full model: Eq. 29.

    Args:
        p: loss event rate, from 1e-12 on and below 1.
        rtt_s: average round-trip time, s.
        smss_bytes: data in a segment, bytes.
        q: segment loss rate within a loss event, 0 to 1; p by default.
        rto_s: first time-out of a series, s; 3 R by default.
        window_limit: W_m, segments; none by default.
        window: "eq14", "exact", or W itself in segments.
        backoff: D_TO is RTO (1 + 2p + 4p²) ("short", as in Eq. 29) or that of Eq. 26 ("long").

    Raises:
        DomainError: a value is outside its domain.
    """
    given = checked(
        p=p, rtt_s=rtt_s, smss_bytes=smss_bytes, q=q, rto_s=rto_s, window_limit=window_limit
    )
    p, rto = given["p"], given["rto_s"]
    long = chosen("backoff", backoff) == "long"
    timeout = rto * (backoff_sum(p) / (1 - p) if long else 1 + 2 * p + 4 * p**2)
    peak = _peak(window, given)
    slow_start = (np.maximum(0, np.log2(peak / 4)) + 1) * given["rtt_s"]
    return _model(given, peak, timeout_probability(peak, p, given["q"]), timeout, slow_start)


def timeout_probability(window_segments: ArrayLike, p: ArrayLike, q: ArrayLike) -> np.ndarray:
    """Return p_TO, the share of loss events that end in a time-out: Eq. 24, for real W.

    Either more than W - 3 of W segments are lost, or a retransmitted segment is lost again.

    Args:
        window_segments: W, above 0.
        p: loss event rate, from 1e-12 on and below 1.
        q: segment loss rate within a loss event, 0 to 1.

    Raises:
        DomainError: a value is outside its domain.
    """
    given = checked(window=window_segments, p=p, q=q)
    w, p, q = given["window"], given["p"], given["q"]
    # Logarithms, because all factors are close to 1 if losses are few; the logarithm of 0 is -inf.
    first = w / 2 * np.log1p(-p)
    with np.errstate(divide="ignore"):
        kept = np.maximum(np.log1p(q * np.expm1(first)), first)
        # The sum's weights are those of W - 1 trials with this probability, times x (1-q+qx)^(W-1).
        trial = q * np.exp(first - kept)
        enough = np.maximum(w - 3, 0)
        # More than W - 4 of them: an incomplete beta function whose second parameter is 3.
        terms = 1 + enough * (1 - trial) + enough * (enough + 1) / 2 * (1 - trial) ** 2
        too_many = np.minimum(trial**enough * terms, 1)
        return -np.expm1(first + (w - 1) * kept + np.log1p(-too_many))


def _peak(window: Any, given: dict[str, np.ndarray]) -> np.ndarray:
    if not isinstance(window, str):
        return checked(window=window)["window"]
    formula = window_exact if chosen("window", window) == "exact" else window_eq14
    return formula(given["p"], given["q"])


def _model(
    given: dict[str, np.ndarray],
    peak: np.ndarray,
    p_timeout: np.ndarray,
    timeout: np.ndarray,
    slow_start: np.ndarray,
) -> NewReno:
    """Eq. 29, which is Eq. 19 where p_TO is 0."""
    rtt, q = given["rtt_s"], given["q"]
    losses = 1 + peak * q
    delta = peak**2 * q / losses
    segments = 1 / given["p"] + delta
    linear, beta, recovery = (peak / 2 + 1) * rtt, rtt / 2, losses * rtt
    period = linear + beta + (1 - p_timeout) * recovery + p_timeout * (timeout + slow_start)
    rate = segments / period
    most = given["window_limit"] / rtt
    limited = rate >= most
    rate = np.minimum(rate, most)
    parts = (peak, p_timeout, losses, delta, segments, linear, beta, recovery, timeout, slow_start)
    throughput = rate * given["smss_bytes"] * BITS
    return NewReno(*np.broadcast_arrays(throughput, rate, limited, *parts, period))
