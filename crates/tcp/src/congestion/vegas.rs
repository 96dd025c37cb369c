//! Vegas: the queue that a flow builds up at the bottleneck is kept between two bounds.
//!
//! Source: Brakmo and Peterson 1995 with the choices of Linux (`net/ipv4/tcp_vegas.c`): cwnd doubles in every round trip of
//! slow start; the smallest RTT of a round trip counts, which delayed ACKs do not distort; with fewer than three RTTs in a
//! round trip it is as Reno; a connection that was idle measures the base RTT anew.
//!
//! Once a round trip: diff = cwnd (RTT - base RTT) / base RTT. What waits in the queue is diff x base RTT / RTT (the paper's
//! diff), a little less: Linux divides by the base RTT.
//!
//! | when | what |
//! |---|---|
//! | slow start, diff > gamma | cwnd = cwnd base RTT / RTT, and a segment; slow start ends |
//! | diff < alpha | a segment more |
//! | diff > beta | a segment less |
//!
//! Deviations: windows are in bytes and diff keeps its fraction, where Linux counts whole segments (there a window falls from
//! five queued segments on, here from more than four). Vegas goes on while duplicate ACKs are too few for a loss, and after a
//! time-out begins again with the first ACK, where Linux is as Reno until all that was out is acknowledged. In slow start cwnd
//! doubles in every round trip, as in Linux; in the paper it does so in every second one.
//!
//! | parameter | value |
//! |---|---|
//! | alpha, beta | diff of 2 and 4 segments |
//! | gamma | diff of 1 segment |

use super::{AckSample, Cause, CongestionAvoidance, CongestionWindow, Phase, Reno, SlowStart};
use crate::options::Options;
use crate::sender::Sender;
use base::Time;

const ALPHA: u64 = 2;
const BETA: u64 = 4;
const GAMMA: u64 = 1;
/// RTTs in a round trip that are too few: all of them may be of delayed ACKs.
const TOO_FEW: u32 = 2;

/// An RTT of nothing would make the queue infinite.
const LEAST_RTT: Time = Time::from_ps(1);

/// Vegas.
#[derive(Clone, Copy, Debug)]
pub struct Vegas {
    reno: Reno,
    /// The smallest RTT since the connection was last idle; [`Time::NEVER`] before the first.
    base_rtt: Time,
    /// The smallest RTT of this round trip, and how many there were.
    min_rtt: Time,
    rtts: u32,
    /// The round trip ends when more than this is acknowledged; none: it begins with the next ACK.
    round_end: Option<u64>,
}

impl Vegas {
    /// With these options, which are Reno's.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        let reno = Reno::new(options);
        Self { reno, base_rtt: Time::NEVER, min_rtt: Time::NEVER, rtts: 0, round_end: None }
    }

    fn begin_round(&mut self, round_end: Option<u64>) {
        (self.min_rtt, self.rtts, self.round_end) = (Time::NEVER, 0, round_end);
    }

    /// A round trip is over.
    fn adjust(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        slow_start: &SlowStart,
        sample: &AckSample,
    ) {
        if self.rtts <= TOO_FEW {
            return self.reno.on_ack(window, sender, slow_start, sample);
        }
        let (cwnd, ssthresh, smss) = (window.cwnd(), window.ssthresh(), sender.smss);
        let queued = scaled(cwnd, self.min_rtt - self.base_rtt, self.base_rtt);
        if cwnd < ssthresh {
            if queued <= GAMMA * smss {
                slow_start.grow(window, sender, sample.delivered);
                return;
            }
            let target = scaled(cwnd, self.base_rtt, self.min_rtt) + smss;
            fall_to(window, smss, cwnd.min(target));
        } else if queued > BETA * smss {
            fall_to(window, smss, cwnd - smss);
        } else if queued < ALPHA * smss {
            window.grow_to(cwnd + smss, sender.max_rwnd);
        }
        // As Linux keeps ssthresh up with a window that has been larger (`tcp_current_ssthresh`).
        let ssthresh = window.ssthresh().max(window.cwnd() / 4 * 3);
        window.set_ssthresh(ssthresh);
    }
}

/// `window` times a quotient of times.
fn scaled(window: u64, times: Time, by: Time) -> u64 {
    (u128::from(window) * u128::from(times.as_ps()) / u128::from(by.as_ps())) as u64
}

/// Two segments are the least.
fn fall_to(window: &mut CongestionWindow, smss: u64, cwnd: u64) {
    let cwnd = cwnd.max(2 * smss);
    let ssthresh = window.ssthresh().min(cwnd);
    window.set_cwnd(cwnd);
    window.set_ssthresh(ssthresh);
}

impl CongestionAvoidance for Vegas {
    fn needs_path_samples(&self) -> bool {
        true
    }

    fn on_sample(&mut self, sample: &AckSample) {
        if sample.phase != Phase::Open {
            return self.begin_round(None);
        }
        let rtt = sample.queue.and_then(|queue| queue.path).and_then(|path| path.rtt);
        if let Some(rtt) = rtt {
            let rtt = rtt.max(LEAST_RTT);
            self.base_rtt = self.base_rtt.min(rtt);
            self.min_rtt = self.min_rtt.min(rtt);
            self.rtts += 1;
        }
    }

    fn on_ack(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        slow_start: &SlowStart,
        sample: &AckSample,
    ) {
        match self.round_end {
            Some(end) if sender.snd_una <= end => {
                if window.cwnd() < window.ssthresh() {
                    slow_start.grow(window, sender, sample.delivered);
                }
            }
            Some(_) => {
                self.adjust(window, sender, slow_start, sample);
                self.begin_round(Some(sender.snd_nxt));
            }
            None => {
                self.begin_round(Some(sender.snd_nxt));
                self.reno.on_ack(window, sender, slow_start, sample);
            }
        }
    }

    fn ssthresh(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> u64 {
        self.begin_round(None);
        // As in Linux, a further time-out for the same data changes nothing (RFC 5681, section 3.1).
        if cause == Cause::RepeatedRto {
            return window.ssthresh();
        }
        self.reno.ssthresh(window, sender, cause)
    }

    fn needs_transmit_start(&self) -> bool {
        true
    }

    /// What was measured before a pause says nothing of the path as it is.
    fn on_transmit_start(&mut self, _: Time) {
        self.base_rtt = Time::NEVER;
        self.begin_round(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::flow::Flow;
    use crate::options::Growth;
    use crate::transmit_queue::{PathSample, QueueSample};

    const SMSS: u64 = 1000;
    const SLOW_START: SlowStart = SlowStart::new(Growth::Bytes { limit: None });

    /// So many segments out of a window of as many, and a threshold.
    fn flow(segments: u64, ssthresh: u64) -> Flow {
        Flow::new(SMSS, segments * SMSS, ssthresh * SMSS, segments * SMSS)
    }

    fn vegas() -> Vegas {
        Vegas::new(&Options::MODERN)
    }

    /// An ACK of a segment, with an RTT of so many milliseconds.
    fn acknowledge(vegas: &mut Vegas, flow: &mut Flow, ms: u64) {
        flow.sender.snd_una += SMSS;
        let path = Some(PathSample { rtt: Some(Time::from_ms(ms)), ..PathSample::default() });
        let queue = QueueSample { path, ..QueueSample::default() };
        let sample = AckSample { queue: Some(&queue), ..AckSample::open(Time::ZERO, SMSS, None) };
        vegas.on_sample(&sample);
        vegas.on_ack(&mut flow.window, &flow.sender, &SLOW_START, &sample);
    }

    /// The window after a round trip with so many RTTs of so many milliseconds, where the base RTT is 100 ms.
    fn after_a_round_trip(mut flow: Flow, rtts: u64, ms: u64) -> Flow {
        let mut vegas = vegas();
        vegas.base_rtt = Time::from_ms(100);
        vegas.begin_round(Some(flow.sender.snd_una + (rtts - 1) * SMSS));
        (0..rtts).for_each(|_| acknowledge(&mut vegas, &mut flow, ms));
        assert_eq!((vegas.round_end, vegas.rtts), (Some(flow.sender.snd_nxt), 0), "the next one has begun");
        flow
    }

    /// Twenty segments over a base RTT of 100 ms: an RTT of 109 ms has 1.8 segments in the queue, one of 110 ms has 2,
    /// one of 120 ms has 4, one of 121 ms has 4.2.
    #[test]
    fn the_queue_is_kept_between_two_and_four_segments() {
        for (ms, segments) in [(100, 21), (109, 21), (110, 20), (120, 20), (121, 19), (300, 19)] {
            let its = after_a_round_trip(flow(20, 2), 5, ms);
            assert_eq!(its.cwnd() / SMSS, segments, "{ms} ms");
            assert_eq!(its.ssthresh(), its.cwnd() / 4 * 3);
        }
    }

    /// Ten segments, and two more from the ACKs before the last; 112 ms: 1.4 wait, more than gamma. cwnd = 12 * 100 / 112 =
    /// 10.714, and one.
    #[test]
    fn slow_start_ends_when_a_segment_waits() {
        let its = after_a_round_trip(flow(10, 1000), 3, 112);
        assert_eq!((its.cwnd(), its.ssthresh()), (10_714 + SMSS, 10_714 + SMSS));
        let its = after_a_round_trip(flow(10, 1000), 3, 108);
        assert_eq!((its.cwnd(), its.ssthresh()), (13 * SMSS, 1000 * SMSS), "0.96 wait");
    }

    /// Two RTTs may both be of delayed ACKs: then it is as Reno, which adds a segment for each window acknowledged.
    #[test]
    fn with_two_rtts_in_a_round_trip_it_is_as_reno() {
        assert_eq!(after_a_round_trip(flow(2, 2), 2, 400).cwnd(), 2 * SMSS, "half a window");
        assert_eq!(after_a_round_trip(flow(20, 30), 2, 400).cwnd(), 22 * SMSS, "slow start");
        assert_eq!(after_a_round_trip(flow(20, 30), 3, 400).cwnd(), 22 * SMSS / 4 + SMSS);
    }

    #[test]
    fn an_ack_in_no_time_is_an_rtt_too() {
        let mut vegas = vegas();
        let mut its = flow(20, 2);
        (0..30).for_each(|_| acknowledge(&mut vegas, &mut its, 0));
        assert_eq!(vegas.base_rtt, LEAST_RTT);
        assert!(its.cwnd() >= 20 * SMSS);
    }

    #[test]
    fn losses_and_pauses_begin_the_measurement_anew() {
        let (mut vegas, mut its) = (vegas(), flow(20, 2));
        acknowledge(&mut vegas, &mut its, 100);
        assert_eq!((vegas.round_end, vegas.base_rtt), (Some(its.sender.snd_nxt), Time::from_ms(100)));
        assert_eq!(vegas.ssthresh(&its.window, &its.sender, Cause::Loss), 10 * SMSS);
        assert_eq!((vegas.round_end, vegas.rtts, vegas.base_rtt), (None, 0, Time::from_ms(100)));
        vegas.on_transmit_start(Time::ZERO);
        assert_eq!(vegas.base_rtt, Time::NEVER);
    }
}
