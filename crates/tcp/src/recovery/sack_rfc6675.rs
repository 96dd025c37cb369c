//! SACK-based loss recovery with the scoreboard and `pipe` of the RFC.
//!
//! Source: RFC 6675. With `prr` cwnd falls as in RFC 9937 (`prr.rs`), also when the network marks
//! packets; without, it is ssthresh at once.
//!
//! | event | what |
//! |---|---|
//! | 3rd duplicate ACK, or the first segment `IsLost` | recovery begins, the first segment goes out again |
//! | each ACK | `pipe` anew from the scoreboard; while it leaves a segment of cwnd, `NextSeg` |
//! | ACK of `recover` | recovery ends, cwnd = ssthresh |
//! | time-out | everything not SACKed is lost and goes out again in slow start, then new data |
//!
//! Deviations: SACKed ranges outlive a time-out unless the first segment is among them, which
//! means that the receiver has taken them back (RFC 2018 clears them always; section 5.1 says that
//! they may serve). cwnd grows by what an ACK tells to have arrived, not by what earlier SACKs told.
//! If the peer does not do SACK, a duplicate ACK counts as a SACK of the segment after the first
//! hole, and a partial ACK as the loss of the next one (RFC 6582), as in present-day stacks.
//!
//! | parameter | what |
//! |---|---|
//! | limited transmit | before a recovery, SACKed data make room for new data |
//! | prr | see above |
//! | lost retransmission detection | a retransmission that is lost goes out again (`resent.rs`), and does not wait for the timer |

use super::prr::{Delivery, Prr};
use super::resent::Resent;
use super::scoreboard::Scoreboard;
use super::{CaState, DUP_THRESH, LossRecovery, Tally, Timer, Transmit, next_in_window};
use crate::config::Options;
use crate::congestion::{Ack, Cause, CongestionControl};
use crate::window::Window;

/// RFC 6675.
#[derive(Clone, Debug)]
pub struct SackRfc6675 {
    limited_transmit: bool,
    with_prr: bool,
    detects_lost_again: bool,
    board: Scoreboard,
    state: CaState,
    dup_acks: u32,
    /// Whether both ends do SACK.
    sack: bool,
    /// Without SACK: bytes for which duplicate ACKs came.
    assumed: u64,
    /// What the present ACK SACKed, bytes, until it is taken into account; whether that was something.
    newly_sacked: u64,
    sacked_news: bool,
    /// What the present ACK delivered, bytes, until a reduction takes it into account.
    delivered: u64,
    /// One above the highest sequence number sent when the recovery, or a time-out, began.
    recover: u64,
    /// One above the highest sequence number sent again in this recovery.
    high_rxt: u64,
    /// `RescueRxt`: once this is acknowledged, this recovery may send the last segment again for
    /// want of anything else.
    rescue_above: Option<u64>,
    /// The segment of the fast retransmit, which goes out whatever `pipe` says.
    retransmit: bool,
    prr: Option<Prr>,
    resent: Resent,
}

impl SackRfc6675 {
    /// With these parameters.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            limited_transmit: options.limited_transmit,
            with_prr: options.prr,
            detects_lost_again: options.lost_retransmission_detection,
            board: Scoreboard::default(),
            state: CaState::Open,
            dup_acks: 0,
            sack: false,
            assumed: 0,
            newly_sacked: 0,
            sacked_news: false,
            delivered: 0,
            recover: 0,
            high_rxt: 0,
            rescue_above: None,
            retransmit: false,
            prr: None,
            resent: Resent::default(),
        }
    }

    fn begin_reduction(&mut self, window: &mut Window, cause: Cause, congestion: &mut dyn CongestionControl) {
        window.ssthresh = congestion.ssthresh(window, cause);
        let recover_fs = window.flight_size() + self.delivered - self.board.sacked();
        self.prr = self.with_prr.then(|| Prr::new(recover_fs));
    }

    fn enter(&mut self, window: &mut Window, congestion: &mut dyn CongestionControl) {
        // Marks have begun a reduction already; it serves for the losses of the same window too.
        if self.state != CaState::Cwr {
            self.begin_reduction(window, Cause::FastRetransmit, congestion);
        }
        self.state = CaState::Recovery;
        self.recover = window.snd_max;
        self.high_rxt = window.snd_una;
        self.resent = Resent::default();
        self.lose_head(window);
        self.rescue_above = self.board.hole(window.snd_una, window.snd_max).map(|(_, end)| end);
        if self.prr.is_some() {
            self.reduce(window, false);
        } else {
            window.cwnd = window.ssthresh;
            self.retransmit = true;
        }
    }

    /// Counts the first unacknowledged segment as lost.
    fn lose_head(&mut self, window: &Window) -> bool {
        let head = self.board.hole(window.snd_una, window.snd_max);
        head.is_some_and(|(_, end)| self.board.lose_below(end))
    }

    /// Proportional rate reduction on an ACK.
    fn reduce(&mut self, window: &mut Window, safe: bool) {
        let delivered = std::mem::take(&mut self.delivered);
        let Some(prr) = self.prr.as_mut().filter(|_| delivered > 0) else { return };
        let pipe = self.board.pipe(window, self.high_rxt) - self.resent.lost(&self.board);
        let cwnd = prr.on_ack(window.ssthresh, window.smss, Delivery { delivered, pipe, safe });
        window.cwnd = cwnd.max(window.smss);
    }

    /// What an ACK of `acked` bytes delivered, SACKs included.
    fn acknowledge(&mut self, window: &Window, acked: u64) {
        let sacked = self.board.sacked();
        self.board.acknowledge(window.snd_una);
        let known = if self.sack {
            sacked - self.board.sacked()
        } else {
            // One segment is the hole; the rest ends what duplicate ACKs stood for.
            let known = self.assumed.min(acked.saturating_sub(window.smss));
            self.assumed -= known;
            self.assume(window);
            known
        };
        self.delivered = std::mem::take(&mut self.newly_sacked) + acked - known;
    }

    fn assume(&mut self, window: &Window) {
        let left = window.snd_una + window.smss;
        self.assumed = self.assumed.min(window.snd_max.saturating_sub(left));
        self.board.assume_sacked(left, left + self.assumed);
    }

    fn end(&mut self, window: &mut Window) {
        if self.state != CaState::Loss {
            window.cwnd = window.ssthresh;
        }
        self.state = CaState::Open;
        self.prr = None;
        self.resent = Resent::default();
        self.dup_acks = 0;
        self.assumed = 0;
        if !self.sack {
            self.assume(window);
        }
    }

    /// What is lost, whether sent again already or not. True if there is more of it than before.
    fn find_losses(&mut self, window: &Window) -> bool {
        let lost = self.board.find_losses(window.smss);
        lost | self.resent.find_losses(&self.board, window.snd_una)
    }

    /// `NextSeg`, section 4; the rules in their order, after what is lost again.
    fn next_segment(&mut self, window: &Window) -> Option<Transmit> {
        let from = self.high_rxt.max(window.snd_una);
        let lost = self.resent.lost_hole(&self.board).or_else(|| self.board.lost_hole(from));
        if let Some((seq, end)) = lost {
            return Some(self.again(window, seq, end));
        }
        if window.has_new_data() {
            return Some(Transmit::UpTo(window.snd_nxt + window.smss));
        }
        if let Some((seq, end)) = self.board.hole(from, self.board.highest()) {
            return Some(self.again(window, seq, end));
        }
        self.rescue_segment(window)
    }

    /// Rule 4: once in a recovery, the end of what is out.
    fn rescue_segment(&mut self, window: &Window) -> Option<Transmit> {
        self.rescue_above.filter(|&above| window.snd_una >= above)?;
        let from = window.snd_max.saturating_sub(window.smss).max(self.high_rxt).max(window.snd_una);
        let (seq, end) = self.board.hole(from, window.snd_max)?;
        self.rescue_above = None;
        Some(Transmit::Again { seq, end })
    }

    fn again(&mut self, window: &Window, seq: u64, end: u64) -> Transmit {
        let end = end.min(seq + window.smss);
        self.high_rxt = self.high_rxt.max(end);
        if self.sack && self.detects_lost_again {
            self.resent.on_sent(seq, end, window.snd_max);
        }
        Transmit::Again { seq, end }
    }
}

impl LossRecovery for SackRfc6675 {
    fn on_sack(&mut self, window: &Window, blocks: &[(u64, u64)]) -> bool {
        self.sack = true;
        self.newly_sacked = self.board.sack(window, blocks);
        self.resent.on_sack(&self.board, blocks, window.snd_una);
        self.sacked_news = self.newly_sacked > 0;
        self.sacked_news
    }

    fn on_ack(&mut self, window: &mut Window, ack: &Ack, congestion: &mut dyn CongestionControl) -> Timer {
        self.acknowledge(window, ack.acked);
        let mut worse = self.find_losses(window);
        match self.state {
            CaState::Open | CaState::Disorder => {
                self.dup_acks = 0;
                congestion.on_ack(window, &Ack { acked: self.delivered, ..*ack });
            }
            CaState::Loss => {
                congestion.on_ack(window, &Ack { acked: self.delivered, ..*ack });
                if window.snd_una >= self.recover {
                    self.end(window);
                }
            }
            _ if window.snd_una >= self.recover => self.end(window),
            CaState::Recovery | CaState::Cwr => {
                if self.state == CaState::Recovery && !self.sack {
                    worse |= self.lose_head(window);
                }
                self.reduce(window, !worse || !self.sack);
            }
        }
        Timer::Restart
    }

    fn on_dup_ack(&mut self, window: &mut Window, congestion: &mut dyn CongestionControl) -> bool {
        if self.sack && !std::mem::take(&mut self.sacked_news) {
            return false;
        }
        if self.newly_sacked > 0 {
            self.delivered = std::mem::take(&mut self.newly_sacked);
        }
        if !self.sack {
            self.delivered = window.smss;
            self.assumed += window.smss;
            self.assume(window);
        }
        self.dup_acks += 1;
        self.find_losses(window);
        let loss = self.dup_acks >= DUP_THRESH || self.board.head_is_lost(window);
        match self.state {
            CaState::Loss => {}
            CaState::Recovery => self.reduce(window, false),
            _ if loss => {
                self.enter(window, congestion);
                return true;
            }
            _ => self.reduce(window, false),
        }
        false
    }

    fn on_ecn(&mut self, window: &mut Window, congestion: &mut dyn CongestionControl) {
        // The marked ACK is yet to be looked at; what is left is of the one before.
        self.delivered = 0;
        self.begin_reduction(window, Cause::Ecn, congestion);
        if self.with_prr {
            self.state = CaState::Cwr;
            self.recover = window.snd_max;
        } else {
            window.cwnd = window.ssthresh;
        }
    }

    fn on_rto(&mut self, window: &mut Window) {
        let reneged = self.board.hole(window.snd_una, window.snd_una + 1).is_none();
        if reneged || !self.sack {
            self.board.assume_sacked(0, 0);
        }
        self.assumed = 0;
        self.board.lose_below(window.snd_max);
        self.state = CaState::Loss;
        self.recover = window.snd_max;
        self.high_rxt = window.snd_una;
        self.dup_acks = 0;
        self.retransmit = false;
        self.prr = None;
        self.resent = Resent::default();
        // The holes are known: nothing that has arrived is to be sent again.
        window.snd_nxt = window.snd_max;
    }

    fn next(&mut self, window: &Window) -> Option<Transmit> {
        if std::mem::take(&mut self.retransmit) {
            let (seq, end) = self.board.hole(window.snd_una, window.snd_max)?;
            return Some(self.again(window, seq, end));
        }
        if self.state == CaState::Open && !self.limited_transmit {
            return next_in_window(window, 0);
        }
        let again = self.high_rxt.max(window.snd_una);
        let recovering = matches!(self.state, CaState::Recovery | CaState::Loss);
        let pipe = self.board.pipe(window, if recovering { again } else { window.snd_una });
        let pipe = pipe - self.resent.lost(&self.board);
        let room = window.cwnd.saturating_sub(pipe);
        if !recovering {
            return (room > 0).then_some(Transmit::UpTo(window.snd_nxt + room));
        }
        if room < window.smss {
            return None;
        }
        if self.state == CaState::Recovery {
            return self.next_segment(window);
        }
        let hole = self.resent.lost_hole(&self.board).or_else(|| self.board.hole(again, self.recover));
        let again = hole.map(|(seq, end)| self.again(window, seq, end));
        again.or(Some(Transmit::UpTo(window.snd_nxt + room)))
    }

    fn on_sent(&mut self, _: &Window, seq: u64, end: u64) {
        self.board.on_sent(end);
        if let Some(prr) = &mut self.prr {
            prr.on_sent(end - seq);
        }
    }

    fn state(&self) -> CaState {
        let disorder = self.dup_acks > 0 || self.board.sacked() > 0;
        if self.state == CaState::Open && disorder { CaState::Disorder } else { self.state }
    }

    fn tally(&self, window: &Window) -> Tally {
        let recovering = matches!(self.state, CaState::Recovery | CaState::Loss);
        let again = if recovering { self.board.unsacked(window.snd_una, self.high_rxt) } else { 0 };
        Tally {
            sacked: self.board.sacked(),
            lost: self.board.lost(window),
            retransmitted: again - self.resent.lost(&self.board),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::congestion::Cubic;
    use crate::flavor::Flavor;
    use base::Time;

    /// Twenty segments out, ssthresh 14: three ACKs let out ceil(3 * 14 / 20) = 3 segments, whatever
    /// the ACK before the mark acknowledged.
    #[test]
    fn a_mark_reduces_in_proportion_to_what_is_out() {
        let config = Config::preset(Flavor::named("cubic").unwrap());
        let mut cubic = Cubic::new(&config);
        let mut recovery = SackRfc6675::new(&config.options);
        let (segments, rwnd) = (|n: u64| 1 + 1000 * n, 1 << 30);
        let mut window = Window {
            smss: 1000,
            snd_una: segments(0),
            snd_nxt: segments(26),
            snd_max: segments(26),
            cwnd: 20_000,
            ssthresh: 5000,
            rwnd,
            max_rwnd: rwnd,
            cwnd_limited: false,
            ..Window::default()
        };
        let mut acknowledge = |recovery: &mut SackRfc6675, window: &mut Window, n: u64| {
            window.snd_una += 1000 * n;
            let ack = Ack { acked: 1000 * n, now: Time::ZERO, srtt: None };
            recovery.on_ack(window, &ack, &mut cubic);
        };
        acknowledge(&mut recovery, &mut window, 6);
        recovery.on_ecn(&mut window, &mut Cubic::new(&config));
        assert_eq!((window.ssthresh, recovery.state()), (14_000, CaState::Cwr));
        let mut sent = 0;
        for _ in 0..3 {
            acknowledge(&mut recovery, &mut window, 1);
            while window.flight_size() + 1000 <= window.cwnd {
                let seq = window.snd_max;
                window.snd_max += 1000;
                window.snd_nxt = window.snd_max;
                recovery.on_sent(&window, seq, window.snd_max);
                sent += 1;
            }
        }
        assert_eq!(sent, 3);
    }
}
