//! The feedback of RFC 3168: a mark is echoed until the sender says that it has reduced its window.
//!
//! Source: RFC 3168 section 6.1. A receiver echoes a mark until it sees CWR; a sender reacts to echoes once in a window of
//! data. A mark is acknowledged at once, which the RFC leaves open.

use super::EcnFlags;
use crate::segment::Segment;
use base::Ecn;

/// Whether the flags of a SYN ask for ECN, or those of the answer agree to it: the answer has ECE alone (section 6.1.1).
pub(super) const fn is_agreed(flags: EcnFlags, is_answer: bool) -> bool {
    flags.ece && flags.cwr != is_answer
}

/// What an endpoint keeps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Classic {
    /// A mark came, and no CWR since.
    echo: bool,
    reactions: Reactions,
}

/// When a sender reacts to marks: once in a window of data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reactions {
    /// The next new data are to say that the window was reduced.
    reduced: bool,
    /// Marks in ACKs up to this number belong to a reduction that was made.
    reacted_until: u64,
}

impl Reactions {
    /// Whether marks in an ACK of `ack` are the first of a window; `snd_max` bytes are out.
    pub(super) fn is_due(&mut self, ack: u64, snd_max: u64) -> bool {
        let due = ack > self.reacted_until;
        if due {
            self.on_loss(snd_max);
        }
        due
    }

    /// cwnd fell: marks of the same window are no reason to reduce it again.
    pub(super) fn on_loss(&mut self, snd_max: u64) {
        self.reacted_until = snd_max;
        self.reduced = true;
    }

    /// Whether CWR is to be said.
    pub(super) fn take_reduced(&mut self) -> bool {
        std::mem::take(&mut self.reduced)
    }
}

impl Classic {
    /// A segment came; true if it is marked, and its mark counts, which that of data within the window does.
    pub(super) fn on_segment(&mut self, segment: &Segment, has_new_data: bool) -> bool {
        if segment.cwr {
            self.echo = false;
        }
        let marked = has_new_data && segment.ecn == Ecn::Ce;
        self.echo |= marked;
        marked
    }

    /// Whether an ACK of `ack` asks for a reaction; `snd_max` bytes are out.
    pub(super) fn on_ack(&mut self, segment: &Segment, ack: u64, snd_max: u64) -> bool {
        segment.ece && !segment.syn && self.reactions.is_due(ack, snd_max)
    }

    /// cwnd fell for another reason.
    pub(super) fn on_loss(&mut self, snd_max: u64) {
        self.reactions.on_loss(snd_max);
    }

    /// A segment leaves; `new_data`: it has data that were not sent before.
    pub(super) fn flags(&mut self, new_data: bool) -> EcnFlags {
        EcnFlags { ae: false, ece: self.echo, cwr: new_data && self.reactions.take_reduced() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_echoed_until_the_sender_has_reacted() {
        let mut ecn = Classic::default();
        let marked = Segment { ecn: Ecn::Ce, ..Segment::default() };
        assert!(!ecn.on_segment(&marked, false) && ecn.on_segment(&marked, true));
        assert_eq!(ecn.flags(false), EcnFlags { ece: true, ..EcnFlags::NONE });
        ecn.on_segment(&Segment { cwr: true, ..Segment::default() }, true);
        assert!(!ecn.echo);
    }

    #[test]
    fn a_sender_reacts_once_in_a_window_and_says_so_once() {
        let mut ecn = Classic::default();
        let echo = Segment { ece: true, ..Segment::default() };
        assert!(ecn.on_ack(&echo, 101, 1001));
        assert!(!ecn.on_ack(&echo, 1001, 2001));
        assert_eq!([ecn.flags(true).cwr, ecn.flags(true).cwr], [true, false]);
        assert!(ecn.on_ack(&echo, 1002, 3001));
    }
}
