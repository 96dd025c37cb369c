//! Loss detection by time: a segment is lost if one that was sent well after it has arrived.
//!
//! Source: RFC 8985 (RACK-TLP). It replaces the count of duplicate ACKs, judges retransmissions by the same rule, and sends
//! a probe when the last segments of a flight may be lost.
//!
//! | part | file |
//! |---|---|
//! | what left when, what is lost | `transmit_queue/departures.rs` |
//! | how late a segment may be | `reordering.rs` |
//! | probes of a tail | `probe.rs` |
//! | needless reductions: Eifel, duplicates, F-RTO | `spurious.rs` |
//! | without SACK | `without_sack.rs` |
//!
//! | event | what |
//! |---|---|
//! | something is found to be lost | recovery begins, the first lost segment goes out again whatever cwnd is |
//! | each ACK | lost segments and then new data go out as far as `pipe` leaves room |
//! | ACK of `recover` | recovery ends |
//! | time-out | the first segment counts as lost, and so does every overdue one; a later ACK can show that they arrived |
//! | a retransmission that is lost in the recovery from a time-out | another recovery begins, as in Linux |
//!
//! Deviations: the timestamp that an ACK echoes decides between a retransmission and its original only if the ACK is
//! cumulative for it, since an echo is not of what is SACKed (RFC 7323, section 4.3). The smallest RTT is that of the last 300 s
//! at most, as in Linux; the RFC leaves the time open. SACKed ranges outlive a time-out unless the first segment is among them:
//! then the receiver has taken them back. Of what one ACK delivers, the RFC takes the RTT of the segment sent last; here, as in
//! Linux, it is that of the last one in the order of sequence numbers, first those SACKed, then those acknowledged: where an
//! original comes late beside a retransmission, the longer time leaves its neighbours theirs. With the timers of Linux the one
//! for reordering runs out 2 ms late, as that for probes does; an ACK that comes before is judged by the exact time.
//!
//! | parameter | unit |
//! |---|---|
//! | `tlp`, `tlp_timer`, `f_rto`, `undo` | see the files above |

use super::{CaState, Deadlines, Feedback, LossDetection, LossTimer, Reordering, Tally, Transmit, Verdict};
use crate::congestion::Phase;
use crate::options::{DUP_THRESH, Options};
use crate::sender::Sender;
use crate::transmit_queue::Departure;
use base::Time;
use probe::LossProbe;
use reordering::ReorderingWindow;
use spurious::SpuriousDetection;

mod probe;
mod reordering;
mod spurious;
mod without_sack;

pub use without_sack::RackOrNewReno;

/// How long the smallest RTT counts.
const MIN_RTT_WINDOW: Time = Time::from_secs(300);

/// RACK-TLP.
#[derive(Clone, Debug)]
pub(super) struct Rack {
    state: CaState,
    /// One above the highest sequence number sent when the recovery, the reduction or the time-out began.
    recover: u64,
    /// `RecoverFS` of the last recovery or reduction.
    recover_fs: u64,
    /// `RACK.xmit_ts` and `RACK.end_seq`: of what was delivered, the segment sent last.
    newest: Departure,
    /// `RACK.rtt`.
    rtt: Time,
    /// The smallest RTT, and when it was measured.
    min_rtt: (Time, Time),
    reordering: ReorderingWindow,
    /// When the next segment may be lost.
    deadline: Time,
    /// How much later its timer runs out.
    slack: Time,
    probe: LossProbe,
    spurious: SpuriousDetection,
    /// The first lost segment is to go out whatever cwnd is.
    retransmits_head: bool,
    feedback: Feedback,
}

impl Rack {
    /// With these options.
    #[must_use]
    pub(super) fn new(options: &Options) -> Self {
        Self {
            state: CaState::Open,
            recover: 0,
            recover_fs: 0,
            newest: (Time::ZERO, 0),
            rtt: Time::ZERO,
            min_rtt: (Time::NEVER, Time::ZERO),
            reordering: ReorderingWindow::default(),
            deadline: Time::NEVER,
            slack: probe::timer_slack(options),
            probe: LossProbe::new(options),
            spurious: SpuriousDetection::new(options),
            retransmits_head: false,
            feedback: Feedback::default(),
        }
    }

    /// Steps 1 to 3 of section 6.2: the RTT, the segment sent last, reordering.
    fn note_delivered(&mut self, now: Time, sender: &mut Sender) {
        if self.min_rtt.0 == Time::NEVER {
            self.min_rtt = (sender.min_rtt, now);
        }
        let smss = sender.smss;
        let its = sender.queue().delivered();
        self.reordering.on_delivered(its, smss);
        let mut last = None;
        for segment in its {
            let rtt = now - segment.last_sent;
            if !segment.was_sent_again {
                self.probe.on_rtt_sample();
                let (smallest, at) = self.min_rtt;
                if rtt <= smallest || now - at > MIN_RTT_WINDOW {
                    self.min_rtt = (rtt, now);
                }
            } else if rtt < self.min_rtt.0
                || (segment.is_acked && self.feedback.echoes_earlier_than(segment.last_sent))
            {
                continue;
            }
            self.newest = self.newest.max((segment.last_sent, segment.end));
            last = last.max(Some((segment.is_acked, segment.end, rtt)));
        }
        if let Some((.., rtt)) = last {
            self.rtt = rtt;
        }
    }

    fn is_recovering(&self) -> bool {
        matches!(self.state, CaState::Recovery | CaState::Loss)
    }

    /// How long after its departure a segment is lost.
    fn wait(&self, sender: &Sender) -> Time {
        self.rtt + self.reordering.time(sender, self.min_rtt.0, self.is_recovering())
    }

    /// Step 5: what is lost. True if more is than before.
    #[inline(always)]
    fn find_losses(&mut self, now: Time, sender: &mut Sender) -> bool {
        let wait = self.wait(sender);
        let newest = self.newest;
        let queue = sender.queue();
        let before = queue.lost_and_waiting();
        self.deadline = queue.lose_departed(now, newest, wait);
        queue.lost_and_waiting() > before
    }

    fn enter_recovery(&mut self, sender: &mut Sender, delivered: u64) {
        self.recover_fs = sender.flight_size() + delivered - sender.queue().sacked();
        self.state = CaState::Recovery;
        self.recover = sender.snd_max;
        self.retransmits_head = true;
        self.probe.forget();
        self.spurious.on_recovery();
    }

    /// What counted as lost is in flight.
    fn undo(&mut self, sender: &mut Sender) {
        self.state = CaState::Open;
        self.retransmits_head = false;
        sender.queue().forget_losses();
    }

    /// An ACK has delivered so many bytes. `advances`: `snd_una` has moved.
    fn on_delivery(&mut self, now: Time, sender: &mut Sender, delivered: u64, advances: bool) -> Verdict {
        self.note_delivered(now, sender);
        let is_recovering = self.is_recovering();
        let recover = self.recover;
        let its = sender.queue().delivered();
        let spurious = self.spurious.judge(&self.feedback, its, advances, is_recovering, recover);
        if spurious.is_some() {
            self.undo(sender);
        }
        let was = self.state;
        let ends = was != CaState::Open && sender.snd_una >= recover;
        if ends {
            self.state = CaState::Open;
            self.retransmits_head = false;
            if is_recovering {
                self.spurious.on_recovered();
                self.reordering.on_recovered();
            }
        }
        let has_losses = self.find_losses(now, sender);
        let phase = self.phase(sender, was, ends, has_losses, delivered);
        let pipe = self.pipe(sender);
        sender.queue().note_pipe(pipe, advances && !has_losses);
        sender.queue().note_reordering(self.reordering.is_beyond_threshold());
        if advances {
            self.arm_probe(now, sender);
        }
        Verdict { spurious, ends: ends && phase == Phase::Entered, ..Verdict::new(phase, delivered) }
    }

    /// What an ACK means, after which this is lost.
    #[inline(always)]
    fn phase(
        &mut self,
        sender: &mut Sender,
        was: CaState,
        ends: bool,
        has_losses: bool,
        delivered: u64,
    ) -> Phase {
        let is_new_loss = match self.state {
            CaState::Open | CaState::Disorder | CaState::Cwr => has_losses,
            CaState::Recovery => false,
            CaState::Loss => sender.queue().take_lost_again(),
        };
        if is_new_loss {
            self.enter_recovery(sender, delivered);
            return Phase::Entered;
        }
        match was {
            CaState::Open | CaState::Disorder if self.probe.take_repaired() => {
                self.recover_fs = sender.flight_size() + delivered;
                Phase::Repaired
            }
            CaState::Open | CaState::Disorder | CaState::Loss => Phase::Open,
            CaState::Recovery | CaState::Cwr if ends => Phase::Exit,
            CaState::Recovery | CaState::Cwr => Phase::Recovery,
        }
    }

    /// Section 7.2: outside of a recovery, and with nothing SACKed.
    #[inline(always)]
    fn arm_probe(&mut self, now: Time, sender: &Sender) {
        let has_sacked = sender.queue.as_ref().is_some_and(|queue| queue.sacked() > 0);
        if self.is_recovering() || has_sacked {
            self.probe.disarm();
        } else {
            self.probe.arm(now, sender);
        }
    }

    fn pipe(&self, sender: &Sender) -> u64 {
        let out = |queue: &crate::transmit_queue::TransmitQueue| queue.sacked() + queue.lost_and_waiting();
        sender.flight_size() - sender.queue.as_deref().map_or(0, out)
    }

    /// A probe: new data if there are any and the window has room for a segment of them, or else the last segment once more.
    fn probe_segment(&self, sender: &mut Sender) -> Option<Transmit> {
        let end = sender.written.min(sender.snd_nxt + sender.smss);
        if sender.snd_nxt < end && end <= sender.sendable {
            return Some(Transmit::Probe(end));
        }
        let (smss, written, snd_una) = (sender.smss, sender.written, sender.snd_una);
        let last = sender.queue().segments().next_back()?;
        // A FIN takes a sequence number and no room in the segment; it may be all that has no ACK yet.
        let seq = last.seq.max(snd_una).max(last.end.min(written).saturating_sub(smss));
        Some(Transmit::Retransmit { seq, end: last.end })
    }
}

impl LossDetection for Rack {
    fn needs_transmit_queue(&self) -> bool {
        true
    }

    fn needs_deliveries(&self) -> bool {
        true
    }

    fn on_sack(&mut self, _: Time, sender: &mut Sender, feedback: &Feedback) -> bool {
        self.feedback = *feedback;
        self.reordering.on_ack(sender, feedback.duplicate.is_some());
        self.probe.on_ack(feedback);
        if let Some(duplicate) = feedback.duplicate {
            self.spurious.on_duplicate(duplicate);
        }
        // A report of duplicates counts even if nothing is in flight any more.
        let is_news = sender.queue().newly_sacked() > 0 || self.spurious.is_reported();
        is_news && feedback.ack == sender.snd_una
    }

    fn on_ack(&mut self, now: Time, sender: &mut Sender, acked: u64) -> Verdict {
        let queue = sender.queue();
        let delivered = queue.newly_sacked() + acked - queue.acked_of_sacked();
        self.on_delivery(now, sender, delivered, true)
    }

    fn on_dup_ack(&mut self, now: Time, sender: &mut Sender, _: u64) -> Verdict {
        let delivered = sender.queue().newly_sacked();
        self.on_delivery(now, sender, delivered, false)
    }

    fn recover_fs(&self, _: &Sender) -> u64 {
        self.recover_fs
    }

    fn on_ecn(&mut self, sender: &mut Sender) {
        self.recover_fs = sender.flight_size() - sender.queue().sacked();
        self.state = CaState::Cwr;
        self.recover = sender.snd_max;
        self.spurious.forget();
    }

    fn on_marked_ack(&mut self) {
        self.spurious.forget();
    }

    /// Section 6.3.
    fn on_rto(&mut self, now: Time, sender: &mut Sender) -> u64 {
        let wait = self.wait(sender);
        let is_open = matches!(self.state, CaState::Open | CaState::Disorder);
        if is_open && sender.queue().sacked_segments() >= DUP_THRESH {
            self.reordering.forget_extent();
        }
        let (snd_una, snd_max) = (sender.snd_una, sender.snd_max);
        let queue = sender.queue();
        let is_reneged = queue.hole(snd_una, snd_una + 1).is_none();
        if is_reneged {
            queue.forget_sacks();
        }
        queue.lose_on_timeout(now, (!is_reneged).then_some(wait));
        queue.take_lost_again();
        self.spurious.on_rto(self.state == CaState::Recovery, self.state == CaState::Loss);
        self.state = CaState::Loss;
        self.recover = snd_max;
        self.retransmits_head = true;
        self.deadline = Time::NEVER;
        self.probe.forget();
        snd_max
    }

    fn needs_timers(&self) -> bool {
        true
    }

    fn deadlines(&self) -> Deadlines {
        let reordering = if self.deadline < Time::NEVER { self.deadline + self.slack } else { Time::NEVER };
        Deadlines { reordering, loss_probe: self.probe.deadline() }
    }

    fn on_timer(&mut self, now: Time, sender: &mut Sender, timer: LossTimer) -> bool {
        if timer == LossTimer::LossProbe {
            self.probe.on_timer();
            return false;
        }
        let has_losses = self.find_losses(now, sender);
        let begins = has_losses && !self.is_recovering();
        if begins {
            self.enter_recovery(sender, 0);
        }
        let pipe = self.pipe(sender);
        sender.queue().note_pipe(pipe, false);
        begins
    }

    fn next(&mut self, _: Time, sender: &mut Sender, cwnd: u64) -> Option<Transmit> {
        if self.probe.is_due() {
            return self.probe_segment(sender);
        }
        let room = cwnd.saturating_sub(self.pipe(sender));
        if let Some(left) = self.spurious.new_segments() {
            if left > 0 && room > 0 && sender.has_new_data() {
                return Some(Transmit::Next(sender.snd_nxt + room.min(sender.smss)));
            }
            if left == 0 {
                return None;
            }
            self.spurious.give_up();
        }
        let head = std::mem::take(&mut self.retransmits_head);
        if let Some((seq, end)) = sender.queue().first_lost() {
            let end = end.min(seq + sender.smss);
            return (head || end - seq <= room).then_some(Transmit::Retransmit { seq, end });
        }
        (room > 0).then_some(Transmit::Next(sender.snd_nxt + room))
    }

    fn on_sent(&mut self, sender: &Sender, seq: u64, end: u64) {
        let Some(queue) = sender.queue.as_deref() else { return };
        let (now, is_retransmission) = queue.last_departure(seq);
        if is_retransmission {
            self.spurious.on_retransmission(now, end - seq);
        } else {
            self.spurious.on_new_segment();
        }
        if self.probe.is_due() {
            self.probe.on_sent(sender, is_retransmission);
        } else if !is_retransmission {
            self.arm_probe(now, sender);
        }
    }

    fn state(&self, sender: &Sender) -> CaState {
        let has_sacked = sender.queue.as_ref().is_some_and(|queue| queue.sacked() > 0);
        if self.state == CaState::Open && has_sacked { CaState::Disorder } else { self.state }
    }

    fn loss_probes(&self) -> u32 {
        self.probe.sent
    }

    fn tally(&self, sender: &Sender) -> Tally {
        let Some(queue) = sender.queue.as_deref() else { return Tally::default() };
        Tally { sacked: queue.sacked(), lost: queue.lost_and_waiting(), retransmitted: 0 }
    }

    fn full_tally(&self, sender: &Sender) -> Tally {
        let Some(queue) = sender.queue.as_deref() else { return Tally::default() };
        let (again, probes) = queue.sent_again();
        let lost = queue.lost_and_waiting() + again;
        Tally { sacked: queue.sacked(), lost, retransmitted: again + probes }
    }

    fn reordering(&self) -> Reordering {
        self.reordering.notes()
    }

    fn min_rtt(&self) -> Option<Time> {
        Some(self.min_rtt.0).filter(|&rtt| rtt < Time::NEVER)
    }
}
