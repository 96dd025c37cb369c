//! Westwood+: a loss leaves what the path has carried in its smallest RTT.
//!
//! Source: Grieco and Mascolo 2004 with the choices of Linux (`net/ipv4/tcp_westwood.c`): the estimate begins with its first
//! sample; a time-out lets the smallest RTT begin anew; without an estimate a loss leaves two segments. cwnd grows as with
//! Reno.
//!
//! | when | what |
//! |---|---|
//! | an ACK, max(last RTT, 50 ms) after the last sample | sample: what was delivered before this ACK, by time |
//! | every sample | first = 7/8 first + 1/8 sample; estimate = 7/8 estimate + 1/8 first |
//! | loss, mark | ssthresh = estimate x smallest RTT, at most cwnd |
//! | time-out | the same without that limit; cwnd is one segment, as ever |
//!
//! Deviations: bytes count when they are delivered, as SACK says, where Linux estimates from duplicate ACKs how many
//! segments left. ssthresh is the estimate from the beginning of a recovery on (as in the paper), where Linux first halves the
//! window and takes the estimate at the end. It is not above cwnd, because a recovery ends with cwnd at ssthresh, and a loss
//! is no reason to send more. Times are exact, where Linux counts ticks of its clock.
//!
//! | parameter | value |
//! |---|---|
//! | shortest sample | 50 ms |
//! | filters | two, with a weight of 7/8 each |

use super::{AckSample, Cause, CongestionAvoidance, CongestionWindow, Reno, SlowStart};
use crate::options::Options;
use crate::sender::Sender;
use base::Time;

const SHORTEST_SAMPLE: Time = Time::from_ms(50);
const LEAST_SEGMENTS: u64 = 2;
const PS_PER_SECOND: u128 = 1_000_000_000_000;

/// Westwood+.
#[derive(Clone, Copy, Debug)]
pub struct Westwood {
    reno: Reno,
    /// When the present sample began; none before anything was sent.
    sample_start: Option<Time>,
    /// Delivered since then, bytes.
    delivered: u64,
    /// What the two filters give, bytes per second; none before the first sample.
    bandwidth: Option<Bandwidth>,
    /// The last RTT, and the smallest one since the last time-out.
    rtts: Option<(Time, Time)>,
    /// The next ACK lets the smallest RTT begin anew.
    forgets_min_rtt: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bandwidth {
    first: u64,
    estimate: u64,
}

impl Bandwidth {
    fn add(filtered: Option<Self>, sample: u64) -> Self {
        let Some(Self { first, estimate }) = filtered else {
            return Self { first: sample, estimate: sample };
        };
        let first = (7 * first + sample) / 8;
        Self { first, estimate: (7 * estimate + first) / 8 }
    }
}

impl Westwood {
    /// With these options, which are Reno's.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            reno: Reno::new(options),
            sample_start: None,
            delivered: 0,
            bandwidth: None,
            rtts: None,
            forgets_min_rtt: false,
        }
    }

    /// Ends the present sample if it is long enough.
    fn sample_bandwidth(&mut self, now: Time) {
        let (Some(start), Some((last, _))) = (self.sample_start, self.rtts) else { return };
        let time = now - start;
        if time > last.max(SHORTEST_SAMPLE) {
            let sample = u128::from(self.delivered) * PS_PER_SECOND / u128::from(time.as_ps());
            self.bandwidth = Some(Bandwidth::add(self.bandwidth, sample as u64));
            (self.sample_start, self.delivered) = (Some(now), 0);
        }
    }

    /// What the path carries in its smallest RTT, bytes.
    fn bandwidth_delay_product(&self, smss: u64) -> u64 {
        let estimate = self.bandwidth.map_or(0, |bandwidth| bandwidth.estimate);
        let min_rtt = self.rtts.map_or(Time::ZERO, |(_, smallest)| smallest);
        let bytes = u128::from(estimate) * u128::from(min_rtt.as_ps()) / PS_PER_SECOND;
        (bytes as u64).max(LEAST_SEGMENTS * smss)
    }
}

impl CongestionAvoidance for Westwood {
    fn needs_path_samples(&self) -> bool {
        true
    }

    fn on_sample(&mut self, sample: &AckSample) {
        if let Some(rtt) = sample.queue.and_then(|queue| queue.path).and_then(|path| path.rtt) {
            let smallest = self.rtts.map_or(rtt, |(_, smallest)| smallest);
            self.rtts = Some((rtt, smallest));
        }
        self.sample_bandwidth(sample.now);
        self.delivered += sample.delivered;
        let forgets = std::mem::take(&mut self.forgets_min_rtt);
        self.rtts = self.rtts.map(|(last, smallest)| (last, if forgets { last } else { smallest.min(last) }));
    }

    fn on_ack(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        slow_start: &SlowStart,
        sample: &AckSample,
    ) {
        self.reno.on_ack(window, sender, slow_start, sample);
    }

    fn ssthresh(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> u64 {
        // As in Linux, a further time-out for the same data changes nothing (RFC 5681, section 3.1).
        if cause == Cause::RepeatedRto {
            return window.ssthresh();
        }
        let left = self.bandwidth_delay_product(sender.smss);
        if cause == Cause::Rto {
            self.forgets_min_rtt = true;
            return left;
        }
        left.min(window.cwnd()).max(LEAST_SEGMENTS * sender.smss)
    }

    fn needs_transmit_start(&self) -> bool {
        true
    }

    fn on_transmit_start(&mut self, now: Time) {
        self.sample_start.get_or_insert(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::flow::Flow;
    use crate::options::Growth;
    use crate::transmit_queue::{PathSample, QueueSample};

    const SMSS: u64 = 1000;
    const MS: fn(u64) -> Time = Time::from_ms;

    fn westwood() -> Westwood {
        let mut westwood = Westwood::new(&Options::MODERN);
        westwood.on_transmit_start(Time::ZERO);
        westwood
    }

    /// An ACK that delivers so many segments, with an RTT.
    fn acknowledge(westwood: &mut Westwood, now: Time, segments: u64, rtt: Time) {
        let path = Some(PathSample { rtt: Some(rtt), ..PathSample::default() });
        let queue = QueueSample { path, ..QueueSample::default() };
        let sample = AckSample { queue: Some(&queue), ..AckSample::open(now, segments * SMSS, None) };
        westwood.on_sample(&sample);
    }

    fn ssthresh(westwood: &mut Westwood, cwnd: u64, cause: Cause) -> u64 {
        let flow = Flow::new(SMSS, cwnd * SMSS, 7 * SMSS, cwnd * SMSS);
        westwood.ssthresh(&flow.window, &flow.sender, cause)
    }

    /// A segment a millisecond and RTTs of 40 ms: a sample ends with the first ACK after more than 50 ms. It does not count that
    /// ACK: 50 segments in 51 ms. The next begins with that ACK's segment: 51 in 51 ms.
    #[test]
    fn short_paths_are_sampled_every_50_ms() {
        let mut westwood = westwood();
        (1..=50).for_each(|ms| acknowledge(&mut westwood, MS(ms), 1, MS(40)));
        assert_eq!(westwood.bandwidth, None);
        acknowledge(&mut westwood, MS(51), 1, MS(40));
        let first = 50_000 * 1000 / 51;
        assert_eq!(westwood.bandwidth, Some(Bandwidth { first, estimate: first }));
        (52..=102).for_each(|ms| acknowledge(&mut westwood, MS(ms), 1, MS(40)));
        let second = (7 * first + 1_000_000) / 8;
        assert_eq!(westwood.bandwidth, Some(Bandwidth { first: second, estimate: (7 * first + second) / 8 }));
    }

    #[test]
    fn long_paths_are_sampled_once_an_rtt() {
        let mut westwood = westwood();
        acknowledge(&mut westwood, MS(200), 10, MS(200));
        assert_eq!(westwood.bandwidth, None);
        acknowledge(&mut westwood, MS(201), 10, MS(200));
        assert_eq!(westwood.bandwidth.unwrap().estimate, 10_000 * 1000 / 201);
        acknowledge(&mut westwood, MS(401), 10, MS(200));
        assert_eq!(westwood.delivered, 20_000, "not yet more than an RTT");
    }

    /// A path that carries a segment a millisecond, whose RTT was 100 ms at first: a loss leaves 100 segments, however long the
    /// queue has become.
    #[test]
    fn a_loss_leaves_what_the_path_holds_without_a_queue() {
        let mut westwood = westwood();
        acknowledge(&mut westwood, Time::ZERO, 0, MS(100));
        (1..10_000).for_each(|ms| acknowledge(&mut westwood, MS(ms), 1, MS(150)));
        let left = ssthresh(&mut westwood, 150, Cause::Loss);
        assert!((98_000..=100_000).contains(&left), "{left}");
        assert_eq!(ssthresh(&mut westwood, 150, Cause::Ecn), left);
        assert_eq!(ssthresh(&mut westwood, 40, Cause::Loss), 40 * SMSS, "no more than cwnd");
        assert_eq!(
            ssthresh(&mut westwood, 40, Cause::Rto),
            left,
            "a time-out leaves cwnd one segment anyway"
        );
        assert_eq!(ssthresh(&mut westwood, 40, Cause::RepeatedRto), 7 * SMSS, "as it was");
    }

    #[test]
    fn a_time_out_lets_the_smallest_rtt_begin_anew() {
        let mut westwood = westwood();
        acknowledge(&mut westwood, MS(1), 1, MS(100));
        acknowledge(&mut westwood, MS(2), 1, MS(150));
        assert_eq!(westwood.rtts, Some((MS(150), MS(100))));
        ssthresh(&mut westwood, 40, Cause::Rto);
        acknowledge(&mut westwood, MS(3), 1, MS(140));
        assert_eq!(westwood.rtts, Some((MS(140), MS(140))));
    }

    #[test]
    fn without_an_estimate_a_loss_leaves_two_segments() {
        assert_eq!(ssthresh(&mut westwood(), 40, Cause::Loss), 2 * SMSS);
    }

    #[test]
    fn it_grows_as_reno() {
        let mut its = Flow::new(SMSS, 10 * SMSS, 5 * SMSS, 10 * SMSS);
        let slow_start = SlowStart::new(Growth::Bytes { limit: None });
        let mut westwood = westwood();
        for _ in 0..10 {
            let sample = AckSample::open(Time::ZERO, SMSS, None);
            westwood.on_ack(&mut its.window, &its.sender, &slow_start, &sample);
        }
        assert_eq!(its.cwnd(), 11 * SMSS);
    }
}
