"""The texts of the page: options that match Linux, and differences."""

from __future__ import annotations

OPTIONS = (
    ('growth = "bytes"', "cwnd grows per acknowledged segment, not per ACK"),
    (
        'timers = "fine"',
        "time-outs are counted in the kernel's clock (1 to 10 ms), not in ticks of 500 ms",
    ),
    (
        'min_rto = "200 ms", min_rto_of = "variance"',
        "RTO = SRTT + max(200 ms, 4 RTTVAR); the route option rto_min sets this in the kernel",
    ),
    (
        'delayed_ack = "off"',
        "route option quickack 1. Without it a kernel delays an ACK by 40 to 200 ms, depending on"
        " its own estimate, and also sends ACKs when the reader wakes up; the simulator has no"
        " option for this",
    ),
    ('ssthresh_from = "cwnd"', "ssthresh is half of cwnd, not of the data in flight"),
    (
        'ssthresh_rounding = "segments"',
        "cwnd and ssthresh are whole segments: half of nine is four. With 4.5, the sender could"
        " also send four segments, but would need the ACKs of 4.5 to increase cwnd by one",
    ),
    ("limited_transmit = true", "the first two duplicate ACKs send new data (RFC 3042)"),
    (
        'partial_ack_timer = "every"',
        "NewReno: every ACK of new data restarts the timer",
    ),
    (
        "prr = true",
        "cwnd falls as data is delivered (RFC 6937); in the simulator with SACK only",
    ),
    (
        "lost_retransmission_detection = true",
        "a retransmission counts as lost when later data arrives first (RFC 8985), and is sent"
        " again; with SACK only",
    ),
    ("cwnd_validation = true", "cwnd grows only while it limits the sender"),
    ('window_probe = "ack"', "a closed window is probed by a segment without data"),
    (
        'flavor = "cubic"',
        "CUBIC, timestamps and D-SACK, the defaults of Linux",
    ),
)
"""Keys of [tcp] in the scenarios of this package, and what Linux does."""

RACK = """\
- **RACK.** Present-day kernels with SACK also detect losses by time (RFC 8985). You cannot switch
  this off without switching SACK off. The simulator implements the part that concerns
  retransmissions (`lost_retransmission_detection`): both send a lost retransmission again after a
  round trip. Otherwise the simulator follows RFC 6675. Within a recovery, RACK needs one SACKed
  segment above a hole, RFC 6675 needs three. This matters where losses are frequent and windows
  small."""

NEWRENO = """\
- **NewReno without SACK.** In a recovery the kernel counts duplicate ACKs as delivered segments and
  lowers cwnd by rate reduction. The simulator follows RFC 6582, which inflates cwnd by duplicate
  ACKs and deflates it at partial ACKs. The two send different numbers of segments in a recovery, by
  a few, so the later losses of the list hit different packets. Where slow start has overflowed the
  queue of a long path, both repair one packet per round trip for most of a run. A time-out, after
  which everything is retransmitted, may end this early, and then decides the throughput."""

CUBIC = """\
- **CUBIC.** Where losses are frequent, a CUBIC sender behaves like Reno. In RFC 9438 and in the
  simulator it grows by one segment per round trip as soon as cwnd is back at its value before the
  loss (section 4.3, alpha = 1). Linux continues with 0.53 segments, in whole segments, and gets
  less. The kernel also leaves slow start by HyStart, probes the tail of a flight (tail loss probe,
  TLP) and undoes needless time-outs (F-RTO); the simulator does none of the three here."""

SLOW_START = """\
- **Slow start against a window.** The kernel lets cwnd grow to twice the data in flight, and
  ssthresh is half of cwnd. If the receive window ends slow start, the first loss does not reduce
  the data in flight, and a queue that overflowed overflows again. The simulator uses half of cwnd
  or half of the window, whichever is less."""

REAL_TIME = """\
- **Real time.** A packet that is late by a millisecond changes which packet is the n-th to pass,
  and so which packet the n-th loss hits. Two valid runs with one seed are not identical."""

DESIGN = """\
The nine paths contain every pair of levels of any two of the four factors once: rates of 2, 10 and
50 Mbit/s, round trips of 20, 50 and 200 ms, buffers of 0.5, 1 and 2 bandwidth-delay products (at
least 10 packets), losses of 0, 0.1 and 1 % (the orthogonal array L9 instead of 81 paths). On paths
with imposed losses the receive window does not matter. On the three other paths it is the capacity
of path and buffer. On the two slower ones it is eight packets more, so that the queue overflows.
Without this bound, slow start would lose half a window, and NewReno needs one round trip per lost
packet."""

RTT = """\
RTT is the mean of the sender's own measurements: in the simulator of its samples, in the kernel of
the smoothed RTT, read ten times per second."""

VERDICTS = """\
A run is `valid` if less than 0.1 % of its packets were late by more than 200 us or 1 % of the RTT,
and none by more than 10 % of the RTT. A run is `invalid` if the computer lost a packet that the
scenario did not lose, if more than 1 % of the packets were late, or if one was late by more than an
RTT. Any other run is `degraded`. Invalid runs are shown but not used for conclusions."""
