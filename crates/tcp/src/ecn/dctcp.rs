//! The feedback of DCTCP: ECE says whether the data before were marked.
//!
//! Source: RFC 8257 section 3.2; the handshake and CWR are those of RFC 3168.
//!
//! Deviation, as in Linux: when the state changes while an ACK of earlier data waits, that goes out first, with the state
//! before. By the RFC's text one ACK with the new state would report on both, so that the sender counts bytes for marked that
//! were not, or the other way.

use super::classic::Reactions;
use super::{AckDemand, EcnFlags};
use crate::segment::Segment;
use base::Ecn;

/// What an endpoint keeps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dctcp {
    /// DCTCP.CE: whether the last data were marked.
    ce: bool,
    reactions: Reactions,
}

impl Dctcp {
    /// Data came; an ACK of earlier ones waits or not.
    pub(super) fn on_data(&mut self, segment: &Segment, ack_waits: bool) -> AckDemand {
        let before = EcnFlags { ece: self.ce, ..EcnFlags::NONE };
        let ce = segment.ecn == Ecn::Ce;
        match std::mem::replace(&mut self.ce, ce) != ce {
            false => AckDemand::None,
            true if ack_waits => AckDemand::PriorFirst(before),
            true => AckDemand::Now,
        }
    }

    /// Whether an ACK of `ack` asks for a reaction.
    pub(super) fn on_ack(&mut self, segment: &Segment, ack: u64, snd_max: u64) -> bool {
        segment.ece && !segment.syn && self.reactions.is_due(ack, snd_max)
    }

    pub(super) fn on_loss(&mut self, snd_max: u64) {
        self.reactions.on_loss(snd_max);
    }

    pub(super) fn flags(&mut self, new_data: bool) -> EcnFlags {
        EcnFlags { ece: self.ce, cwr: new_data && self.reactions.take_reduced(), ..EcnFlags::NONE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(ecn: Ecn) -> Segment {
        Segment { len: 1000, ecn, ..Segment::default() }
    }

    /// RFC 8257, figure 1: an ACK at once when the state changes, and the state in each.
    #[test]
    fn a_change_of_state_is_acknowledged_at_once_and_what_waited_with_the_state_before() {
        let mut dctcp = Dctcp::default();
        let states = [Ecn::Ect0, Ecn::Ce, Ecn::Ce, Ecn::Ect0, Ecn::NotEct].map(|ecn| {
            let demand = dctcp.on_data(&data(ecn), true);
            (demand, dctcp.flags(false).ece)
        });
        let prior = |ece| AckDemand::PriorFirst(EcnFlags { ece, ..EcnFlags::NONE });
        assert_eq!(
            states,
            [
                (AckDemand::None, false),
                (prior(false), true),
                (AckDemand::None, true),
                (prior(true), false),
                (AckDemand::None, false),
            ]
        );
        assert_eq!(dctcp.on_data(&data(Ecn::Ce), false), AckDemand::Now, "nothing waits");
    }

    #[test]
    fn cwr_once_in_a_window_as_in_rfc_3168() {
        let mut dctcp = Dctcp::default();
        let echo = Segment { ece: true, ..Segment::default() };
        assert!(dctcp.on_ack(&echo, 101, 1001) && !dctcp.on_ack(&echo, 1001, 2001));
        assert_eq!([dctcp.flags(true).cwr, dctcp.flags(true).cwr], [true, false]);
        assert!(dctcp.on_ack(&echo, 1002, 3001));
    }
}
