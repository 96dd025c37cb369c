"""The throughput formulas evaluated in another way: decimals, explicit sums, bisection.

Sums run over the numbers of losses in a window one by one, windows that must be whole are so, and
roots are found by halving an interval. No code is shared with ``ackclock.models``.
"""

from decimal import Decimal, localcontext
from functools import wraps
from math import comb

DIGITS = 60


def exactly(function):
    """Floats in, a decimal of many digits out."""

    @wraps(function)
    def evaluated(*numbers):
        with localcontext() as context:
            context.prec = DIGITS
            return +function(*map(Decimal, numbers))

    return evaluated


@exactly
def square_root(p, rtt, b):
    return (Decimal(3) / (2 * b)).sqrt() / (rtt * p.sqrt())


@exactly
def pftk_simple(p, rtt, rto, b):
    often = min(Decimal(1), 3 * (3 * b * p / 8).sqrt())
    return 1 / (rtt * (2 * b * p / 3).sqrt() + rto * often * p * (1 + 32 * p * p))


@exactly
def pftk_window(p, b):
    """E[W] as the positive root of (3b/8) E² - (2+b)/4 E = (1-p)/p."""
    return _root(lambda w: 3 * b / 8 * w * w - (2 + b) / 4 * w - (1 - p) / p, Decimal(10) ** 20)


def _series(p):
    """Lengths of series of time-outs, in first ones, times 1 - p: 1, 3, 7 ... 63, then 64 more."""
    total, length, wait = Decimal(0), Decimal(0), Decimal(1)
    reached = Decimal(1)
    for _ in range(6):
        length += wait
        total += length * reached * (1 - p)
        reached *= p
        wait *= 2
    # From the seventh on the wait stays at 64 first ones.
    return (1 - p) * (total + reached * (length + 64 / (1 - p)))


backoff = exactly(_series)


@exactly
def pftk_full(p, rtt, rto, b, limit):
    w = pftk_window(p, b)
    limited = w >= limit
    w = min(w, limit)
    keeps = 1 - p
    q = min(
        Decimal(1),
        (1 - keeps**3) * (1 + keeps**3 * (1 - keeps ** (w - 3))) / (1 - keeps**w),
    )
    rounds = b * w / 8 + keeps / (p * w) + 2 if limited else b * w / 2 + 1
    return (keeps / p + w + q / keeps) / (rtt * rounds + q * rto * _series(p) / keeps)


@exactly
def window_eq14(p, q):
    return (10 * p * q - 5 * p + (p * (24 + 32 * q + 49 * p)).sqrt()) / (p * (3 + 4 * q))


@exactly
def window_exact(p, q):
    """Where Eq. 13, term by term, is Eq. 7."""

    def excess(w):
        increase = 3 * w * w / 8 + 3 * w / 4
        beta = w / 2
        recovery = w * w * (q - q * q) / 2 + w * (1 - 5 * q + 3 * q * q) / 2 - (1 - 2 * q + q * q)
        delta = w - w / (1 + w * q)
        return increase + beta + recovery - (1 / p + delta)

    return _root(excess, Decimal(10) ** 20)


def _root(function, high):
    low = Decimal(0)
    for _ in range(300):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return low


@exactly
def p_timeout_of_whole_window(w, p, q):
    """Eq. 24 as it is printed, for whole W."""
    whole = int(w)
    recovered = sum(
        (
            comb(whole - 1, m - 1)
            * _power(q, m - 1)
            * _power(1 - q, whole - m)
            * (1 - p) ** (m * w / 2)
            for m in range(1, whole - 2)
        ),
        Decimal(0),
    )
    return 1 - recovered


def _power(base, exponent):
    """As everywhere but in decimals, 0 to the power of 0 is 1."""
    return base**exponent if exponent else Decimal(1)


@exactly
def p_timeout(w, p, q):
    """Eq. 24 for real W.

    The sum over all m is x (1-q+qx)^(W-1); the share of it beyond W - 3 is an incomplete beta
    integral over t^(W-4) (1-t)^2, term by term.
    """
    if w <= 3:
        return Decimal(1)
    x = (1 - p) ** (w / 2)
    kept = 1 - q + q * x
    trial = q * x / kept
    b = w - 3
    beyond = trial**b * (1 / b - 2 * trial / (b + 1) + trial**2 / (b + 2))
    everything = 2 / (b * (b + 1) * (b + 2))
    return 1 - x * kept ** (w - 1) * (1 - beyond / everything)


def newreno(p, rtt, q, rto, *, w=None, timeouts=True, long=False):
    """Eq. 20 put together from its periods; segments/s."""
    with localcontext() as context:
        context.prec = DIGITS
        w = window_eq14(p, q) if w is None else Decimal(w)
        p, rtt, q, rto = map(Decimal, (p, rtt, q, rto))
        often = p_timeout(w, p, q) if timeouts else Decimal(0)
        rounds = w / 2 + 1 + Decimal(1) / 2 + (1 - often) * (1 + w * q)
        wait = rto * (_series(p) / (1 - p) if long else 1 + 2 * p + 4 * p * p)
        doublings = max(Decimal(0), (w / 4).ln() / Decimal(2).ln())
        time = rounds * rtt + often * (wait + (doublings + 1) * rtt)
        return (1 / p + w - w / (1 + w * q)) / time
