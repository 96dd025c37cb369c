"""Reno (RFC 5681, RFC 3465): an ACK adds what it delivers, then a segment for each window."""


class Reno:
    """Slow start and congestion avoidance by bytes."""

    def __init__(self, flow):
        self.flow = flow
        self.mss = flow.mss
        self.acked = 0  # bytes since cwnd last grew in congestion avoidance

    def on_ack(self, sample):
        delivered = sample.delivered
        if self.cwnd < self.ssthresh:
            growth = min(delivered, self.ssthresh - self.cwnd)
            self.cwnd += growth
            delivered -= growth
            if self.cwnd < self.ssthresh or delivered == 0:
                return
        # The rest counts for congestion avoidance.
        self.acked += delivered
        segments = self.acked // self.cwnd
        self.acked -= segments * self.cwnd
        self.cwnd += segments * self.mss

    def on_congestion(self, cause):
        self.acked = 0
        if cause != "repeated_rto":
            self.ssthresh = max(min(self.cwnd, self.flow.rwnd) // 2, 2 * self.mss)
