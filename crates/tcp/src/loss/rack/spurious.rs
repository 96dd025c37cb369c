//! Whether a retransmission was needless: what counted as lost had only been late.
//!
//! Source: those of the table.
//!
//! | how | source | it is needless if |
//! |---|---|---|
//! | Eifel | RFC 3522 | the ACK of what was sent again echoes an earlier timestamp |
//! | duplicates | RFC 3708 | the receiver reports all that was sent again as having come twice |
//! | F-RTO | RFC 5682 section 3.1 | after a time-out something is acknowledged or SACKed that was sent once, before it |
//!
//! F-RTO sends up to two new segments on the first ACK after a time-out, rather than what counts as lost; if the next ACK
//! reports nothing but them, the losses are real.
//!
//! Deviations, as in Linux: F-RTO begins anew at a repeated time-out, where section 3.1 step 1 gives up; it needs no second ACK
//! if the first one shows something that was sent once; Eifel looks at each ACK of new data until the recovery ends, not at the
//! first alone. An ECN mark in the same window forbids to undo anything.
//!
//! | parameter | unit |
//! |---|---|
//! | F-RTO | on or off |
//! | new segments on the first ACK after a time-out | 2 |

use super::super::Feedback;
use crate::congestion::Cause;
use crate::options::{Options, Undo};
use crate::transmit_queue::Delivered;
use base::Time;

const NEW_SEGMENTS: u32 = 2;

/// How F-RTO stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FRto {
    /// No time-out is in question.
    Off,
    /// The first segment went out again; its ACK has not come.
    FirstAck,
    /// So many new segments may leave, and the next ACK decides.
    SecondAck(u32),
}

/// A reduction that may turn out to be needless.
#[derive(Clone, Copy, Debug)]
struct Episode {
    cause: Cause,
    first_retransmission: Option<Time>,
    /// Bytes sent again that no report of a duplicate covers yet.
    unreported: u64,
    /// All that was sent again has come twice.
    is_reported: bool,
}

/// Looks for needless reductions.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpuriousDetection {
    looks: bool,
    has_f_rto: bool,
    f_rto: FRto,
    episode: Option<Episode>,
}

impl SpuriousDetection {
    pub(super) fn new(options: &Options) -> Self {
        Self { looks: options.undo != Undo::Off, has_f_rto: options.f_rto, f_rto: FRto::Off, episode: None }
    }

    fn begin(&mut self, cause: Cause) {
        let fresh = Episode { cause, first_retransmission: None, unreported: 0, is_reported: false };
        self.episode = self.looks.then_some(fresh);
    }

    /// A recovery begins.
    pub(super) fn on_recovery(&mut self) {
        self.f_rto = FRto::Off;
        self.begin(Cause::Loss);
    }

    /// The retransmission timer ran out; `in_recovery`: a recovery was going on, and what cwnd was before is known from then.
    pub(super) fn on_rto(&mut self, in_recovery: bool, is_repeated: bool) {
        match &mut self.episode {
            Some(episode) if in_recovery || is_repeated => episode.cause = Cause::Rto,
            _ => self.begin(Cause::Rto),
        }
        let looks = self.looks && self.has_f_rto && !in_recovery;
        self.f_rto = if looks { FRto::FirstAck } else { FRto::Off };
    }

    /// Nothing that happened so far can be undone.
    pub(super) fn forget(&mut self) {
        (self.episode, self.f_rto) = (None, FRto::Off);
    }

    /// The recovery is over; a late report of duplicates may still undo it.
    pub(super) fn on_recovered(&mut self) {
        self.f_rto = FRto::Off;
    }

    pub(super) fn on_retransmission(&mut self, now: Time, bytes: u64) {
        if let Some(episode) = &mut self.episode {
            episode.first_retransmission.get_or_insert(now);
            episode.unreported += bytes;
        }
    }

    /// A duplicate was reported.
    pub(super) fn on_duplicate(&mut self, (from, to): (u64, u64)) {
        if let Some(episode) = self.episode.as_mut().filter(|episode| episode.unreported > 0) {
            episode.unreported = episode.unreported.saturating_sub(to - from);
            episode.is_reported = episode.unreported == 0;
        }
    }

    /// Whether all that was sent again is reported to have come twice.
    pub(super) fn is_reported(&self) -> bool {
        self.episode.is_some_and(|episode| episode.is_reported)
    }

    /// Whether an ACK shows that the reduction was needless, and what it was for. `advances`: `snd_una` has moved; `recover`:
    /// what had been sent when the recovery began.
    pub(super) fn judge(
        &mut self,
        feedback: &Feedback,
        delivered: &[Delivered],
        advances: bool,
        is_recovering: bool,
        recover: u64,
    ) -> Option<Cause> {
        let episode = self.episode?;
        // A retransmission of the recovery before may still be on its way, and echo itself.
        let is_of_this = |first: Time| {
            let sent_again = |its: &Delivered| its.is_acked && its.was_sent_again && its.last_sent >= first;
            feedback.echoes_earlier_than(first) && delivered.iter().any(sent_again)
        };
        let eifel = advances && is_recovering && episode.first_retransmission.is_some_and(is_of_this);
        let was_sent_once = |its: &Delivered| !its.was_sent_again && its.end <= recover;
        let f_rto = self.f_rto != FRto::Off && delivered.iter().any(was_sent_once);
        if eifel || f_rto || episode.is_reported {
            self.forget();
            return Some(episode.cause);
        }
        self.f_rto = match self.f_rto {
            FRto::FirstAck if advances => FRto::SecondAck(NEW_SEGMENTS),
            FRto::SecondAck(_) if !delivered.is_empty() => FRto::Off,
            other => other,
        };
        None
    }

    /// While F-RTO waits for its second ACK: how many new segments may leave, and nothing else.
    pub(super) fn new_segments(&self) -> Option<u32> {
        match self.f_rto {
            FRto::SecondAck(left) => Some(left),
            FRto::Off | FRto::FirstAck => None,
        }
    }

    /// A new segment leaves.
    pub(super) fn on_new_segment(&mut self) {
        if let FRto::SecondAck(left) = &mut self.f_rto {
            *left = left.saturating_sub(1);
        }
    }

    /// There is nothing new to send: F-RTO cannot decide.
    pub(super) fn give_up(&mut self) {
        self.f_rto = FRto::Off;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Time = Time::from_ms;

    fn detection() -> SpuriousDetection {
        SpuriousDetection::new(&Options::MODERN)
    }

    fn delivered(end: u64, was_sent_again: bool) -> [Delivered; 1] {
        [Delivered { seq: end - 1000, end, last_sent: MS(100), was_sent_again, is_acked: true }]
    }

    fn echo(ms: u64) -> Feedback {
        Feedback { echo: Some(ms as u32), ..Feedback::default() }
    }

    #[test]
    fn an_echo_of_before_the_retransmission_undoes_it() {
        for (echoed, cause) in [(99, Some(Cause::Loss)), (100, None)] {
            let mut its = detection();
            its.on_recovery();
            its.on_retransmission(MS(100), 1000);
            its.on_retransmission(MS(120), 1000);
            assert_eq!(its.judge(&echo(echoed), &delivered(1001, true), false, true, 5001), None);
            assert_eq!(its.judge(&echo(echoed), &delivered(1001, true), true, true, 5001), cause);
        }
    }

    #[test]
    fn a_retransmission_of_the_recovery_before_undoes_nothing() {
        let mut its = detection();
        its.on_recovery();
        its.on_retransmission(MS(110), 1000);
        assert_eq!(its.judge(&echo(100), &delivered(1001, true), true, true, 5001), None);
    }

    #[test]
    fn reports_of_all_that_was_sent_again_undo_it() {
        let mut its = detection();
        its.on_recovery();
        its.on_retransmission(MS(100), 1000);
        its.on_retransmission(MS(101), 1000);
        its.on_duplicate((1, 1001));
        assert_eq!(its.judge(&Feedback::default(), &[], false, false, 5001), None);
        its.on_duplicate((1001, 2001));
        assert_eq!(its.judge(&Feedback::default(), &[], false, false, 5001), Some(Cause::Loss));
        assert_eq!(its.judge(&Feedback::default(), &[], false, false, 5001), None, "once");
    }

    #[test]
    fn after_a_time_out_new_data_tells() {
        let mut late = detection();
        late.on_rto(false, false);
        late.on_retransmission(MS(1000), 1000);
        assert_eq!(late.judge(&echo(1000), &delivered(1001, true), true, true, 5001), None);
        assert_eq!(late.new_segments(), Some(2));
        let mut lost = late;
        assert_eq!(lost.judge(&echo(1001), &delivered(6001, false), false, true, 5001), None);
        assert_eq!(lost.new_segments(), None, "only new data has come: the losses are real");
        assert_eq!(late.judge(&echo(1000), &delivered(2001, false), true, true, 5001), Some(Cause::Rto));
    }

    #[test]
    fn a_recovery_that_a_time_out_ends_is_no_case_for_f_rto() {
        let mut its = detection();
        its.on_recovery();
        its.on_rto(true, false);
        assert_eq!(its.judge(&echo(0), &delivered(2001, false), true, true, 5001), None);
        assert_eq!(its.new_segments(), None);
    }

    #[test]
    fn without_undo_nothing_is_looked_for() {
        let mut its = SpuriousDetection::new(&Options { undo: Undo::Off, ..Options::MODERN });
        its.on_rto(false, false);
        assert_eq!(its.judge(&echo(0), &delivered(2001, false), true, true, 5001), None);
        assert_eq!(its.new_segments(), None);
    }
}
