"""CUBIC (RFC 9438) in real numbers, with standard slow start; times in s, windows in segments."""

C = 0.4  # segments/s^3
BETA = 0.7
STATE = ["w_max", "cwnd_prior", "after_rto", "start", "k", "plateau", "w_est", "segments"]


def cube_root(x):
    """Newton's iteration, which gives the same on every computer."""
    if x <= 0.0:
        return 0.0
    root = max(x, 1.0)
    while True:
        closer = (2.0 * root + x / (root * root)) / 3.0
        if closer >= root:
            return root
        root = closer


class Cubic:
    """cwnd grows with the cube of the time since the last loss."""

    def __init__(self, flow):
        self.flow = flow
        self.mss = flow.mss
        self.w_max = None  # where the cubic has its plateau; none before the first loss
        self.cwnd_prior = 0.0
        self.after_rto = False
        self.start = None  # of this stage of congestion avoidance, ps
        self.last_ack = 0
        self.k = self.plateau = self.w_est = self.segments = 0.0

    def on_ack(self, sample):
        now = round(self.flow.now * 1e12)
        self.last_ack = now
        delivered = sample.delivered
        if self.cwnd < self.ssthresh:
            room = self.ssthresh - self.cwnd
            growth = min(delivered, room)
            self.cwnd = min(self.cwnd + growth, self.flow.max_rwnd)
            delivered -= growth
            if growth < room or delivered == 0:
                return
        self.avoid_congestion(now, delivered / self.mss, sample.srtt or 0.0)

    def avoid_congestion(self, now, acked, srtt):
        if self.start is None or int(self.segments * self.mss) != self.cwnd:
            self.begin(now, self.cwnd / self.mss)
        reno = self.w_est >= self.cwnd_prior
        alpha = 1.0 if reno else 3.0 * (1.0 - BETA) / (1.0 + BETA)
        self.w_est += alpha * acked / self.segments
        t = (now - self.start) * 1e-12
        if self.w_cubic(t) < self.w_est:
            self.segments = max(self.segments, self.w_est)
        else:
            target = min(max(self.w_cubic(t + srtt), self.segments), 1.5 * self.segments)
            self.segments += (target - self.segments) * acked / self.segments
        grown = int(self.segments * self.mss)
        self.cwnd = min(grown, max(self.flow.max_rwnd, self.cwnd))
        if self.cwnd != grown:
            self.segments = self.cwnd / self.mss

    def begin(self, now, cwnd):
        if self.w_max is None or self.after_rto:
            self.w_max = cwnd
        self.after_rto = False
        self.plateau = max(self.w_max, cwnd)
        self.k = cube_root((self.plateau - cwnd) / C)
        self.start, self.w_est, self.segments = now, cwnd, cwnd

    def w_cubic(self, t):
        d = t - self.k
        return C * d * d * d + self.plateau

    def on_congestion(self, cause):
        if cause == "repeated_rto":
            return
        cwnd = self.cwnd / self.mss
        shrinks = self.w_max is not None and cwnd < self.w_max
        self.w_max = cwnd * (1.0 + BETA) / 2.0 if shrinks else cwnd
        self.cwnd_prior = cwnd
        self.after_rto = cause == "rto"
        self.start = None
        left = int(float(min(self.cwnd, self.flow.rwnd)) * BETA)
        self.ssthresh = max(left, 2 * self.mss)

    def on_unlimited(self, now):
        now = round(now * 1e12)
        idle = max(now - self.last_ack, 0)
        self.last_ack = now
        if self.start is not None:
            self.start += idle

    def save(self):
        self.saved = [getattr(self, name) for name in STATE]

    def on_spurious(self, cause):
        if self.cwnd < self.cwnd_prior * self.mss:
            for name, value in zip(STATE, self.saved, strict=True):
                setattr(self, name, value)
        return cause == "loss"
