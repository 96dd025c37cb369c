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

use super::{CaState, DUP_THRESH, LossRecovery, Tally, Timer, Transmit, next_in_window};
use crate::config::Config;
use crate::congestion::{Ack, Cause, CongestionControl};
use crate::ranges::RangeSet;
use crate::window::Window;
use std::collections::VecDeque;

/// SACK with `pipe`.
#[derive(Clone, Debug, Default)]
pub struct SackPipe {
    limited_transmit: bool,
    whole_segments: bool,
    /// Whether fast retransmits wait, and whether one does now.
    waits: bool,
    waiting: bool,
    dup_acks: u32,
    /// Whether both ends do SACK; limited transmit then wants duplicate ACKs that SACK something
    /// new, and so many came.
    sack: bool,
    news: u32,
    sacked: RangeSet,
    /// Where each segment that is not yet acknowledged ends.
    ends: VecDeque<u64>,
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
    pub fn new(config: &Config) -> Self {
        Self {
            limited_transmit: config.options.limited_transmit,
            whole_segments: config.sws_avoidance,
            waits: config.retransmit_wait_ppm > 0,
            ..Self::default()
        }
    }

    fn enter(&mut self, window: &mut Window, congestion: &mut dyn CongestionControl) {
        self.recovering = true;
        self.recover = window.snd_max;
        self.pipe = window.cwnd.saturating_sub(u64::from(DUP_THRESH) * window.smss);
        self.high_rxt = window.snd_una;
        self.retransmit = true;
        self.waiting = self.waits;
        window.ssthresh = congestion.ssthresh(window, Cause::FastRetransmit);
        window.cwnd = window.ssthresh;
    }

    /// What may be sent now, bytes: the segment of the fast retransmit, or what `pipe` leaves.
    fn room(&self, window: &Window) -> u64 {
        if self.retransmit {
            return window.smss;
        }
        match window.cwnd.saturating_sub(self.pipe).min(window.smss) {
            part if part < window.smss && self.whole_segments => 0,
            room => room,
        }
    }

    /// The next hole that was not sent again yet; in the fast retransmit, the first unacknowledged
    /// segment even if no SACK has told of a hole.
    fn hole(&mut self, window: &Window, room: u64) -> Option<Transmit> {
        let from = self.high_rxt.max(window.snd_una);
        let unacked = self.retransmit.then_some((window.snd_una, window.snd_max));
        let (seq, hole_end) = self.sacked.gap(from).or(unacked)?;
        let segment = self.ends.partition_point(|&end| end <= seq);
        let segment_end = self.ends.get(segment).copied().unwrap_or(hole_end);
        let end = hole_end.min(segment_end).min(seq + room);
        self.high_rxt = end;
        Some(Transmit::Again { seq, end })
    }
}

impl LossRecovery for SackPipe {
    fn on_ack(&mut self, window: &mut Window, ack: &Ack, congestion: &mut dyn CongestionControl) -> Timer {
        self.sacked.remove_below(window.snd_una);
        self.ends.drain(..self.ends.partition_point(|&end| end <= window.snd_una));
        let was_late = std::mem::take(&mut self.waiting);
        self.retransmit &= !was_late;
        if self.recovering && window.snd_una < self.recover {
            let left = if was_late { 1 } else { 2 };
            self.pipe = self.pipe.saturating_sub(left * window.smss);
            return Timer::Restart;
        }
        if !self.recovering {
            congestion.on_ack(window, ack);
        }
        self.recovering = false;
        self.dup_acks = 0;
        self.news = 0;
        Timer::Restart
    }

    fn on_dup_ack(&mut self, window: &mut Window, congestion: &mut dyn CongestionControl) -> bool {
        self.dup_acks += 1;
        if self.recovering {
            self.pipe = self.pipe.saturating_sub(window.smss);
            return false;
        }
        if self.dup_acks != DUP_THRESH || window.snd_una <= self.recover {
            return false;
        }
        self.enter(window, congestion);
        true
    }

    fn is_waiting(&self) -> bool {
        self.waiting
    }

    fn on_wait_over(&mut self) {
        self.waiting = false;
    }

    fn on_sack(&mut self, window: &Window, blocks: &[(u64, u64)]) -> bool {
        self.sack = true;
        let before = self.sacked.len();
        for &(left, right) in blocks {
            if window.snd_una <= left && left < right && right <= window.snd_max {
                self.sacked.insert(left, right);
            }
        }
        self.news += u32::from(self.sacked.len() > before);
        false
    }

    fn on_rto(&mut self, window: &mut Window) {
        let Self { limited_transmit, whole_segments, waits, sack, .. } = *self;
        let recover = window.snd_max;
        *self = Self { limited_transmit, whole_segments, waits, sack, recover, ..Self::default() };
    }

    fn next(&mut self, window: &Window) -> Option<Transmit> {
        if !self.recovering {
            let duplicates = if self.sack { self.news } else { self.dup_acks };
            let limited = if self.limited_transmit { duplicates.min(DUP_THRESH - 1) } else { 0 };
            return next_in_window(window, limited);
        }
        if self.waiting {
            return None;
        }
        let room = self.room(window);
        if room == 0 {
            return None;
        }
        let again = self.hole(window, room);
        self.retransmit = false;
        again.or(Some(Transmit::UpTo(window.snd_nxt + room)))
    }

    fn on_sent(&mut self, _: &Window, seq: u64, end: u64) {
        if self.recovering {
            self.pipe += end - seq;
        }
        if self.ends.back().is_none_or(|&last| last < end) {
            self.ends.push_back(end);
        }
    }

    fn state(&self) -> CaState {
        match (self.recovering, self.dup_acks) {
            (true, _) => CaState::Recovery,
            (false, 0) => CaState::Open,
            (false, _) => CaState::Disorder,
        }
    }

    fn tally(&self, window: &Window) -> Tally {
        let again = self.high_rxt.saturating_sub(window.snd_una);
        let retransmitted = if self.recovering { again } else { 0 };
        Tally { sacked: self.sacked.len(), lost: 0, retransmitted }
    }
}
