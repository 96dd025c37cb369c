//! LEDBAT: a transfer in the background, which keeps the queueing delay at a target and yields to others.
//!
//! Source: RFC 6817, section 2.4.2. From LEDBAT++ (draft-irtf-iccrg-ledbat-plus-plus) comes what the deviations name.
//!
//! | when | what |
//! |---|---|
//! | every ACK | delay = least of the last four - least of the last ten minutes |
//! | | cwnd += GAIN (TARGET - delay) / TARGET x delivered x SMSS / cwnd |
//! | | at most what was in flight and a segment; at least two segments |
//! | slow start, delay > 3/4 TARGET | slow start ends |
//! | loss, mark | cwnd halves, once in a round trip, because a recovery is one reason |
//! | time-out | cwnd is one segment, as with TCP (the RFC's CTO is the RTO here) |
//!
//! Deviations: RTTs stand for one-way delays, as in LEDBAT++. So what waits on the way back counts, too; in return neither
//! the ticks of timestamps nor the peer's clock matter. The RFC has no slow start: here a flow begins with that of TCP, until
//! the delay shows a queue (as in LEDBAT++), and after a time-out grows so up to half of the window. The initial window is
//! that of the plan, where the RFC has two segments. cwnd keeps its fraction.
//!
//! | parameter | value |
//! |---|---|
//! | TARGET | an option; 100 ms, the most that the RFC allows |
//! | GAIN | 1, the most that the RFC allows |
//! | `BASE_HISTORY` | 10 minutes |
//! | `CURRENT_FILTER` | 4 samples, the least of which counts |
//! | `ALLOWED_INCREASE` | 1 segment |
//! | `MIN_CWND` | 2 segments |

use super::{AckSample, Cause, CongestionAvoidance, CongestionWindow, Reno, SlowStart};
use crate::options::Options;
use crate::sender::Sender;
use base::Time;

const GAIN: f64 = 1.0;
const BASE_HISTORY: usize = 10;
const CURRENT_FILTER: usize = 4;
const ALLOWED_INCREASE_SEGMENTS: u64 = 1;
const MIN_CWND_SEGMENTS: u64 = 2;
const MINUTE: Time = Time::from_secs(60);

/// LEDBAT.
#[derive(Clone, Copy, Debug)]
pub struct Ledbat {
    reno: Reno,
    target: Time,
    base: BaseHistory,
    /// The last samples, in a ring; [`Time::NEVER`] where there is none.
    current: [Time; CURRENT_FILTER],
    next: usize,
    /// What cwnd is above whole bytes, and the cwnd that it belongs to.
    fraction: (f64, u64),
}

/// The smallest RTT of each of the last minutes that had one, the newest first; [`Time::NEVER`] where there is none.
#[derive(Clone, Copy, Debug)]
struct BaseHistory {
    minima: [Time; BASE_HISTORY],
    /// Which minute the newest is of.
    minute: u64,
}

impl BaseHistory {
    const EMPTY: Self = Self { minima: [Time::NEVER; BASE_HISTORY], minute: 0 };

    fn add(&mut self, now: Time, rtt: Time) {
        let minute = now.div_floor(MINUTE);
        if minute != self.minute {
            self.minute = minute;
            self.minima.rotate_right(1);
            self.minima[0] = Time::NEVER;
        }
        self.minima[0] = self.minima[0].min(rtt);
    }

    fn least(&self) -> Time {
        self.minima.iter().copied().fold(Time::NEVER, Time::min)
    }
}

impl Ledbat {
    /// With these options: its target, and Reno's for what a loss leaves.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            reno: Reno::new(options),
            target: options.ledbat_target.max(Time::from_ps(1)),
            base: BaseHistory::EMPTY,
            current: [Time::NEVER; CURRENT_FILTER],
            next: 0,
            fraction: (0.0, 0),
        }
    }

    /// How long data wait in the queue, as far as is known; none before the first RTT.
    fn queueing_delay(&self) -> Option<Time> {
        let current = self.current.into_iter().fold(Time::NEVER, Time::min);
        (current < Time::NEVER).then(|| current.saturating_sub(self.base.least()))
    }

    /// Section 2.4.2.
    fn steer(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        delay: Time,
        delivered: u64,
        acked: u64,
    ) {
        let (before, smss) = (window.cwnd(), sender.smss);
        let fraction = if self.fraction.1 == before { self.fraction.0 } else { 0.0 };
        let target = self.target.as_secs_f64();
        let off_target = (target - delay.as_secs_f64()) / target;
        let change = GAIN * off_target * delivered as f64 * smss as f64 / before as f64;
        let most = sender.flight_size() + acked + ALLOWED_INCREASE_SEGMENTS * smss;
        let exact = (before as f64 + fraction + change).min(most as f64);
        let exact = exact.max((MIN_CWND_SEGMENTS * smss) as f64);
        let cwnd = exact as u64;
        if cwnd > before {
            window.grow_to(cwnd, sender.max_rwnd);
        } else {
            window.set_cwnd(cwnd);
        }
        self.fraction = (exact - cwnd as f64, window.cwnd());
        // Slow start is over, however far cwnd falls.
        window.set_ssthresh(window.ssthresh().min(window.cwnd()));
    }
}

impl CongestionAvoidance for Ledbat {
    fn needs_path_samples(&self) -> bool {
        true
    }

    fn on_sample(&mut self, sample: &AckSample) {
        if let Some(rtt) = sample.queue.and_then(|queue| queue.path).and_then(|path| path.rtt) {
            self.base.add(sample.now, rtt);
            self.current[self.next] = rtt;
            self.next = (self.next + 1) % CURRENT_FILTER;
        }
    }

    fn on_ack(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        slow_start: &SlowStart,
        sample: &AckSample,
    ) {
        let delay = self.queueing_delay();
        let is_late =
            delay.is_some_and(|delay| u128::from(delay.as_ps()) * 4 > u128::from(self.target.as_ps()) * 3);
        if window.cwnd() < window.ssthresh() && is_late {
            window.set_ssthresh(window.cwnd());
        }
        let left = slow_start.grow(window, sender, sample.delivered);
        if left > 0 {
            self.steer(window, sender, delay.unwrap_or(Time::ZERO), left, sample.acked);
        }
    }

    fn ssthresh(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> u64 {
        if cause == Cause::RepeatedRto {
            return window.ssthresh();
        }
        self.reno.ssthresh(window, sender, cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::flow::Flow;
    use crate::options::Growth;
    use crate::transmit_queue::{PathSample, QueueSample};
    use proptest::prelude::*;

    const SMSS: u64 = 1000;
    const SLOW_START: SlowStart = SlowStart::new(Growth::Bytes { limit: None });
    const MS: fn(u64) -> Time = Time::from_ms;

    fn ledbat() -> Ledbat {
        Ledbat::new(&Options::MODERN)
    }

    /// So many segments out of a window of as many, and a threshold.
    fn flow(segments: u64, ssthresh: u64) -> Flow {
        Flow::new(SMSS, segments * SMSS, ssthresh * SMSS, segments * SMSS)
    }

    /// An ACK of a segment, with an RTT; another segment goes out.
    fn acknowledge(ledbat: &mut Ledbat, flow: &mut Flow, now: Time, rtt: Time) {
        flow.sender.snd_una += SMSS;
        let path = Some(PathSample { rtt: Some(rtt), ..PathSample::default() });
        let queue = QueueSample { path, ..QueueSample::default() };
        let sample = AckSample { queue: Some(&queue), ..AckSample::open(now, SMSS, None) };
        ledbat.on_sample(&sample);
        ledbat.on_ack(&mut flow.window, &flow.sender, &SLOW_START, &sample);
        flow.sender.snd_max += SMSS;
    }

    /// What an ACK adds to a window of so many segments if the base RTT is 50 ms and four RTTs were this long, bytes.
    fn change(segments: u64, rtt: Time) -> i64 {
        let (mut ledbat, mut its) = (ledbat(), flow(segments, 2));
        ledbat.base.add(Time::ZERO, MS(50));
        ledbat.current = [rtt; CURRENT_FILTER];
        acknowledge(&mut ledbat, &mut its, Time::ZERO, rtt);
        its.cwnd() as i64 - (segments * SMSS) as i64
    }

    /// A hundred segments: an ACK adds ten bytes without a queue, nothing at the target of 100 ms, and takes twenty at three
    /// times the target.
    #[test]
    fn cwnd_grows_in_proportion_to_how_far_the_target_is() {
        let delays = [(50, 10), (100, 5), (150, 0), (250, -10), (350, -20)];
        for (rtt, bytes) in delays {
            assert_eq!(change(100, MS(rtt)), bytes, "{rtt} ms");
        }
    }

    /// Ten thousand segments, and a queue that is a twentieth below the target: an ACK adds 0.005 bytes.
    #[test]
    fn fractions_of_a_byte_add_up() {
        let (mut ledbat, mut its) = (ledbat(), flow(10_000, 2));
        ledbat.base.add(Time::ZERO, MS(50));
        let rtt = MS(150) - Time::from_us(5000);
        ledbat.current = [rtt; CURRENT_FILTER];
        (0..1000).for_each(|_| acknowledge(&mut ledbat, &mut its, Time::ZERO, rtt));
        let grown = its.cwnd() - 10_000 * SMSS;
        assert!((4..=5).contains(&grown), "{grown}: a thousand ACKs");
    }

    #[test]
    fn a_window_that_is_not_filled_does_not_grow() {
        let (mut ledbat, mut its) = (ledbat(), flow(100, 2));
        its.sender.snd_max -= 60 * SMSS;
        acknowledge(&mut ledbat, &mut its, Time::ZERO, MS(50));
        assert_eq!(its.cwnd(), 41 * SMSS, "forty were out, and a segment more is allowed");
    }

    #[test]
    fn two_segments_are_the_least() {
        let (mut ledbat, mut its) = (ledbat(), flow(3, 2));
        ledbat.base.add(Time::ZERO, MS(50));
        (0..20).for_each(|_| acknowledge(&mut ledbat, &mut its, Time::ZERO, MS(500)));
        assert_eq!((its.cwnd(), its.ssthresh()), (2 * SMSS, 2 * SMSS));
    }

    /// One long RTT among four is noise. With 75 ms in the queue it goes on, with more it is over.
    #[test]
    fn slow_start_ends_before_the_queue_has_its_target() {
        let (mut ledbat, mut its) = (ledbat(), flow(10, 1000));
        its.sender.snd_max += 100 * SMSS;
        for (rtt, segments) in [(50, 11), (190, 12), (125, 13), (125, 14), (125, 15), (125, 16)] {
            acknowledge(&mut ledbat, &mut its, Time::ZERO, MS(rtt));
            assert_eq!((its.cwnd(), its.ssthresh()), (segments * SMSS, 1000 * SMSS));
        }
        (0..4).for_each(|_| acknowledge(&mut ledbat, &mut its, Time::ZERO, MS(126)));
        assert_eq!(its.ssthresh(), 19 * SMSS);
        assert!(its.cwnd() < 20 * SMSS);
    }

    /// The base of the first minute counts for ten minutes in which there are samples.
    #[test]
    fn a_base_that_is_ten_minutes_old_is_forgotten() {
        let mut history = BaseHistory::EMPTY;
        history.add(Time::ZERO, MS(50));
        for minute in 1..10 {
            history.add(MINUTE * minute, MS(80 + minute));
            assert_eq!(history.least(), MS(50));
        }
        history.add(MINUTE * 10, MS(200));
        assert_eq!(history.least(), MS(81));
        history.add(MINUTE * 10, MS(20));
        assert_eq!(history.least(), MS(20), "a shorter one counts at once");
    }

    #[test]
    fn a_loss_halves_the_window() {
        let (mut ledbat, its) = (ledbat(), flow(20, 7));
        assert_eq!(ledbat.ssthresh(&its.window, &its.sender, Cause::Loss), 10 * SMSS);
        assert_eq!(ledbat.ssthresh(&its.window, &its.sender, Cause::Ecn), 10 * SMSS);
        assert_eq!(ledbat.ssthresh(&its.window, &its.sender, Cause::Rto), 10 * SMSS);
        assert_eq!(ledbat.ssthresh(&its.window, &its.sender, Cause::RepeatedRto), 7 * SMSS);
    }

    proptest! {
        /// Beside the RFC's formula with real numbers, over any delays: it stays within a byte.
        #[test]
        fn it_follows_the_formula_of_the_rfc(rtts in prop::collection::vec(20u64..400, 1..200)) {
            let (mut ledbat, mut its) = (ledbat(), flow(50, 2));
            its.sender.snd_max += 1_000_000 * SMSS;
            let mut exact = 50_000.0;
            for (at, _) in rtts.iter().enumerate() {
                let base = rtts[..=at].iter().min().unwrap();
                let current = rtts[..=at].iter().rev().take(4).min().unwrap();
                let off_target = (100.0 - (current - base) as f64) / 100.0;
                exact = (exact + off_target * 1_000_000.0 / exact).max(2000.0);
                acknowledge(&mut ledbat, &mut its, Time::ZERO, MS(rtts[at]));
                prop_assert!((its.cwnd() as f64 - exact).abs() < 2.0, "{} for {exact}", its.cwnd());
            }
        }
    }
}
