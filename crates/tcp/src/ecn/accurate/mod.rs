//! Accurate ECN: counters of marked packets and bytes.
//!
//! Source: RFC 9768. Section 3.1 for what flags agree to it, 3.2.2.1 for what the handshake reports of its own packets.
//!
//! | file | which side |
//! |---|---|
//! | `counting.rs` | the receiver counts, reports, and says when an ACK is due at once |
//! | `decoding.rs` | the sender finds out how much was marked |
//!
//! | checked | consequence |
//! |---|---|
//! | the peer reports another ECN field of our SYN or SYN-ACK than it left with (3.2.2.3) | no ECT from then on |
//! | the ACK of the SYN-ACK has a counter of zero (3.2.2.1, table 4) | the same, and no reaction to marks |
//! | a counter of ECT bytes begins with zero (3.2.3.2.4) | the option is ignored |
//! | bytes were marked, but no packet was (3.2.3.2.5) | no ECT from then on |
//!
//! Deviations: the counter in the first packet after the handshake may be zero (3.2.2.4, MAY), and marks of every packet are not
//! taken for a fault (3.2.2.3, advice): in this laboratory a queue may mark everything. A segment that carries the option beside
//! data is longer by it, as one with SACK blocks is. No loss of segments with the option is looked for (3.2.3.2.2), but for
//! SYN-ACKs.

use super::classic::Reactions;
use super::{AckDemand, EcnFlags, Leaving};
use crate::segment::{AccEcn, Segment};
use base::Ecn;
use counting::Counting;
use decoding::{Acked, Decoding};

mod counting;
mod decoding;

/// The counters of packets begin with this, so that none is zero unless a middlebox has made it so (section 3.2.1).
const FIRST_CEP: u64 = 5;
/// And those of bytes in ECT packets.
const FIRST_ECT_BYTES: u64 = 1;

/// Whether the flags of a SYN ask for it, or those of the answer agree to it (table 2). Reserved ones do, too (3.1.3).
pub(super) fn is_agreed(flags: EcnFlags, is_answer: bool) -> bool {
    if is_answer {
        !matches!(flags.ace(), 0b000 | 0b001 | 0b111)
    } else {
        !matches!(flags.ace(), 0b000 | 0b011)
    }
}

/// Whether flags report that a packet which was not ECT has become so on its way.
pub(super) fn is_mangled(reflected: EcnFlags) -> bool {
    [Ecn::Ect1, Ecn::Ect0, Ecn::Ce].map(reflection).contains(&reflected)
}

/// What reports the ECN field of a SYN or SYN-ACK (tables 2 and 3).
fn reflection(ecn: Ecn) -> EcnFlags {
    EcnFlags::from_ace(match ecn {
        Ecn::NotEct => 0b010,
        Ecn::Ect1 => 0b011,
        Ecn::Ect0 => 0b100,
        Ecn::Ce => 0b110,
    })
}

/// What an endpoint keeps.
#[derive(Debug)]
pub(super) struct Accurate {
    counting: Counting,
    decoding: Decoding,
    reactions: Reactions,
    /// The ECN field of the peer's SYN or SYN-ACK.
    of_syn: Ecn,
}

impl Accurate {
    /// The peer's SYN or SYN-ACK has agreed to it.
    pub(super) fn new(syn: &Segment) -> Self {
        let (counting, decoding) = (Counting::new(syn.ack.is_some()), Decoding::default());
        let mut its = Self { counting, decoding, reactions: Reactions::default(), of_syn: syn.ecn };
        if syn.ack.is_some() {
            its.on_syn_ack(syn.ecn);
            its.decoding.on_first_option(syn.accecn.as_deref());
        }
        its
    }

    /// What reports the ECN field of the peer's SYN or SYN-ACK.
    pub(super) fn reflection(&self) -> EcnFlags {
        reflection(self.of_syn)
    }

    /// The peer's SYN has come again.
    pub(super) fn reflect(&mut self, ecn: Ecn) {
        self.of_syn = ecn;
    }

    /// The SYN-ACK has come, perhaps again.
    pub(super) fn on_syn_ack(&mut self, ecn: Ecn) {
        self.of_syn = ecn;
        self.counting.count_syn_ack(ecn);
    }

    /// The ACK of our SYN-ACK has come, with this in its flags (table 4).
    pub(super) fn on_handshake_ack(&mut self, ace: u8) {
        self.decoding.on_handshake_ack(ace);
    }

    /// A segment other than a SYN came; data of earlier ones wait for their ACK or not.
    pub(super) fn on_segment(&mut self, segment: &Segment, ack_waits: bool) -> AckDemand {
        if self.counting.count(segment, ack_waits) { AckDemand::Now } else { AckDemand::None }
    }

    /// Bytes marked according to an ACK that delivers `bytes` in segments of at most `smss`; none if they contradict the
    /// packets that are marked.
    pub(super) fn on_ack(&mut self, segment: &Segment, (bytes, smss): (u64, u64)) -> Option<u64> {
        let ace = EcnFlags::of(segment).ace();
        self.decoding.on_ack(ace, segment.accecn.as_deref(), Acked { bytes, smss })
    }

    /// Whether marks in an ACK of `ack` are the first of a window; `snd_max` bytes are out.
    pub(super) fn is_news(&mut self, ack: u64, snd_max: u64) -> bool {
        self.reactions.is_due(ack, snd_max)
    }

    pub(super) fn on_loss(&mut self, snd_max: u64) {
        self.reactions.on_loss(snd_max);
    }

    /// The flags of a segment that leaves.
    pub(super) fn flags(&mut self) -> EcnFlags {
        EcnFlags::from_ace(self.counting.report())
    }

    /// Whether a segment that leaves is to have the option.
    pub(super) fn wants_option(&self, has_data: bool) -> bool {
        self.counting.wants_option(has_data)
    }

    /// The option of a segment that leaves, if it is to have one and has room.
    pub(super) fn option(&mut self, leaving: Leaving) -> Option<AccEcn> {
        if self.wants_option(leaving.has_data) { self.counting.option(leaving) } else { None }
    }

    /// The option of a SYN-ACK or of the ACK of one.
    pub(super) fn handshake_option(&self) -> AccEcn {
        self.counting.all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 9768, table 2: what a client that asks makes of each answer, and a server of each SYN.
    #[test]
    fn flags_agree_as_in_table_2() {
        let agreed = |is_answer| (0..8).map(move |ace| is_agreed(EcnFlags::from_ace(ace), is_answer));
        let by_answer: Vec<bool> = agreed(true).collect();
        assert_eq!(by_answer, [false, false, true, true, true, true, true, false]);
        let by_syn: Vec<bool> = agreed(false).collect();
        assert_eq!(by_syn, [false, true, true, false, true, true, true, true]);
    }

    /// Table 3, and the counter that goes on.
    #[test]
    fn the_field_of_the_syn_ack_is_reported_and_a_mark_counted_once() {
        for (ecn, ace, cep) in
            [(Ecn::NotEct, 0b010, 5), (Ecn::Ect1, 0b011, 5), (Ecn::Ect0, 0b100, 5), (Ecn::Ce, 0b110, 6)]
        {
            let mut client = Accurate::new(&Segment { syn: true, ack: Some(1), ecn, ..Segment::default() });
            client.on_syn_ack(ecn);
            assert_eq!((client.reflection().ace(), client.flags().ace()), (ace, cep), "{ecn:?}");
            assert_eq!(is_mangled(client.reflection()), ecn != Ecn::NotEct);
        }
    }

    #[test]
    fn a_marked_syn_is_reported_and_not_counted() {
        let mut server = Accurate::new(&Segment { syn: true, ecn: Ecn::Ce, ..Segment::default() });
        assert_eq!((server.reflection().ace(), server.flags().ace()), (0b110, 5));
        server.reflect(Ecn::NotEct);
        assert_eq!(server.reflection().ace(), 0b010, "the last one that came counts");
    }
}
