//! SACK-based loss recovery with the scoreboard and `pipe` of the RFC.
//!
//! Source: RFC 6675. With `prr` cwnd falls as in RFC 9937 (`congestion/prr.rs`), also when the network marks
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
//! they may serve). cwnd grows by what an ACK newly reports as arrived, not by what earlier SACKs reported.
//! If the peer does not do SACK, a duplicate ACK counts as a SACK of the segment after the first
//! hole, and a partial ACK as the loss of the next one (RFC 6582), as in present-day stacks.
//!
//! | parameter | what |
//! |---|---|
//! | limited transmit | before a recovery, SACKed data make room for new data |
//! | prr | see above |
//! | lost retransmission detection | a retransmission that is lost goes out again (`transmit_queue/retransmissions.rs`), and does not wait for the timer |

use super::{CaState, Feedback, LossDetection, Tally, Transmit, Verdict, next_in_window};
use crate::congestion::Phase;
use crate::options::{DUP_THRESH, Options};
use crate::sender::Sender;
use base::Time;

/// RFC 6675.
#[derive(Clone, Debug)]
pub struct Rfc6675 {
    limited_transmit: bool,
    prr: bool,
    detects_lost_retransmissions: bool,
    state: CaState,
    dup_acks: u32,
    /// Whether both ends do SACK.
    sack: bool,
    /// Without SACK: bytes for which duplicate ACKs came.
    assumed: u64,
    /// What the present ACK SACKed, bytes, until it is taken into account; whether that was something.
    newly_sacked: u64,
    has_sacked: bool,
    /// What the present ACK delivered, bytes, until a reduction takes it into account.
    delivered: u64,
    /// One above the highest sequence number sent when the recovery, or a time-out, began.
    recover: u64,
    /// `RecoverFS` of the last recovery or reduction.
    recover_fs: u64,
    /// One above the highest sequence number sent again in this recovery.
    high_rxt: u64,
    /// `RescueRxt`: once this is acknowledged, this recovery may send the last segment again for
    /// want of anything else.
    rescue_above: Option<u64>,
    /// The segment of the fast retransmit, which goes out whatever `pipe` says.
    fast_retransmit: bool,
}

impl Rfc6675 {
    /// With these parameters.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            limited_transmit: options.limited_transmit,
            prr: options.prr,
            detects_lost_retransmissions: options.lost_retransmission_detection,
            state: CaState::Open,
            dup_acks: 0,
            sack: false,
            assumed: 0,
            newly_sacked: 0,
            has_sacked: false,
            delivered: 0,
            recover: 0,
            recover_fs: 0,
            high_rxt: 0,
            rescue_above: None,
            fast_retransmit: false,
        }
    }

    fn enter(&mut self, sender: &mut Sender) -> Verdict {
        self.recover_fs = sender.flight_size() + self.delivered - sender.queue().sacked();
        self.state = CaState::Recovery;
        self.recover = sender.snd_max;
        self.high_rxt = sender.snd_una;
        sender.queue().forget_retransmissions();
        lose_head(sender);
        let (snd_una, snd_max) = (sender.snd_una, sender.snd_max);
        self.rescue_above = sender.queue().hole(snd_una, snd_max).map(|(_, end)| end);
        self.fast_retransmit = !self.prr;
        Verdict::new(Phase::Entered, self.take_delivered(sender, false))
    }

    /// What the present ACK delivered, and for a reduction what is in the network now.
    fn take_delivered(&mut self, sender: &mut Sender, is_safe: bool) -> u64 {
        let delivered = std::mem::take(&mut self.delivered);
        if self.prr && delivered > 0 {
            let (snd_una, snd_max) = (sender.snd_una, sender.snd_max);
            let pipe = sender.queue().pipe(snd_una, snd_max, self.high_rxt);
            sender.queue().note_pipe(pipe, is_safe);
        }
        delivered
    }

    /// Takes into account what an ACK of `acked` bytes delivered, SACKs included.
    fn acknowledge(&mut self, sender: &mut Sender, acked: u64) {
        let known = if self.sack {
            sender.queue().acked_of_sacked()
        } else {
            // One segment is the hole; the rest ends what duplicate ACKs stood for.
            let known = self.assumed.min(acked.saturating_sub(sender.smss));
            self.assumed -= known;
            self.assume(sender);
            known
        };
        self.delivered = std::mem::take(&mut self.newly_sacked) + acked - known;
    }

    /// Without SACK: counts what duplicate ACKs stand for as SACKed, from the second segment on.
    fn assume(&mut self, sender: &mut Sender) {
        let left = sender.snd_una + sender.smss;
        self.assumed = self.assumed.min(sender.snd_max.saturating_sub(left));
        sender.queue().assume_sacked(left, left + self.assumed);
    }

    fn end(&mut self, sender: &mut Sender) {
        self.state = CaState::Open;
        sender.queue().forget_retransmissions();
        self.dup_acks = 0;
        self.assumed = 0;
        if !self.sack {
            self.assume(sender);
        }
    }

    /// What is lost, whether sent again already or not. True if there is more of it than before.
    fn find_losses(&mut self, sender: &mut Sender) -> bool {
        let (smss, snd_una) = (sender.smss, sender.snd_una);
        let queue = sender.queue();
        let lost = queue.find_losses(smss);
        lost | queue.find_lost_retransmissions(snd_una)
    }

    /// `NextSeg`, section 4; the rules in their order, after what is lost again.
    fn next_segment(&mut self, sender: &mut Sender) -> Option<Transmit> {
        let from = self.high_rxt.max(sender.snd_una);
        let queue = sender.queue();
        let lost = queue.lost_retransmission().or_else(|| queue.lost_hole(from));
        if let Some((seq, end)) = lost {
            return Some(self.retransmit(sender, seq, end));
        }
        if sender.has_new_data() {
            return Some(Transmit::Next(sender.snd_nxt + sender.smss));
        }
        let queue = sender.queue();
        if let Some((seq, end)) = queue.hole(from, queue.highest_sacked()) {
            return Some(self.retransmit(sender, seq, end));
        }
        self.rescue_segment(sender)
    }

    /// Rule 4: once in a recovery, the end of what is out.
    fn rescue_segment(&mut self, sender: &mut Sender) -> Option<Transmit> {
        self.rescue_above.filter(|&above| sender.snd_una >= above)?;
        let snd_max = sender.snd_max;
        let from = snd_max.saturating_sub(sender.smss).max(self.high_rxt).max(sender.snd_una);
        let (seq, end) = sender.queue().hole(from, snd_max)?;
        self.rescue_above = None;
        Some(Transmit::Retransmit { seq, end })
    }

    fn retransmit(&mut self, sender: &mut Sender, seq: u64, end: u64) -> Transmit {
        let end = end.min(seq + sender.smss);
        self.high_rxt = self.high_rxt.max(end);
        if self.sack && self.detects_lost_retransmissions {
            let snd_max = sender.snd_max;
            sender.queue().note_retransmission(seq, end, snd_max);
        }
        Transmit::Retransmit { seq, end }
    }
}

/// Counts the first unacknowledged segment as lost.
fn lose_head(sender: &mut Sender) -> bool {
    let (snd_una, snd_max) = (sender.snd_una, sender.snd_max);
    let queue = sender.queue();
    queue.hole(snd_una, snd_max).is_some_and(|(_, end)| queue.lose_below(end))
}

impl LossDetection for Rfc6675 {
    fn needs_transmit_queue(&self) -> bool {
        true
    }

    fn on_sack(&mut self, _: Time, sender: &mut Sender, _: &Feedback) -> bool {
        self.sack = true;
        self.newly_sacked = sender.queue().newly_sacked();
        self.has_sacked = self.newly_sacked > 0;
        self.has_sacked
    }

    fn on_ack(&mut self, _: Time, sender: &mut Sender, acked: u64) -> Verdict {
        self.acknowledge(sender, acked);
        let mut worse = self.find_losses(sender);
        let delivered = self.delivered;
        match self.state {
            CaState::Open | CaState::Disorder => {
                self.dup_acks = 0;
                Verdict::new(Phase::Open, delivered)
            }
            CaState::Loss => {
                if sender.snd_una >= self.recover {
                    self.end(sender);
                }
                Verdict::new(Phase::Open, delivered)
            }
            CaState::Recovery | CaState::Cwr if sender.snd_una >= self.recover => {
                self.end(sender);
                Verdict::new(Phase::Exit, delivered)
            }
            CaState::Recovery | CaState::Cwr => {
                if self.state == CaState::Recovery && !self.sack {
                    worse |= lose_head(sender);
                }
                Verdict::new(Phase::Recovery, self.take_delivered(sender, !worse || !self.sack))
            }
        }
    }

    fn on_dup_ack(&mut self, _: Time, sender: &mut Sender, _: u64) -> Verdict {
        let in_reduction = matches!(self.state, CaState::Recovery | CaState::Cwr);
        if self.sack && !std::mem::take(&mut self.has_sacked) {
            return Verdict::new(if in_reduction { Phase::Recovery } else { Phase::Open }, 0);
        }
        if self.newly_sacked > 0 {
            self.delivered = std::mem::take(&mut self.newly_sacked);
        }
        if !self.sack {
            self.delivered = sender.smss;
            self.assumed += sender.smss;
            self.assume(sender);
        }
        self.dup_acks += 1;
        self.find_losses(sender);
        let snd_una = sender.snd_una;
        let loss = self.dup_acks >= DUP_THRESH || sender.queue().head_is_lost(snd_una);
        match self.state {
            CaState::Loss => Verdict::new(Phase::Open, 0),
            CaState::Recovery => Verdict::new(Phase::Recovery, self.take_delivered(sender, false)),
            _ if loss => self.enter(sender),
            CaState::Cwr => Verdict::new(Phase::Recovery, self.take_delivered(sender, false)),
            CaState::Open | CaState::Disorder => {
                self.delivered = 0;
                Verdict::new(Phase::Open, 0)
            }
        }
    }

    fn recover_fs(&self, _: &Sender) -> u64 {
        self.recover_fs
    }

    fn on_ecn(&mut self, sender: &mut Sender) {
        // The marked ACK is yet to be looked at; what is left is of the one before.
        self.delivered = 0;
        self.recover_fs = sender.flight_size() - sender.queue().sacked();
        if self.prr {
            self.state = CaState::Cwr;
            self.recover = sender.snd_max;
        }
    }

    fn on_rto(&mut self, _: Time, sender: &mut Sender) -> u64 {
        let (snd_una, snd_max) = (sender.snd_una, sender.snd_max);
        let queue = sender.queue();
        let reneged = queue.hole(snd_una, snd_una + 1).is_none();
        if reneged || !self.sack {
            queue.assume_sacked(0, 0);
        }
        queue.lose_below(snd_max);
        queue.forget_retransmissions();
        self.assumed = 0;
        self.state = CaState::Loss;
        self.recover = snd_max;
        self.high_rxt = snd_una;
        self.dup_acks = 0;
        self.fast_retransmit = false;
        // The holes are known: nothing that has arrived is to be sent again.
        snd_max
    }

    fn next(&mut self, _: Time, sender: &mut Sender, cwnd: u64) -> Option<Transmit> {
        let (snd_una, snd_max) = (sender.snd_una, sender.snd_max);
        // A pacer may have held it back until duplicate ACKs stood for all that is out.
        if std::mem::take(&mut self.fast_retransmit)
            && let Some((seq, end)) = sender.queue().hole(snd_una, snd_max)
        {
            return Some(self.retransmit(sender, seq, end));
        }
        if self.state == CaState::Open && !self.limited_transmit {
            return next_in_window(sender, cwnd, 0);
        }
        let from = self.high_rxt.max(snd_una);
        let recovering = matches!(self.state, CaState::Recovery | CaState::Loss);
        let pipe = sender.queue().pipe(snd_una, snd_max, if recovering { from } else { snd_una });
        let room = cwnd.saturating_sub(pipe);
        if !recovering {
            return (room > 0).then_some(Transmit::Next(sender.snd_nxt + room));
        }
        if room < sender.smss {
            return None;
        }
        if self.state == CaState::Recovery {
            return self.next_segment(sender);
        }
        let recover = self.recover;
        let queue = sender.queue();
        let hole = queue.lost_retransmission().or_else(|| queue.hole(from, recover));
        let hole = hole.map(|(seq, end)| self.retransmit(sender, seq, end));
        hole.or(Some(Transmit::Next(sender.snd_nxt + room)))
    }

    fn state(&self, sender: &Sender) -> CaState {
        let disorder = self.dup_acks > 0 || sender.queue.as_ref().is_some_and(|queue| queue.sacked() > 0);
        if self.state == CaState::Open && disorder { CaState::Disorder } else { self.state }
    }

    fn tally(&self, sender: &Sender) -> Tally {
        let Some(queue) = sender.queue.as_deref() else { return Tally::default() };
        let recovering = matches!(self.state, CaState::Recovery | CaState::Loss);
        let again = if recovering { queue.unsacked(sender.snd_una, self.high_rxt) } else { 0 };
        Tally {
            sacked: queue.sacked(),
            lost: queue.lost(sender.snd_una, sender.snd_max),
            retransmitted: again - queue.lost_again(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transmit_queue::TransmitQueue;

    /// So many segments of 1000 bytes are out.
    fn sender(segments: u64) -> Sender {
        let queue = Some(Box::new(TransmitQueue::new(false)));
        let mut sender = Sender::new(1000, queue);
        sender.snd_una = 1;
        for n in 1..=segments {
            sender.snd_max = 1 + 1000 * n;
            let flight_size = sender.flight_size();
            sender.queue().on_sent(Time::ZERO, 1000 * n - 999, 1000 * n + 1, flight_size);
        }
        sender.snd_nxt = sender.snd_max;
        sender
    }

    /// What an ACK acknowledged before the mark was seen is no longer in flight.
    #[test]
    fn a_reduction_begins_with_what_is_in_flight() {
        let mut loss = Rfc6675::new(&Options::MODERN);
        let mut sender = sender(26);
        sender.snd_una = 6001;
        sender.queue().acknowledge(6001);
        assert_eq!(loss.on_ack(Time::ZERO, &mut sender, 6000).phase, Phase::Open);
        loss.on_ecn(&mut sender);
        assert_eq!((loss.recover_fs(&sender), loss.state(&sender)), (20_000, CaState::Cwr));
    }
}
