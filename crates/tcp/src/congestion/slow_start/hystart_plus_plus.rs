//! HyStart++: a longer RTT ends slow start. Slower growth follows ("conservative slow start"), which shows whether the RTT
//! stays longer, and only then congestion avoidance.
//!
//! Source: RFC 9406 section 4.2, with the values of section 4.3. A round is a window of data: it ends when what was sent
//! before its begin is acknowledged.
//!
//! | when | what |
//! |---|---|
//! | 8 RTTs in a round, and the smallest is longer than the last round's by `threshold` | conservative slow start |
//! | there, 8 RTTs in a round, and the smallest is below that of the round that began it | slow start again |
//! | there, the end of the fifth round, the one that began it included | ssthresh = cwnd |
//! | a loss or a mark | what congestion avoidance makes of it; the connection does without HyStart++ from then on |
//!
//! Deviations: it begins with the first RTT that loss detection measures, so that a flavor whose loss detection measures
//! none has the slow start of RFC 5681. RTTs of duplicate ACKs do not count. What the division by 4 leaves counts for the
//! next ACK. After a reduction that was needless it goes on where it was.
//!
//! | parameter | value |
//! |---|---|
//! | threshold | an eighth of the last round's smallest RTT, 4 ms at least and 16 ms at most |
//! | RTTs in a round before they are compared | 8 |
//! | growth in conservative slow start | a quarter of that in slow start |
//! | rounds of it | 5 |
//! | L, segments that an ACK counts for at most | 8; no limit if segments are paced |

use super::super::CongestionWindow;
use crate::sender::Sender;
use base::Time;

const MIN_RTT_THRESH: Time = Time::from_ms(4);
const MAX_RTT_THRESH: Time = Time::from_ms(16);
const MIN_RTT_DIVISOR: u64 = 8;
const N_RTT_SAMPLE: u32 = 8;
const CSS_GROWTH_DIVISOR: u64 = 4;
const CSS_ROUNDS: u32 = 5;
/// L of a sender that does not pace.
const L: u64 = 8;

/// HyStart++.
#[derive(Clone, Copy, Debug)]
pub(super) struct HystartPlusPlus {
    is_paced: bool,
    whole_segments: bool,
    /// The first slow start has ended.
    is_over: bool,
    /// None before the first RTT.
    round: Option<Round>,
    /// `lastRoundMinRTT`; [`Time::NEVER`] if there is none.
    last_min_rtt: Time,
    css: Option<Css>,
    /// What the present ACK lets cwnd grow by in conservative slow start, and four times what earlier ones have left.
    growth: u64,
    left: u64,
}

/// A window of data.
#[derive(Clone, Copy, Debug)]
struct Round {
    /// `windowEnd`.
    end: u64,
    /// `currentRoundMinRTT`; [`Time::NEVER`] if there is none.
    min_rtt: Time,
    rtts: u32,
}

/// Conservative slow start.
#[derive(Clone, Copy, Debug)]
struct Css {
    /// `cssBaselineMinRtt`.
    baseline: Time,
    /// Rounds that have ended.
    rounds: u32,
}

impl Round {
    const fn until(end: u64) -> Self {
        Self { end, min_rtt: Time::NEVER, rtts: 0 }
    }
}

impl HystartPlusPlus {
    pub(super) const fn new(is_paced: bool, whole_segments: bool) -> Self {
        Self {
            is_paced,
            whole_segments,
            is_over: false,
            round: None,
            last_min_rtt: Time::NEVER,
            css: None,
            growth: 0,
            left: 0,
        }
    }

    /// A loss or a mark.
    pub(super) fn on_loss(&mut self) {
        self.is_over = true;
        self.css = None;
    }

    const fn is_on(&self) -> bool {
        !self.is_over && self.round.is_some()
    }

    /// An ACK has delivered so many bytes.
    pub(super) fn count(&mut self, smss: u64, delivered: u64) {
        if !self.is_on() {
            return;
        }
        let counted = if self.is_paced { delivered } else { delivered.min(L * smss) };
        self.growth = counted;
        if self.css.is_some() {
            let unit = if self.whole_segments { smss } else { 1 };
            self.left += counted;
            self.growth = self.left / CSS_GROWTH_DIVISOR / unit * unit;
            self.left -= CSS_GROWTH_DIVISOR * self.growth;
        }
    }

    /// What the ACK that was counted last lets cwnd grow by, of so many bytes.
    pub(super) fn growth(&self, acked: u64) -> u64 {
        if self.is_on() { self.growth.min(acked) } else { acked }
    }

    /// An ACK with this RTT has moved cwnd.
    pub(super) fn after_ack(&mut self, window: &mut CongestionWindow, sender: &Sender, rtt: Option<Time>) {
        if self.is_over {
            return;
        }
        if window.cwnd() >= window.ssthresh() {
            self.on_loss();
            return;
        }
        if let Some(rtt) = rtt {
            let round = self.round.get_or_insert(Round::until(sender.snd_nxt));
            round.min_rtt = round.min_rtt.min(rtt);
            round.rtts += 1;
            if round.rtts >= N_RTT_SAMPLE {
                let min_rtt = round.min_rtt;
                self.compare(min_rtt);
            }
        }
        if self.round.is_some_and(|round| round.end <= sender.snd_una) {
            self.end_round(window, sender.snd_nxt);
        }
    }

    /// Looks whether a queue builds up, by the smallest RTT of this round so far.
    fn compare(&mut self, min_rtt: Time) {
        match self.css {
            Some(css) if min_rtt < css.baseline => self.css = None,
            Some(_) => {}
            None if min_rtt >= self.last_min_rtt.saturating_add(threshold(self.last_min_rtt)) => {
                self.css = Some(Css { baseline: min_rtt, rounds: 0 });
                self.left = 0;
            }
            None => {}
        }
    }

    fn end_round(&mut self, window: &mut CongestionWindow, snd_nxt: u64) {
        self.last_min_rtt = self.round.map_or(Time::NEVER, |round| round.min_rtt);
        self.round = Some(Round::until(snd_nxt));
        if let Some(css) = &mut self.css {
            css.rounds += 1;
            if css.rounds >= CSS_ROUNDS {
                let cwnd = window.cwnd();
                window.set_ssthresh(cwnd);
                self.on_loss();
            }
        }
    }

    /// The round of conservative slow start, from 1 on, if it is on.
    pub(super) const fn conservative_round(&self) -> Option<u32> {
        match self.css {
            Some(css) => Some(css.rounds + 1),
            None => None,
        }
    }
}

/// By how much the smallest RTT of a round has to exceed that of the last one.
fn threshold(last_min_rtt: Time) -> Time {
    Time::from_ps(last_min_rtt.as_ps() / MIN_RTT_DIVISOR).clamp(MIN_RTT_THRESH, MAX_RTT_THRESH)
}

#[cfg(test)]
mod tests {
    use super::super::SlowStart;
    use super::*;
    use crate::congestion::flow::Flow;
    use crate::congestion::{AckSample, Cause};
    use crate::options::{Options, PacingFrom};

    const SMSS: u64 = 1000;
    const MS: fn(u64) -> Time = Time::from_ms;

    /// A sender whose every ACK is for one segment, and lets out as many as cwnd then has room for.
    struct Path {
        slow_start: SlowStart,
        flow: Flow,
        left: u64,
        /// The round ends when this is acknowledged: what had been sent before the ACK that began it.
        end: u64,
    }

    impl Path {
        fn new(segments: u64) -> Self {
            Self::with(&Options::MODERN, segments)
        }

        fn with(options: &Options, segments: u64) -> Self {
            let flow = Flow::new(SMSS, segments * SMSS, u64::MAX, segments * SMSS);
            let end = flow.sender.snd_nxt;
            Self { slow_start: SlowStart::of(options), flow, left: 0, end }
        }

        fn ack(&mut self, segments: u64, rtt: Option<Time>) {
            let Flow { window, sender } = &mut self.flow;
            sender.snd_una += segments * SMSS;
            let sample = AckSample { rtt, ..AckSample::open(Time::ZERO, segments * SMSS, None) };
            self.slow_start.on_ack(window, sender, &sample);
            self.left += self.slow_start.grow(window, sender, sample.delivered);
            self.slow_start.after_ack(window, sender, &sample);
            sender.snd_max = sender.snd_max.max(sender.snd_una + window.cwnd() / SMSS * SMSS);
            sender.snd_nxt = sender.snd_max;
        }

        /// The ACKs of a round, one for each segment, with this RTT; how many there are.
        fn round(&mut self, rtt: Time) -> u64 {
            let mut acks = 0;
            while self.flow.sender.snd_una < self.end {
                let sent = self.flow.sender.snd_nxt;
                self.ack(1, Some(rtt));
                acks += 1;
                if self.flow.sender.snd_una == self.end {
                    self.end = sent;
                    break;
                }
            }
            acks
        }

        fn cwnd(&self) -> u64 {
            self.flow.cwnd() / SMSS
        }

        fn has_ended(&self) -> bool {
            self.flow.ssthresh() < u64::MAX
        }

        fn is_conservative(&self) -> bool {
            self.slow_start.conservative_round().is_some()
        }
    }

    /// The threshold is an eighth of the last round's RTT, 4 ms at least and 16 ms at most: a microsecond less is too little.
    #[test]
    fn conservative_slow_start_begins_at_the_threshold_exactly() {
        for (rtt, threshold) in [(20, 4), (32, 4), (80, 10), (128, 16), (200, 16)] {
            for (us_less, begins) in [(0, true), (1, false)] {
                let mut path = Path::new(10);
                path.round(MS(rtt));
                let longer = MS(rtt + threshold) - Time::from_us(us_less);
                (0..7).for_each(|_| path.ack(1, Some(longer)));
                assert!(!path.is_conservative(), "seven RTTs are too few");
                path.ack(1, Some(longer));
                assert_eq!(path.is_conservative(), begins, "{rtt} ms, {us_less} us less");
            }
        }
    }

    /// Worked by hand: an initial window of ten, ACKs of one segment each. A round is what was sent before the ACK that began
    /// it: after the tenth ACK 28 segments, since 9 ACKs have let out two each.
    #[test]
    fn golden_trace() {
        let mut path = Path::new(10);
        assert_eq!((path.round(MS(100)), path.cwnd()), (10, 20), "each ACK adds a segment");
        // 12.5 ms more would be too many.
        assert_eq!((path.round(MS(112)), path.cwnd()), (18, 38));
        assert!(!path.is_conservative());
        // 28 + 36 = 64 segments were sent by the 27th ACK. 14 ms more than 112, and the eighth RTT shows it: 8 ACKs add 8
        // segments, the other 28 seven.
        (0..8).for_each(|_| path.ack(1, Some(MS(126))));
        assert_eq!((path.cwnd(), path.is_conservative()), (46, true));
        assert_eq!((path.round(MS(126)), path.cwnd()), (28, 53));
        // At the end of a round, cwnd less a quarter of a segment has been sent beyond the last ACK but one: 52, 65, 81 and
        // 101 segments, of which one is the last ACK's. A quarter of the ACKs of each round is added.
        for (acks, cwnd) in [(51, 65_750), (64, 81_750), (80, 101_750)] {
            assert_eq!((path.round(MS(150)), path.flow.cwnd(), path.has_ended()), (acks, cwnd, false));
        }
        assert_eq!(path.round(MS(150)), 100);
        assert_eq!((path.flow.cwnd(), path.flow.ssthresh()), (126_750, 126_750), "five rounds");
        path.ack(1, Some(MS(100)));
        assert_eq!((path.flow.cwnd(), path.left), (126_750, SMSS), "congestion avoidance has the ACKs");
    }

    #[test]
    fn slow_start_goes_on_if_the_rtt_falls_again() {
        let mut path = Path::new(10);
        path.round(MS(100));
        path.round(MS(120));
        assert!(path.is_conservative());
        (0..7).for_each(|_| path.ack(1, Some(MS(119))));
        assert!(path.is_conservative(), "seven RTTs are too few");
        let cwnd = path.flow.cwnd();
        path.ack(1, Some(MS(119)));
        assert!(!path.is_conservative());
        assert_eq!(path.flow.cwnd(), cwnd + SMSS / 4, "of the ACK that shows it");
        path.ack(1, Some(MS(119)));
        assert_eq!(path.flow.cwnd(), cwnd + SMSS / 4 + SMSS);
    }

    #[test]
    fn an_ack_counts_for_eight_segments_unless_they_are_paced() {
        for (pacing, growth) in [(PacingFrom::Off, 8), (PacingFrom::Rate, 12)] {
            let mut path = Path::with(&Options { pacing, ..Options::MODERN }, 20);
            path.ack(1, Some(MS(100)));
            path.ack(12, Some(MS(100)));
            assert_eq!(path.cwnd(), 21 + growth, "{pacing:?}");
        }
    }

    #[test]
    fn without_rtts_it_is_slow_start_as_ever() {
        let mut path = Path::new(20);
        path.ack(12, None);
        assert_eq!(path.cwnd(), 32);
        (0..200).for_each(|_| path.ack(1, None));
        assert_eq!((path.cwnd(), path.has_ended()), (232, false));
    }

    #[test]
    fn a_window_of_whole_segments_grows_by_one_for_four() {
        let mut path = Path::with(&Options { whole_segments: true, ..Options::MODERN }, 10);
        path.round(MS(100));
        path.round(MS(120));
        let cwnd = path.flow.cwnd();
        let grown: Vec<_> = (0..9)
            .map(|_| {
                path.ack(1, Some(MS(120)));
                (path.flow.cwnd() - cwnd) / SMSS
            })
            .collect();
        assert_eq!(path.flow.cwnd() % SMSS, 0);
        assert!(grown.windows(2).all(|pair| pair[1] - pair[0] <= 1), "{grown:?}");
        assert!((2..=3).contains(&grown[8]), "{grown:?}");
    }

    /// RFC 9406, section 4.3: the first slow start alone. One that was needlessly left goes on.
    #[test]
    fn a_loss_ends_it_for_good_unless_it_was_none() {
        let mut path = Path::new(10);
        path.round(MS(100));
        let before = path.slow_start;
        path.slow_start.on_loss(Cause::Loss);
        let mut restored = path.slow_start;
        restored.on_spurious(&before);
        path.round(MS(200));
        path.round(MS(200));
        assert_eq!((path.cwnd(), path.is_conservative()), (20 + 18 + 36, false), "a segment for each ACK");
        let mut path = Path { slow_start: restored, ..Path::new(20) };
        path.round(MS(200));
        assert!(path.is_conservative());
    }
}
