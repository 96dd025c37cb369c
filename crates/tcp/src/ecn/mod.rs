//! Explicit congestion notification: what is agreed in the handshake, what data carry, and how marks are reported.
//!
//! Source: RFC 3168 section 6.1.1 and RFC 9768 section 3.1 (table 2) for the handshake, RFC 9331 section 4.1 for ECT(1).
//!
//! | file | how a receiver reports marks |
//! |---|---|
//! | `classic.rs` | ECE until CWR comes (RFC 3168); a reaction is due once in a window |
//! | `dctcp.rs` | ECE says whether the last segment was marked (RFC 8257) |
//! | `accurate.rs` | counters in three flags and in an option (RFC 9768) |
//!
//! A control that takes marks ([`crate::congestion::Needs::marks`]) decides itself when and how it reacts to
//! [`crate::congestion::AckSample::marked`]; every other one is asked to react once in a window of data.
//!
//! Deviations:
//!
//! - Neither SYN nor pure ACK is ECT. (RFC 9768 leaves that to other documents.)
//! - A SYN that times out again asks for ECN once more: nothing between the hosts of this laboratory drops it for its flags
//!   (RFC 9768, 3.1.4.1, speaks of paths where that may be).
//! - A SYN of another kind in the same handshake does not reset the connection (RFC 9768, 3.1.5).
//!
//! | what | carries |
//! |---|---|
//! | data sent for the first time | ECT(0); ECT(1) with `l4s`, if the peer counts marks |
//! | data sent again | nothing (RFC 3168, 6.1.5); ECT(1) if new data carry it, as in the L4S stack of Linux |
//! | probes of a closed window, pure ACKs, SYNs | nothing |

use crate::options::{EcnFeedback, Options};
use crate::segment::{AccEcn, Segment};
use accurate::Accurate;
use base::Ecn;
use classic::Classic;
use dctcp::Dctcp;

mod accurate;
mod classic;
mod dctcp;
#[cfg(test)]
mod tests;

/// What an endpoint keeps for ECN.
#[derive(Debug, Default)]
pub(crate) struct EcnState {
    /// What both ends have agreed to.
    feedback: Agreed,
    /// What new data carry, and what retransmissions carry.
    ect: (Ecn, Ecn),
    /// Bytes marked on their way, according to the ACK at hand.
    marked: u64,
}

/// What both ends have agreed to.
#[derive(Debug, Default)]
enum Agreed {
    #[default]
    Nothing,
    Classic(Classic),
    Dctcp(Dctcp),
    Accurate(Box<Accurate>),
}

/// What a segment says for ECN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EcnMarks {
    pub(crate) ecn: Ecn,
    pub(crate) flags: EcnFlags,
}

/// The flags of the TCP header that ECN uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EcnFlags {
    pub(crate) ae: bool,
    pub(crate) cwr: bool,
    pub(crate) ece: bool,
}

impl EcnFlags {
    const NONE: Self = Self { ae: false, cwr: false, ece: false };

    const fn of(segment: &Segment) -> Self {
        Self { ae: segment.ae, cwr: segment.cwr, ece: segment.ece }
    }

    /// As a number of three bits, of which AE is the highest.
    const fn ace(self) -> u8 {
        (self.ae as u8) << 2 | (self.cwr as u8) << 1 | self.ece as u8
    }

    const fn from_ace(ace: u8) -> Self {
        Self { ae: ace & 4 != 0, cwr: ace & 2 != 0, ece: ace & 1 != 0 }
    }
}

/// What kind of data a segment has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Load {
    /// None, or what probes a closed window.
    Nothing,
    /// Some that were not sent before.
    New,
    /// Only such as were sent before.
    Again,
}

/// What an arriving mark asks of the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AckDemand {
    /// Nothing: its ACK may wait.
    None,
    /// An ACK at once.
    Now,
    /// The same; but what came before is acknowledged first, if its ACK waits, with these flags.
    PriorFirst(EcnFlags),
}

impl EcnState {
    /// Whether both ends have agreed to it.
    #[inline]
    pub(crate) const fn is_on(&self) -> bool {
        !matches!(self.feedback, Agreed::Nothing)
    }

    /// Whether the peer reports how much is marked, and data can be.
    pub(crate) fn reports_marks(&self) -> bool {
        matches!(self.feedback, Agreed::Dctcp(_) | Agreed::Accurate(_)) && self.ect.0 != Ecn::NotEct
    }

    /// The flags of a SYN that asks.
    pub(crate) fn asking(options: &Options) -> EcnFlags {
        let ae = options.ecn && options.ecn_feedback == EcnFeedback::Accurate;
        EcnFlags { ae, cwr: options.ecn, ece: options.ecn }
    }

    /// The flags of the SYN-ACK.
    pub(crate) fn answering(&self) -> EcnFlags {
        match &self.feedback {
            Agreed::Nothing => EcnFlags::NONE,
            Agreed::Classic(_) | Agreed::Dctcp(_) => EcnFlags { ece: true, ..EcnFlags::NONE },
            Agreed::Accurate(accurate) => accurate.reflection(),
        }
    }

    /// The peer's SYN or SYN-ACK has come.
    pub(crate) fn on_syn(&mut self, options: &Options, syn: &Segment) {
        let flags = EcnFlags::of(syn);
        let is_answer = syn.ack.is_some();
        let accurate = options.ecn && options.ecn_feedback == EcnFeedback::Accurate;
        *self = Self::default();
        if accurate && accurate::is_agreed(flags, is_answer) {
            self.feedback = Agreed::Accurate(Box::new(Accurate::new(syn)));
            let changed = is_answer && accurate::is_mangled(flags);
            self.ect = if changed { (Ecn::NotEct, Ecn::NotEct) } else { ect(options, true) };
        } else if options.ecn && classic::is_agreed(flags, is_answer) {
            let counts = options.ecn_feedback == EcnFeedback::Dctcp;
            self.feedback =
                if counts { Agreed::Dctcp(Dctcp::default()) } else { Agreed::Classic(Classic::default()) };
            self.ect = ect(options, counts);
        }
    }

    /// The peer's SYN has come again before the handshake was over.
    pub(crate) fn on_repeated_syn(&mut self, syn: &Segment) {
        if let Agreed::Accurate(accurate) = &mut self.feedback {
            accurate.reflect(syn.ecn);
            // RFC 9768, section 3.1.5: such a peer may have given up ECN.
            if EcnFlags::of(syn) == EcnFlags::NONE {
                self.ect = (Ecn::NotEct, Ecn::NotEct);
            }
        }
    }

    /// Whether the ACK of the SYN-ACK must be a pure one, which reports the ECN field of the SYN-ACK.
    pub(crate) const fn reflects_syn_ack(&self) -> bool {
        matches!(self.feedback, Agreed::Accurate(_))
    }

    /// The SYN-ACK has come again.
    pub(crate) fn on_repeated_syn_ack(&mut self, syn: &Segment) {
        if let Agreed::Accurate(accurate) = &mut self.feedback {
            accurate.on_syn_ack(syn.ecn);
        }
    }

    /// The segment came that ends the handshake of a passive open.
    pub(crate) fn on_handshake_ack(&mut self, segment: &Segment) {
        if let Agreed::Accurate(accurate) = &mut self.feedback
            && segment.is_bare_ack()
            && segment.sack.is_empty()
        {
            let ace = EcnFlags::of(segment).ace();
            accurate.on_handshake_ack(ace);
            if ace == 0 || accurate::is_mangled(EcnFlags::from_ace(ace)) {
                self.ect = (Ecn::NotEct, Ecn::NotEct);
            }
        }
    }

    /// An acceptable segment came. `has_new_data`: it has data within the window. `ack_waits`: an ACK of earlier data is owed.
    #[inline]
    pub(crate) fn on_segment(&mut self, segment: &Segment, has_new_data: bool, ack_waits: bool) -> AckDemand {
        match &mut self.feedback {
            Agreed::Nothing => AckDemand::None,
            Agreed::Classic(classic) => match classic.on_segment(segment, has_new_data) {
                true => AckDemand::Now,
                false => AckDemand::None,
            },
            Agreed::Dctcp(dctcp) if has_new_data => dctcp.on_data(segment, ack_waits),
            Agreed::Dctcp(_) => AckDemand::None,
            Agreed::Accurate(accurate) => accurate.on_segment(segment, ack_waits),
        }
    }

    /// Whether an ACK of `ack`, of which `acked` bytes are new, asks for a reaction; `snd_max` bytes are out. With counters
    /// [`EcnState::on_counters`] answers that.
    #[inline]
    pub(crate) fn on_ack(&mut self, segment: &Segment, ack: u64, acked: u64, snd_max: u64) -> bool {
        match &mut self.feedback {
            Agreed::Nothing | Agreed::Accurate(_) => false,
            Agreed::Classic(classic) => classic.on_ack(segment, ack, snd_max),
            Agreed::Dctcp(dctcp) => {
                self.marked = if segment.ece { acked } else { 0 };
                dctcp.on_ack(segment, ack, snd_max)
            }
        }
    }

    /// Whether an ACK, which was looked at already, reports a mark.
    #[inline]
    pub(crate) const fn reports_mark(&self, segment: &Segment) -> bool {
        match &self.feedback {
            Agreed::Nothing => false,
            Agreed::Classic(_) | Agreed::Dctcp(_) => segment.ece,
            Agreed::Accurate(_) => self.marked > 0,
        }
    }

    /// Whether [`EcnState::on_counters`] is to be called for an ACK.
    #[inline]
    pub(crate) const fn has_counters(&self) -> bool {
        matches!(self.feedback, Agreed::Accurate(_))
    }

    /// As [`EcnState::on_ack`] for an ACK that delivers so many bytes in segments of at most `smss`.
    pub(crate) fn on_counters(
        &mut self,
        segment: &Segment,
        ack: u64,
        sent: (u64, u64),
        snd_max: u64,
    ) -> bool {
        let Agreed::Accurate(accurate) = &mut self.feedback else { return false };
        let marked = accurate.on_ack(segment, sent);
        if marked.is_none() {
            self.ect = (Ecn::NotEct, Ecn::NotEct);
        }
        self.marked = marked.unwrap_or(0);
        self.marked > 0 && accurate.is_news(ack, snd_max)
    }

    /// Bytes marked according to the ACK at hand; asked a second time, none.
    #[inline]
    pub(crate) fn take_marked(&mut self) -> u64 {
        std::mem::take(&mut self.marked)
    }

    /// Whether this ACK says that congestion was met.
    #[inline]
    pub(crate) fn echoes(&self, segment: &Segment) -> bool {
        if self.has_counters() { self.marked > 0 } else { segment.ece }
    }

    /// cwnd fell for another reason: marks of the same window are no reason to reduce it again.
    pub(crate) fn on_loss(&mut self, snd_max: u64) {
        match &mut self.feedback {
            Agreed::Nothing => {}
            Agreed::Classic(classic) => classic.on_loss(snd_max),
            Agreed::Dctcp(dctcp) => dctcp.on_loss(snd_max),
            Agreed::Accurate(accurate) => accurate.on_loss(snd_max),
        }
    }

    /// A segment leaves.
    #[inline]
    pub(crate) fn marks(&mut self, load: Load) -> EcnMarks {
        let flags = match &mut self.feedback {
            Agreed::Nothing => return EcnMarks::default(),
            Agreed::Classic(classic) => classic.flags(load == Load::New),
            Agreed::Dctcp(dctcp) => dctcp.flags(load == Load::New),
            Agreed::Accurate(accurate) => accurate.flags(),
        };
        let ecn = match load {
            Load::Nothing => Ecn::NotEct,
            Load::New => self.ect.0,
            Load::Again => self.ect.1,
        };
        EcnMarks { ecn, flags }
    }

    /// The flags of the pure ACK of a SYN-ACK.
    pub(crate) fn syn_ack_flags(&self) -> EcnFlags {
        match &self.feedback {
            Agreed::Accurate(accurate) => accurate.reflection(),
            _ => EcnFlags::NONE,
        }
    }

    /// Whether a segment that leaves is to have an AccECN option.
    #[inline]
    pub(crate) fn wants_option(&self, has_data: bool) -> bool {
        matches!(&self.feedback, Agreed::Accurate(accurate) if accurate.wants_option(has_data))
    }

    /// The AccECN option of a segment that leaves, if it is to have one and has room.
    #[inline]
    pub(crate) fn option(&mut self, leaving: Leaving) -> Option<AccEcn> {
        match &mut self.feedback {
            Agreed::Accurate(accurate) => accurate.option(leaving),
            _ => None,
        }
    }

    /// The AccECN option of a SYN-ACK that is sent for the first time, or of the ACK of one.
    pub(crate) fn handshake_option(&self) -> Option<AccEcn> {
        match &self.feedback {
            Agreed::Accurate(accurate) => Some(accurate.handshake_option()),
            _ => None,
        }
    }
}

/// A segment about to leave, as far as its AccECN option depends on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaving {
    /// It has data.
    pub(crate) has_data: bool,
    /// Bytes of options that it has room for.
    pub(crate) room: u32,
}

/// What new data and retransmissions carry, to a peer that counts marks or not.
fn ect(options: &Options, counts: bool) -> (Ecn, Ecn) {
    if options.l4s && counts { (Ecn::Ect1, Ecn::Ect1) } else { (Ecn::Ect0, Ecn::NotEct) }
}
