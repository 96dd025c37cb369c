"""The texts of the page: options that match Linux, and differences."""

from __future__ import annotations

OPTIONS = (
    ('growth = "bytes"', "cwnd grows by the segments that an ACK acknowledges, not by ACKs"),
    (
        'timers = "fine"',
        "time-outs are counted in the kernel's clock (1 to 10 ms), not in ticks of 500 ms",
    ),
    (
        'min_rto = "200 ms", min_rto_of = "variance"',
        "RTO = SRTT + max(200 ms, 4 RTTVAR); the kernel is told by the route option rto_min",
    ),
    (
        'delayed_ack = "off"',
        "route option quickack 1. Otherwise a kernel waits 40 to 200 ms as it sees fit, and its"
        " reader's wake-ups send ACKs too, which no option of the simulator is like",
    ),
    ('ssthresh_from = "cwnd"', "ssthresh is half of cwnd, not of the data in flight"),
    (
        'ssthresh_rounding = "segments"',
        "cwnd and ssthresh are counted in segments: half of nine is four. Of 4.5 four could be sent"
        " as well, but they would need the ACKs of 4.5 to grow by one",
    ),
    ("limited_transmit = true", "the first two duplicate ACKs let out new data (RFC 3042)"),
    (
        'partial_ack_timer = "every"',
        "NewReno: every ACK that acknowledges something starts the timer anew",
    ),
    (
        "prr = true",
        "cwnd falls as data is delivered (RFC 6937); in the simulator with SACK only",
    ),
    (
        "lost_retransmission_detection = true",
        "a retransmission is lost when something that was sent later arrives (RFC 8985), and goes"
        " out again; with SACK only",
    ),
    ("cwnd_validation = true", "cwnd grows only while it limits the sender"),
    ('window_probe = "ack"', "a closed window is probed by a segment without data"),
    (
        'flavor = "cubic"',
        "CUBIC, timestamps and D-SACK, which are what Linux does when nothing is said",
    ),
)
"""Keys of [tcp] in the scenarios of this package, and what Linux does."""

RACK = """\
- **RACK.** A kernel of today finds losses with SACK by time as well (RFC 8985), and this cannot be
  switched off without switching SACK off. The simulator has that part of it which concerns
  retransmissions (`lost_retransmission_detection`): both send a lost one again after a round trip.
  For the rest it has RFC 6675: within a recovery, RACK needs a single SACKed segment above a hole
  and RFC 6675 three, which counts where losses are many and windows small."""

NEWRENO = """\
- **NewReno without SACK.** In a recovery the kernel counts duplicate ACKs as delivered segments and
  lets cwnd fall by rate reduction; RFC 6582, which the simulator has, inflates cwnd by duplicate
  ACKs and deflates it at partial ones. What is sent in a recovery differs by a few segments, and so
  do the packets that the later losses of the list fall on. Where slow start has overflowed the
  queue of a long path, both repair one packet a round trip for most of a run; whether a time-out,
  after which everything is sent again, ends that early decides the throughput."""

CUBIC = """\
- **CUBIC.** Where losses are frequent a CUBIC sender behaves as Reno would. In RFC 9438, and in the
  simulator, it then grows by a segment a round trip once it is back where it was before the loss
  (section 4.3, alpha = 1); Linux goes on with 0.53 segments, in whole segments, and gets less. The
  kernel also leaves slow start by HyStart, probes the tail of a flight (TLP) and takes back
  needless time-outs (F-RTO); the simulator has none of the three."""

SLOW_START = """\
- **Slow start against a window.** The kernel lets cwnd grow to twice what is in flight, and half of
  cwnd is ssthresh: where the receive window ends slow start, the first loss leaves in flight what
  there was, and on the paths whose queue overflows it overflows once more. The simulator takes half
  of cwnd or of the window, whichever is less."""

REAL_TIME = """\
- **Real time.** A packet that is late by a millisecond changes which packet is the n-th to pass,
  and with it what the n-th loss hits. Two valid runs of one seed are not the same to the byte."""

DESIGN = """\
The nine paths have every pair of levels of any two of the four factors once: rates of 2, 10 and 50
Mbit/s, round trips of 20, 50 and 200 ms, buffers of 0.5, 1 and 2 bandwidth-delay products (10
packets at least), losses of 0, 0.1 and 1 % (the orthogonal array L9 in place of 81 paths). Where
losses are imposed the receive window does not matter. Where they are not it is what path and
buffer hold, and on the two slower of these paths eight packets more, which overflows the queue:
without that bound slow start would lose half a window, from which NewReno needs a round trip a
packet."""

RTT = """\
RTT is the mean of the sender's own measure: in the simulator of its samples, in the kernel of the
smoothed RTT, read ten times a second."""

VERDICTS = """\
A run is `valid` if less than 0.1 % of its packets were late by more than 200 us or 1 % of the RTT,
and none by more than 10 % of the RTT; `invalid` if the computer lost a packet that the scenario
did not lose, more than 1 % were late, or one by more than an RTT; else `degraded`. Invalid runs are
shown and left out of what is concluded."""
