"""The cases: set-ups and claims of published results, with the tolerances that these allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from known_queues.lab import group, run, udp

FULL_PACKET_BITS = 12_000


class Measured(NamedTuple):
    """A number, and the bounds within which the claim holds with its tolerance."""

    what: str
    value: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """Whether it lies within."""
        return self.low <= self.value <= self.high


class Case(NamedTuple):
    """A published result.

    Attributes:
        row: its number.
        source: who says so.
        set_up: in words.
        claim: in words, with the tolerance.
        measure: runs it.
        outside: numbers that lie outside the bounds.
        cause: why they do; empty if all lie within.
    """

    row: str
    source: str
    set_up: str
    claim: str
    measure: Callable[[], Iterable[Measured]]
    outside: frozenset[str] = frozenset()
    cause: str = ""


def _m32() -> Iterable[Measured]:
    steps = [(0, 100), (50, 10), (100, 1), (150, 50), (200, 1), (250, 100)]
    written = ", ".join(f'{{ at = "{at} s", rate = "{rate} Mbit/s" }}' for at, rate in steps)
    schedule = f"schedule = [{written}]"
    # Counted from 5 s after the fall to 1 Mbit/s until it ends.
    for kind, low, high in (("drop_tail", 7.0, 13.0), ("codel", 0.0, 0.026)):
        its = run(
            group("cubic", 4),
            rate=100,
            delay=50,
            queue=f'{{ kind = "{kind}", limit = "830 packets" }}',
            duration=150,
            warm_up=105,
            more=schedule,
        ).its
        yield Measured(f"{kind}, median at 1 Mbit/s (s)", its["queue_delay_p50_s"], low, high)


def _m33() -> Iterable[Measured]:
    for rate in (3, 10, 30, 100):
        its = run(group("cubic", 4), rate=rate, delay=50, queue='{ kind = "codel" }').its
        at = f"{rate} Mbit/s"
        yield Measured(f"{at}, median (ms)", its["queue_delay_p50_s"] * 1e3, 2, 8)
        yield Measured(f"{at}, utilisation", its["utilisation"], 0.92, 1)


def _m34() -> Iterable[Measured]:
    up = group("cubic", 4, name="up").replace("\ntcp", "\nreverse = true\ntcp", 1)
    flows = group("cubic", 4, name="down") + up + udp("40 kbit/s", "ping", packet=100)
    for kind, low, high in (("drop_tail", 250, 2000), ("fq_codel", 0, 20)):
        ran = run(
            flows,
            rate=10,
            delay=25,
            queue=f'{{ kind = "{kind}", limit = "1000 packets" }}',
            duration=140,
        )
        yield Measured(
            f"{kind}, ping, mean wait (ms)", ran.ms("ping", "queue_delay_mean"), low, high
        )
    yield Measured("fq_codel, ping, 95 % (ms)", ran.ms("ping", "queue_delay_p95"), 0, 40)


def _m35() -> Iterable[Measured]:
    for bulk in (1, 4, 16):
        ran = run(
            group("cubic", bulk, name="bulk") + udp("25.6 kbit/s", "sparse", packet=64),
            rate=10,
            delay=20,
            queue='{ kind = "fq_codel" }',
        )
        # A quantum of each, and the packet that is being sent.
        bound = (bulk * 1514 * 8 + FULL_PACKET_BITS) / 10e6 * 1e3
        longest = ran.ms("sparse", "queue_delay_max")
        yield Measured(f"{bulk} bulk, longest wait (ms)", longest, 0, bound)


def _m36() -> Iterable[Measured]:
    queue = '{ kind = "pie", target = "20 ms" }'
    loads = {
        "5 Reno": group("reno_sack", 5),
        "50 Reno": group("reno_sack", 50),
        "5 Reno, 2 UDP of 6 Mbit/s": group("reno_sack", 5) + udp("6 Mbit/s", count=2),
    }
    for load, flows in loads.items():
        its = run(flows, rate=10, delay=50, queue=queue).its
        yield Measured(f"{load}, mean (ms)", its["mean_queue_delay_s"] * 1e3, 10.5, 32.5)


_COUPLED = [(4, 5), (40, 5), (40, 10), (40, 25), (120, 25), (120, 50), (200, 100)]


def _coupled(rate: float, rtt: float):
    flows = group("prague") + group("cubic")
    return run(flows, rate=rate, delay=rtt / 2, queue='{ kind = "dualpi2" }')


def _m38() -> Iterable[Measured]:
    for rate, rtt in _COUPLED:
        ran = _coupled(rate, rtt)
        ratio = ran.goodput("prague") / ran.goodput("cubic")
        yield Measured(f"{rate} Mbit/s, {rtt} ms, ratio", ratio, 0.5, 2)


def _m39() -> Iterable[Measured]:
    for rate, rtt in _COUPLED[1:-2]:
        ran = _coupled(rate, rtt)
        at = f"{rate} Mbit/s, {rtt} ms"
        yield Measured(f"{at}, L mean (ms)", ran.ms("prague", "queue_delay_mean"), 0, 1.5)
        yield Measured(f"{at}, L 99 % (ms)", ran.ms("prague", "queue_delay_p99"), 0, 3)
        yield Measured(f"{at}, C mean (ms)", ran.ms("cubic", "queue_delay_mean"), 10, 22.5)


_MARKED = [(0.5, 10), (0.1, 10), (0.1, 25), (0.01, 10), (0.01, 25)]


def _m40() -> Iterable[Measured]:
    for share, rtt in _MARKED:
        marks = f'impairments = [{{ kind = "mark", probability = {share} }}]'
        ran = run(
            group("prague"), rate=1000, delay=rtt / 2, queue='{ kind = "drop_tail" }', more=marks
        )
        right = 1 / share - 1
        what = f"p {share}, {rtt} ms (Mbit/s)"
        yield Measured(what, ran.goodput("prague"), 0.85 * right, 1.15 * right)


def _data_centre(flavor: str, flows: int, rate: int, threshold: int | None):
    """A round trip of 100 us; DCTCP's threshold is in packets."""
    packet_ns = FULL_PACKET_BITS * 1000 // rate
    step = f', ecn = true, ce_threshold = "{(threshold or 0) * packet_ns} ns"'
    queue = f'{{ kind = "codel", limit = "1000 packets", target = "1 s"{step} }}'
    plain = '{ kind = "drop_tail", limit = "250 packets" }'
    ran = run(
        group(flavor, flows),
        rate=rate,
        delay=0.05,
        queue=plain if threshold is None else queue,
        duration=2,
        warm_up=1,
    )
    return ran, packet_ns * 1e-9


def _m43() -> Iterable[Measured]:
    for flows in (2, 20):
        ran, packet_s = _data_centre("dctcp", flows, 1000, 20)
        length = ran.its["queue_delay_p50_s"] / packet_s
        yield Measured(f"{flows} DCTCP, median (packets)", length, 15, 20 + flows + 5)
        yield Measured(f"{flows} DCTCP, goodput (Gbit/s)", ran.its["goodput_bit_s"] / 1e9, 0.935, 1)
        other, _ = _data_centre("reno_sack", flows, 1000, None)
        times = other.its["queue_delay_p50_s"] / ran.its["queue_delay_p50_s"]
        yield Measured(f"{flows} TCP, queue over DCTCP's", times, 5, 20)


def _m44() -> Iterable[Measured]:
    for rate, threshold, longest, amplitude in ((1000, 20, 22, 5.3), (10_000, 65, 67, 12.2)):
        ran, packet_s = _data_centre("dctcp", 2, rate, threshold)
        at = f"{rate // 1000} Gbit/s, K {threshold}"
        top = ran.wait_s(0.999) / packet_s
        yield Measured(f"{at}, longest (packets)", top, 0.9 * longest, 1.1 * longest)
        swing = top - ran.wait_s(0.001) / packet_s
        yield Measured(f"{at}, amplitude (packets)", swing, 0.9 * amplitude, 1.1 * amplitude)


def _m45() -> Iterable[Measured]:
    for threshold in (12, 24, 65):
        ran, _ = _data_centre("dctcp", 2, 10_000, threshold)
        yield Measured(f"K {threshold}, utilisation", ran.its["utilisation"], 0.99, 1)


def _m62() -> Iterable[Measured]:
    ran = run(
        group("bbr"),
        rate=100,
        delay=50,
        queue='{ kind = "policer", rate = "5 Mbit/s", burst = "60 kB" }',
        warm_up=10,
        segments="bbr",
    )
    data = ran.segments[ran.segments["kind"] == "data"]
    seconds = data["time_s"].floordiv(1)
    losses = data["lost"].groupby(seconds).mean().loc[10:]
    yield Measured("seconds of 50 with at most 7 % lost", (losses <= 0.07).sum(), 40, 49)
    yield Measured("highest loss in a second", losses.max(), 0.1, 1)


def _m78() -> Iterable[Measured]:
    for packets in (100, 300):
        ran = run(
            group("cubic"),
            rate=10,
            delay=20,
            queue=f'{{ kind = "drop_tail", limit = "{packets} packets" }}',
            duration=120,
        )
        packet_s, bdp = FULL_PACKET_BITS / 10e6, 10e6 * 0.04 / FULL_PACKET_BITS
        least = (0.7 * (packets + bdp) - bdp) / packets
        share = ran.wait_s(0.001) / packet_s / packets
        yield Measured(f"{packets} packets, least share", share, least - 0.05, least + 0.05)
        most = ran.wait_s(0.999) / packet_s / packets
        yield Measured(f"{packets} packets, largest share", most, 0.95, 1.02)


CASES = [
    Case(
        "M32",
        "Nichols and Jacobson, Controlling Queue Delay (2012)",
        "4 CUBIC, 100 ms, 830 packets; the rate falls from 100 to 10 and to 1 Mbit/s, for 50 s"
        " each. Measured from 5 s after the second fall",
        "Drop-tail waits about 10 s at 1 Mbit/s, CoDel at most 20 ms (30 %)",
        _m32,
        frozenset({"codel, median at 1 Mbit/s (s)"}),
        "A packet takes 12 ms to send at 1 Mbit/s. CoDel drops nothing while a single packet waits,"
        " and four flows keep two or three there.",
    ),
    Case(
        "M33",
        "Nichols and Jacobson (2012); the numbers were recalled",
        "4 CUBIC, 100 ms, CoDel with its defaults, 3 to 100 Mbit/s",
        "Median of 2 to 8 ms; the link is busy at least 95 % of the time (3 %)",
        _m33,
        frozenset(f"{rate} Mbit/s, median (ms)" for rate in (3, 30, 100)),
        "At 3 Mbit/s a packet takes 4 ms, and CoDel's target of 5 ms is hardly more than one. At 30"
        " and 100 Mbit/s four windows on a path of 250 and 833 packets leave the queue empty for"
        " much of the time after each drop: the median is below the target, and the link is busy.",
    ),
    Case(
        "M34",
        "Høiland-Jørgensen and others, Computer Networks (2015)",
        "10 Mbit/s, 50 ms, 1,000 packets, 4 CUBIC down and 4 up, a packet of 100 bytes every 20 ms",
        "Drop-tail waits more than 500 ms, FQ-CoDel 5 to 10 ms, 95 % at most 20 ms (factor 2)",
        _m34,
    ),
    Case(
        "M35",
        "RFC 8290, section 4.1",
        "A packet of 64 bytes every 20 ms beside 1, 4 and 16 CUBIC, 10 Mbit/s, FQ-CoDel",
        "It waits at most a quantum of 1,514 bytes for each other flow, and for the packet on the"
        " link",
        _m35,
    ),
    Case(
        "M36",
        "Pan and others, PIE (2013); RFC 8033",
        "10 Mbit/s, 100 ms, PIE with a reference of 20 ms",
        "Mean of 15 to 25 ms (30 %)",
        _m36,
    ),
    Case(
        "M38",
        "RFC 9332; De Schepper and others (2016)",
        "One Prague and one CUBIC through DualPI2 with its defaults, 40 s",
        "Rates differ by a factor of 2 at most",
        _m38,
        frozenset(
            f"{at}, ratio"
            for at in (
                "4 Mbit/s, 5 ms",
                "40 Mbit/s, 25 ms",
                "120 Mbit/s, 25 ms",
                "200 Mbit/s, 100 ms",
            )
        ),
        "At 25 ms three things add up. CUBIC's packets wait 14 ms longer, which alone is a"
        " factor of 1.5. The probability moves with CUBIC's window, and CUBIC meets the mean of"
        " its square, but Prague twice its mean. And Prague's window is 2.7 over its share of"
        " marks, not 2: see M40. At 4 Mbit/s a packet takes 3 ms to send, longer than the step"
        " of 1 ms, so that most of Prague's packets are marked; with a step of 4 ms the ratio is"
        " 0.69. At 200 Mbit/s and 100 ms Prague grows by a segment in a round trip, and 60 s are"
        " too short: the ratio of the last 100 s of 300 s is 1.55.",
    ),
    Case(
        "M39",
        "RFC 9330 and RFC 9332",
        "The same, 40 to 120 Mbit/s",
        "L waits 1 ms in the mean, 2 ms in 99 %; C about 15 ms (factor 1.5)",
        _m39,
    ),
    Case(
        "M40",
        "tcp_prague.c (L4STeam)",
        "One Prague, a share p of the packets is marked at random, no queue",
        "1/p - 1 Mbit/s at every RTT up to 25 ms (15 %)",
        _m40,
        frozenset(f"p {share}, {rtt} ms (Mbit/s)" for share, rtt in _MARKED),
        "A reduction comes with the first mark after a virtual round trip. Random marks let it"
        " wait 1/(p W) of a virtual round trip more, so that p W = 2 + 2/(p W), which is 2.73"
        " and not 2.",
    ),
    Case(
        "M43",
        "Alizadeh and others, DCTCP (2010), figures 1 and 13",
        "2 and 20 flows, 1 Gbit/s, 100 us, K = 20; TCP with 250 packets of buffer",
        "DCTCP's queue is near K (5 packets), at most K + n; TCP's is about 10 times as long",
        _m43,
    ),
    Case(
        "M44",
        "Alizadeh and others (2010), section 3.3",
        "2 DCTCP, 100 us; the longest queue and its swing are those of all packets but 0.1 % at"
        " either end",
        "Longest K + 2; swing of sqrt(4 (C RTT + K)) / 2 (10 %)",
        _m44,
        frozenset({"1 Gbit/s, K 20, amplitude (packets)"}),
        "The analysis has an ACK for each packet. With `ack_every = 1` the swing is 5.9 packets; an"
        " ACK for every second packet sends two at once, which at 14 packets a window is much.",
    ),
    Case(
        "M45",
        "Alizadeh and others (2010), section 3.3",
        "2 DCTCP, 10 Gbit/s, 100 us: C RTT / 7 is 12 packets",
        "The link is busy at least 99 % of the time from K = 12 on",
        _m45,
    ),
    Case(
        "M62",
        "Linux, tcp_bbr.c, lt_bw",
        "One BBR behind a policer of 5 Mbit/s with a burst of 60 kB, 100 ms",
        "At most 5 % are lost for 48 round trips (2 points), then it looks for more and loses much",
        _m62,
    ),
    Case(
        "M78",
        "Cardwell and others, BBR (2016), figure 7; RFC 9438",
        "One CUBIC, 10 Mbit/s, 40 ms, 100 and 300 packets",
        "The queue moves between 0.7 (B + BDP) - BDP and B (5 %)",
        _m78,
    ),
]
