//! DCTCP: cwnd falls by as much as is marked.
//!
//! Source: RFC 8257 sections 3.3 to 3.5. Alpha estimates which part of the bytes is marked, once in a window of data; the first
//! mark of a window takes half of alpha from cwnd, at once. Growth, losses and time-outs are those of RFC 5681. Without a peer
//! that reports DCTCP's state a mark counts as in RFC 3168.
//!
//! Deviations:
//!
//! - An ACK that reports marks lets cwnd grow in no case (RFC 3168, 6.1.2); in Linux those after the first of a window do.
//! - Linux lets rate reduction bring cwnd down over a round trip; the RFC's one step is taken here.
//! - A loss in a window that marks have reduced already reduces it again (3.5: as if there were no DCTCP).
//!
//! | parameter | value |
//! |---|---|
//! | g | 1/16: weight of the last window in alpha |
//! | alpha at first | 1: the first mark halves cwnd |
//! | ssthresh rounding | what a mark leaves is whole bytes or whole segments; two segments at least |

use super::threshold::threshold;
use super::{
    AckSample, Cause, Congestion, CongestionControl, CongestionWindow, Idle, LossBased, Needs, Phase,
    Reduction, Reno, Sent, Spurious,
};
use crate::options::{Options, SsthreshRounding};
use crate::sender::Sender;

const G: f64 = 1.0 / 16.0;

/// DCTCP.
pub struct Dctcp {
    reno: LossBased<Reno>,
    marking: Marking,
    /// Marks in ACKs up to this number belong to a reduction that was made.
    reduced_until: u64,
    rounding: SsthreshRounding,
}

/// Which part of the bytes is marked.
#[derive(Clone, Copy, Debug)]
struct Marking {
    alpha: f64,
    acked: u64,
    marked: u64,
    /// DCTCP.WindowEnd.
    window_end: u64,
}

impl Marking {
    /// An ACK up to `snd_una` came: the window ends with the first one above its end, and the next ends with what was sent.
    fn on_ack(&mut self, sender: &Sender, acked: u64, marked: u64) {
        self.acked += acked;
        self.marked += marked;
        if sender.snd_una > self.window_end && self.acked > 0 {
            self.alpha += G * (self.marked as f64 / self.acked as f64 - self.alpha);
            (self.acked, self.marked) = (0, 0);
            self.window_end = sender.snd_nxt;
        }
    }
}

impl Dctcp {
    /// With these options.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            reno: LossBased::new(options, Reno::new(options), Reduction::proportional_if(options.prr)),
            marking: Marking { alpha: 1.0, acked: 0, marked: 0, window_end: 0 },
            reduced_until: 0,
            rounding: options.ssthresh_rounding,
        }
    }

    fn reduce(&mut self, window: &mut CongestionWindow, sender: &Sender) {
        let left = window.cwnd() as f64 * (1.0 - self.marking.alpha / 2.0);
        window.set_ssthresh(threshold(left as u64, sender.smss, self.rounding));
        window.set_cwnd(window.ssthresh().min(window.cwnd()));
        self.reduced_until = sender.snd_max;
    }
}

impl CongestionControl for Dctcp {
    fn needs(&self) -> Needs {
        Needs { marks: true, ..self.reno.needs() }
    }

    fn on_syn(&mut self, window: &mut CongestionWindow, initial_window: u64) {
        self.reno.on_syn(window, initial_window);
    }

    fn on_established(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        syn_was_lost: bool,
        sample: &AckSample,
    ) {
        self.marking.window_end = sender.snd_una;
        self.reno.on_established(window, sender, syn_was_lost, sample);
    }

    fn on_ack(&mut self, window: &mut CongestionWindow, sender: &Sender, sample: &AckSample) {
        if sender.reports_marks {
            // What is SACKed does not count (section 3.3, step 1).
            self.marking.on_ack(sender, sample.acked, sample.marked);
        }
        if sample.marked == 0 || sample.phase != Phase::Open {
            self.reno.on_ack(window, sender, sample);
        } else if sender.snd_una > self.reduced_until {
            self.reduce(window, sender);
        }
    }

    fn on_congestion(&mut self, window: &mut CongestionWindow, sender: &Sender, congestion: &Congestion) {
        self.reno.on_congestion(window, sender, congestion);
        if congestion.cause != Cause::Ecn {
            self.reduced_until = sender.snd_max;
        }
    }

    fn on_sent(&mut self, window: &mut CongestionWindow, sender: &Sender, sent: Sent) {
        self.reno.on_sent(window, sender, sent);
    }

    fn on_spurious(&mut self, window: &mut CongestionWindow, sender: &Sender, spurious: &Spurious) {
        self.reno.on_spurious(window, sender, spurious);
    }

    fn on_idle(&mut self, window: &mut CongestionWindow, idle: Idle) {
        self.reno.on_idle(window, idle);
    }

    fn state(&self) -> String {
        format!("alpha {:.4}", self.marking.alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::bottleneck::{Arrival, Bottleneck, Shown, end};
    use crate::congestion::flow::Flow;
    use crate::options::SlowStartKind;
    use base::Time;
    use proptest::prelude::*;

    const SMSS: u64 = 1000;

    fn options() -> Options {
        Options { slow_start: SlowStartKind::Standard, ..Options::MODERN }
    }

    /// A flow in congestion avoidance, which keeps its window in flight.
    struct Its {
        dctcp: Dctcp,
        flow: Flow,
    }

    impl Its {
        fn new(segments: u64) -> Self {
            let mut flow = Flow::new(SMSS, segments * SMSS, 2 * SMSS, segments * SMSS);
            flow.sender.reports_marks = true;
            let mut its = Self { dctcp: Dctcp::new(&options()), flow };
            its.dctcp.marking.window_end = its.flow.sender.snd_una;
            its.fill();
            its
        }

        /// Sends what the window lets out.
        fn fill(&mut self) {
            let Self { dctcp, flow: Flow { window, sender } } = self;
            sender.snd_max = sender.snd_max.max(sender.snd_una + window.cwnd() / SMSS * SMSS);
            sender.snd_nxt = sender.snd_max;
            dctcp.on_sent(window, sender, Sent { now: Time::ZERO, bytes: SMSS, was_idle: false });
        }

        /// An ACK of one more segment.
        fn ack(&mut self, is_marked: bool) {
            let Self { dctcp, flow: Flow { window, sender } } = self;
            sender.snd_una += SMSS;
            let marked = if is_marked { SMSS } else { 0 };
            let sample = AckSample { ece: is_marked, marked, ..AckSample::open(Time::ZERO, SMSS, None) };
            dctcp.on_ack(window, sender, &sample);
            self.fill();
        }

        /// A window of ACKs, of which the first so many are marked.
        fn window(&mut self, marked: u64) {
            let segments = self.flow.sender.flight_size() / SMSS;
            (0..segments).for_each(|n| self.ack(n < marked));
        }
    }

    /// By hand. Alpha is 1. The first ACK ends the first window, which is empty but for it, and is marked: alpha stays 1, and cwnd
    /// falls from 16 to 8 segments. Its other marks change neither. Of the window that was sent then nothing is marked but what
    /// that ACK began: see each step.
    #[test]
    fn alpha_and_cwnd_by_hand() {
        let mut its = Its::new(16);
        its.ack(true);
        assert_eq!((its.dctcp.marking.alpha, its.flow.cwnd()), (1.0, 8 * SMSS), "1 - 1/2");
        (0..3).for_each(|_| its.ack(true));
        assert_eq!((its.dctcp.marking.alpha, its.flow.cwnd()), (1.0, 8 * SMSS), "the same window");
        (0..12).for_each(|_| its.ack(false));
        // Twelve segments acknowledged since the last mark: one more segment in cwnd (RFC 5681, byte counting: 8 of them).
        assert_eq!((its.dctcp.marking.alpha, its.flow.cwnd()), (1.0, 9 * SMSS));
        // 16 of the window are acknowledged but the one that ended the first: 15, of which 3 were marked; this is the 16th.
        its.ack(false);
        let alpha = 15.0 / 16.0 + 3.0 / 16.0 / 16.0;
        assert_eq!(its.dctcp.marking.alpha, alpha);
        // Nothing marked for a window: 15/16 of it are left.
        its.window(0);
        let alpha = alpha * 15.0 / 16.0;
        assert_eq!(its.dctcp.marking.alpha, alpha);
        // The next mark takes half of alpha (0.44) of cwnd.
        let before = its.flow.cwnd();
        its.ack(true);
        let left = (before as f64 * (1.0 - its.dctcp.marking.alpha / 2.0)) as u64;
        assert!(its.flow.cwnd() == left && left < before * 57 / 100, "{before} {left}");
    }

    #[test]
    fn a_window_marked_in_full_is_halved_and_one_marked_little_hardly_falls() {
        for (alpha, left) in [(1.0, 20_000), (0.5, 30_000), (0.1, 38_000), (0.0, 40_000)] {
            let mut its = Its::new(40);
            its.dctcp.marking.alpha = alpha;
            its.dctcp.marking.window_end = u64::MAX;
            its.ack(true);
            assert_eq!((its.flow.cwnd(), its.flow.ssthresh()), (left, left), "{alpha}");
        }
    }

    #[test]
    fn two_segments_stay() {
        let mut its = Its::new(2);
        its.ack(true);
        assert_eq!(its.flow.cwnd(), 2 * SMSS);
    }

    /// A loss halves, and marks of that window change nothing any more. Slow start ends with the first mark.
    #[test]
    fn a_loss_is_as_in_reno_and_a_mark_ends_slow_start() {
        let mut its = Its::new(20);
        its.dctcp.marking.alpha = 0.1;
        let Flow { window, sender } = &mut its.flow;
        let loss = Congestion { cause: Cause::Rto, recover_fs: 20_000, in_recovery: false };
        its.dctcp.on_congestion(window, sender, &loss);
        assert_eq!((window.ssthresh(), window.cwnd()), (10_000, SMSS));
        its.ack(true);
        assert_eq!(its.flow.ssthresh(), 10_000);
        let mut its = Its::new(20);
        its.flow.window.set_ssthresh(1_000_000);
        its.ack(true);
        assert_eq!((its.flow.cwnd(), its.flow.ssthresh()), (10_000, 10_000));
    }

    /// Without DCTCP's feedback it is RFC 3168's halving.
    #[test]
    fn a_classic_echo_halves() {
        let mut its = Its::new(20);
        its.dctcp.marking.alpha = 0.01;
        let Flow { window, sender } = &mut its.flow;
        sender.reports_marks = false;
        let mark = Congestion { cause: Cause::Ecn, recover_fs: 20_000, in_recovery: false };
        its.dctcp.on_congestion(window, sender, &mark);
        assert_eq!(window.ssthresh(), 10_000);
    }

    proptest! {
        /// Whatever is marked: alpha is from 0 to 1, cwnd falls at most once in a window of data, by at most half, and never with
        /// growth in the same ACK.
        #[test]
        fn once_in_a_window(marks in prop::collection::vec(any::<bool>(), 1..600), segments in 2u64..40) {
            let mut its = Its::new(segments);
            let mut fell_until = 0;
            for is_marked in marks {
                let (before, snd_max) = (its.flow.cwnd(), its.flow.sender.snd_max);
                its.ack(is_marked);
                let after = its.flow.cwnd();
                prop_assert!((0.0..=1.0).contains(&its.dctcp.marking.alpha));
                if after < before {
                    prop_assert!(is_marked && its.flow.sender.snd_una > fell_until && 2 * after + 1 >= before);
                    fell_until = snd_max;
                }
                prop_assert!(!is_marked || after <= before);
            }
        }
    }

    /// So many flows through a queue that marks what comes when more than `k` packets are there.
    fn step(flows: usize, gbits: f64, rtt_us: u64, k: usize, of: &str) -> Shown {
        let ends = (0..flows).map(|_| (end(of, |options| options), end(of, |options| options)));
        let marks = |arrival: Arrival| arrival.queue > k;
        let mut path = Bottleneck { rate: Some(gbits * 1e9), rtt: Time::from_us(rtt_us), marks };
        path.run(ends.collect(), Time::from_ms(200), Time::from_ms(600))
    }

    /// Alizadeh 2010, section 3.3: K + N packets at most, and an amplitude of sqrt(2 N (C RTT + K)) / 2, which is 5.3 for two flows
    /// at 1 Gbit/s; figure 13: a median of K. The largest queue counts the packet that finds it.
    #[test]
    fn the_queue_is_that_of_the_paper() {
        for (flows, gbits, k) in [(2, 1.0, 20), (2, 10.0, 65)] {
            let mut shown = step(flows, gbits, 100, k, "dctcp");
            shown.queue.sort_unstable();
            let percentile = |p: usize| shown.queue[(shown.queue.len() - 1) * p / 100];
            assert!(percentile(50).abs_diff(k) <= 5, "{}", percentile(50));
            let (largest, expected) = (percentile(100) as f64, (k + flows) as f64);
            assert!((largest / expected - 1.0).abs() < 0.1, "{largest} and not {expected}");
            assert!(shown.rates.iter().sum::<f64>() > 0.99 * gbits * 1e9, "{:?}", shown.rates);
            if k == 20 {
                assert!((4..=6).contains(&(percentile(95) - percentile(5))), "{shown:?}");
            }
            let share = shown.rates[0] / shown.rates[1];
            assert!((0.8..1.25).contains(&share), "{share}");
        }
    }
}
