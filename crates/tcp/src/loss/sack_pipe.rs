//! SACK with an estimate of the data in the pipe.
//!
//! Source: Fall and Floyd 1996 as 000 section 2.2 describes it; for the wait 002 task 7. RFC 6675 came
//! later and differs: it recomputes `pipe` from the scoreboard at each ACK.
//!
//! | event | pipe | cwnd |
//! |---|---|---|
//! | 3rd duplicate ACK | cwnd - 3 SMSS | halved, as ssthresh |
//! | further ones | - SMSS | |
//! | partial ACK | - 2 SMSS: the retransmitted segment and the lost one | |
//! | the same while a fast retransmit waits | - SMSS: the segment that was late | |
//! | a segment sent | + its length | |
//! | ACK of `recover` | recovery ends | ssthresh |
//!
//! While `pipe < cwnd`, the holes below the highest SACKed byte are sent, each once and in the
//! segments in which they were sent at first, and then new data, but never more than `pipe` leaves
//! of cwnd: with silly window avoidance whole segments or nothing, as in ns; without it, what is left. (Parts of
//! segments are answered by partial ACKs that each take two whole ones from `pipe`, and it falls below what is in the
//! network.) A lost retransmission is left to the timer, which clears the table; duplicate ACKs then
//! begin no recovery until everything that was out at the time-out is acknowledged, as in ns.
//!
//! With a retransmit wait the third duplicate ACK halves the window as ever, and further ones take from `pipe`,
//! but what the recovery sends waits. Then the segment of the fast retransmit goes out, whatever `pipe` says, and
//! what `pipe` leaves. A new ACK ends the wait: that segment was late, not lost, and is not sent again. A
//! time-out ends it with the recovery.
//!
//! | parameter | what |
//! |---|---|
//! | limited transmit | the first two duplicate ACKs let out a new segment each (RFC 3042) |
//! | silly window avoidance | what `pipe` leaves is used if it is a whole segment |
//! | retransmit wait | for so much of SRTT after the third duplicate ACK nothing is sent |

use super::{
    CaState, Deadlines, Feedback, LossDetection, LossTimer, Tally, Transmit, Verdict, next_in_window,
};
use crate::congestion::Phase;
use crate::options::{DUP_THRESH, Options};
use crate::sender::Sender;
use base::Time;

/// SACK with `pipe`.
#[derive(Clone, Debug)]
pub struct SackPipe {
    limited_transmit: bool,
    whole_segments: bool,
    /// How long a fast retransmit waits, millionths of SRTT.
    retransmit_wait_ppm: u32,
    /// When the wait is over; [`Time::NEVER`] if none is going on.
    waits_until: Time,
    dup_acks: u32,
    /// Whether both ends do SACK; limited transmit then wants duplicate ACKs that SACK something
    /// new, and so many came.
    sack: bool,
    sacks: u32,
    /// One above the highest sequence number sent when the recovery, or a time-out, began.
    recover: u64,
    recovering: bool,
    pipe: u64,
    /// One above the highest sequence number sent again in this recovery.
    high_rxt: u64,
    /// The segment of the fast retransmit, which goes out whatever `pipe` says.
    retransmit: bool,
}

impl SackPipe {
    /// With these parameters.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self {
            limited_transmit: options.limited_transmit,
            whole_segments: options.sws_avoidance,
            retransmit_wait_ppm: options.historic.retransmit_wait_ppm,
            waits_until: Time::NEVER,
            dup_acks: 0,
            sack: false,
            sacks: 0,
            recover: 0,
            recovering: false,
            pipe: 0,
            high_rxt: 0,
            retransmit: false,
        }
    }

    fn enter(&mut self, now: Time, sender: &Sender, cwnd: u64) {
        self.recovering = true;
        self.recover = sender.snd_max;
        self.pipe = cwnd.saturating_sub(u64::from(DUP_THRESH) * sender.smss);
        self.high_rxt = sender.snd_una;
        self.retransmit = true;
        if self.retransmit_wait_ppm > 0 {
            self.waits_until = now + share(sender.srtt.unwrap_or(Time::ZERO), self.retransmit_wait_ppm);
        }
    }

    fn is_waiting(&self) -> bool {
        self.waits_until < Time::NEVER
    }

    /// What may be sent now, bytes: the segment of the fast retransmit, or what `pipe` leaves.
    fn room(&self, sender: &Sender, cwnd: u64) -> u64 {
        if self.retransmit {
            return sender.smss;
        }
        match cwnd.saturating_sub(self.pipe).min(sender.smss) {
            part if part < sender.smss && self.whole_segments => 0,
            room => room,
        }
    }

    /// The next hole that was not sent again yet; in the fast retransmit, the first unacknowledged
    /// segment even if no SACK has shown a hole.
    fn hole(&mut self, sender: &mut Sender, room: u64) -> Option<Transmit> {
        let from = self.high_rxt.max(sender.snd_una);
        let unacked = self.retransmit.then_some((sender.snd_una, sender.snd_max));
        let queue = sender.queue();
        let (seq, hole_end) = queue.sacked_gap(from).or(unacked)?;
        let segment_end = queue.segment_end(seq).unwrap_or(hole_end);
        let end = hole_end.min(segment_end).min(seq + room);
        self.high_rxt = end;
        Some(Transmit::Retransmit { seq, end })
    }
}

/// So many millionths of a time.
fn share(of: Time, ppm: u32) -> Time {
    Time::from_ps((u128::from(of.as_ps()) * u128::from(ppm) / 1_000_000) as u64)
}

impl LossDetection for SackPipe {
    fn needs_transmit_queue(&self) -> bool {
        true
    }

    fn on_ack(&mut self, _: Time, sender: &mut Sender, acked: u64) -> Verdict {
        let was_waiting = self.is_waiting();
        self.waits_until = Time::NEVER;
        self.retransmit &= !was_waiting;
        if self.recovering && sender.snd_una < self.recover {
            let left = if was_waiting { 1 } else { 2 };
            self.pipe = self.pipe.saturating_sub(left * sender.smss);
            return Verdict::new(Phase::Recovery, acked);
        }
        let phase = if self.recovering { Phase::Exit } else { Phase::Open };
        self.recovering = false;
        self.dup_acks = 0;
        self.sacks = 0;
        Verdict::new(phase, acked)
    }

    fn on_dup_ack(&mut self, now: Time, sender: &mut Sender, cwnd: u64) -> Verdict {
        self.dup_acks += 1;
        if self.recovering {
            self.pipe = self.pipe.saturating_sub(sender.smss);
            return Verdict::new(Phase::Recovery, 0);
        }
        if self.dup_acks != DUP_THRESH || sender.snd_una <= self.recover {
            return Verdict::new(Phase::Open, 0);
        }
        self.enter(now, sender, cwnd);
        Verdict::new(Phase::Entered, 0)
    }

    fn on_sack(&mut self, _: Time, sender: &mut Sender, _: &Feedback) -> bool {
        self.sack = true;
        self.sacks += u32::from(sender.queue().newly_sacked() > 0);
        false
    }

    fn needs_timers(&self) -> bool {
        self.retransmit_wait_ppm > 0
    }

    fn deadlines(&self) -> Deadlines {
        Deadlines { reordering: self.waits_until, ..Deadlines::NONE }
    }

    fn on_timer(&mut self, _: Time, _: &mut Sender, _: LossTimer) -> bool {
        self.waits_until = Time::NEVER;
        false
    }

    fn on_rto(&mut self, _: Time, sender: &mut Sender) -> u64 {
        self.waits_until = Time::NEVER;
        (self.dup_acks, self.sacks) = (0, 0);
        self.recover = sender.snd_max;
        self.recovering = false;
        (self.pipe, self.high_rxt) = (0, 0);
        self.retransmit = false;
        sender.queue().clear();
        sender.snd_una
    }

    fn next(&mut self, _: Time, sender: &mut Sender, cwnd: u64) -> Option<Transmit> {
        if !self.recovering {
            let duplicates = if self.sack { self.sacks } else { self.dup_acks };
            let limited = if self.limited_transmit { duplicates.min(DUP_THRESH - 1) } else { 0 };
            return next_in_window(sender, cwnd, limited);
        }
        if self.is_waiting() {
            return None;
        }
        let room = self.room(sender, cwnd);
        if room == 0 {
            return None;
        }
        let hole = self.hole(sender, room);
        self.retransmit = false;
        hole.or(Some(Transmit::Next(sender.snd_nxt + room)))
    }

    fn on_sent(&mut self, _: &Sender, seq: u64, end: u64) {
        if self.recovering {
            self.pipe += end - seq;
        }
    }

    fn state(&self, _: &Sender) -> CaState {
        match (self.recovering, self.dup_acks) {
            (true, _) => CaState::Recovery,
            (false, 0) => CaState::Open,
            (false, _) => CaState::Disorder,
        }
    }

    fn tally(&self, sender: &Sender) -> Tally {
        let again = self.high_rxt.saturating_sub(sender.snd_una);
        let retransmitted = if self.recovering { again } else { 0 };
        let sacked = sender.queue.as_ref().map_or(0, |queue| queue.sacked());
        Tally { sacked, lost: 0, retransmitted }
    }
}
