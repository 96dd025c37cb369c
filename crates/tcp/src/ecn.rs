//! Explicit congestion notification.
//!
//! Source: RFC 3168 section 6.1. Data segments that are sent for the first time are ECT(0); a
//! receiver echoes a mark until it sees CWR; a sender reacts to echoes once in a window of data.
//! A mark is acknowledged at once, which the RFC leaves open.

use crate::segment::{Ecn, Segment};

/// What an endpoint keeps for ECN.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EcnState {
    /// Both ends have offered it.
    pub(crate) on: bool,
    /// A mark came, and no CWR since.
    echo: bool,
    /// The next new data are to say that the window was reduced.
    reduced: bool,
    /// Echoes in ACKs up to this number belong to a reduction that was made.
    reacted_until: u64,
}

/// What a segment says for ECN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EcnMarks {
    pub(crate) ecn: Ecn,
    pub(crate) ece: bool,
    pub(crate) cwr: bool,
}

impl EcnState {
    /// A segment came; true if it is marked, and its mark counts, which that of data within the
    /// window does.
    pub(crate) fn on_segment(&mut self, segment: &Segment, has_new_data: bool) -> bool {
        if self.on && segment.cwr {
            self.echo = false;
        }
        let marked = self.on && has_new_data && segment.ecn == Ecn::Ce;
        self.echo |= marked;
        marked
    }

    /// Whether an ACK of `ack` asks for a reaction; `snd_max` bytes are out.
    pub(crate) fn on_ack(&mut self, segment: &Segment, ack: u64, snd_max: u64) -> bool {
        let news = self.on && segment.ece && !segment.syn && ack > self.reacted_until;
        if news {
            self.reacted_until = snd_max;
            self.reduced = true;
        }
        news
    }

    /// cwnd fell for another reason: marks of the same window are no reason to reduce it again.
    pub(crate) fn on_loss(&mut self, snd_max: u64) {
        if self.on {
            self.reacted_until = snd_max;
            self.reduced = true;
        }
    }

    /// A segment leaves; `new_data`: it has data that were not sent before.
    #[inline]
    pub(crate) fn marks(&mut self, new_data: bool) -> EcnMarks {
        if !self.on {
            return EcnMarks::default();
        }
        let ecn = if new_data { Ecn::Ect0 } else { Ecn::NotEct };
        EcnMarks { ecn, ece: self.echo, cwr: new_data && std::mem::take(&mut self.reduced) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on() -> EcnState {
        EcnState { on: true, ..EcnState::default() }
    }

    #[test]
    fn a_mark_is_echoed_until_the_sender_has_reacted() {
        let mut ecn = on();
        let marked = Segment { ecn: Ecn::Ce, ..Segment::default() };
        assert!(!ecn.on_segment(&marked, false) && ecn.on_segment(&marked, true));
        assert_eq!(ecn.marks(false), EcnMarks { ecn: Ecn::NotEct, ece: true, cwr: false });
        ecn.on_segment(&Segment { cwr: true, ..Segment::default() }, true);
        assert!(!ecn.echo);
    }

    #[test]
    fn a_sender_reacts_once_in_a_window_and_says_so_once() {
        let mut ecn = on();
        let echo = Segment { ece: true, ..Segment::default() };
        assert!(ecn.on_ack(&echo, 101, 1001));
        assert!(!ecn.on_ack(&echo, 1001, 2001));
        assert_eq!([ecn.marks(true).cwr, ecn.marks(true).cwr], [true, false]);
        assert!(ecn.on_ack(&echo, 1002, 3001));
    }
}
