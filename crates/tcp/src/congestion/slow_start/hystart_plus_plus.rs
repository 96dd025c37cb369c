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

    /// The smallest RTT of this round so far tells whether a queue builds up.
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

    pub(super) fn state(&self) -> String {
        self.css.map_or_else(String::new, |css| format!("conservative slow start, round {}", css.rounds + 1))
    }
}

/// By how much the smallest RTT of a round has to exceed that of the last one.
fn threshold(last_min_rtt: Time) -> Time {
    Time::from_ps(last_min_rtt.as_ps() / MIN_RTT_DIVISOR).clamp(MIN_RTT_THRESH, MAX_RTT_THRESH)
}
