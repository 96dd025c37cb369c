//! What a receiver counts and reports (RFC 9768, sections 3.2, 3.2.2.5.1 and 3.2.3.3).
//!
//! | an ACK goes out at once | |
//! |---|---|
//! | when data are marked, and the packet before was not | change-triggered |
//! | when `n` packets were marked since the last ACK | 2, or 3 if no data wait for an ACK, so that ACKs of ACKs die out |
//!
//! The option is that of the "recommended simple scheme": in each ACK since whose predecessor a counter of bytes has grown, with
//! every counter that has ever grown. If that has no room, it has those that have grown since the last option; if that has none
//! either, there is no option.

use super::{FIRST_CEP, FIRST_ECT_BYTES};
use crate::ecn::Leaving;
use crate::segment::{AccEcn, Segment};
use base::Ecn;

const MARKS_BEFORE_ACK: u32 = 2;
const MARKS_BEFORE_ACK_OF_ACKS: u32 = 3;

/// The counters of a receiver.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counting {
    /// r.cep: packets marked.
    cep: u64,
    /// r.e1b, r.ceb, r.e0b: bytes of payload.
    bytes: [u64; 3],
    /// Which of them have ever grown, and which since the last option.
    ever: [bool; 3],
    lately: [bool; 3],
    /// Whether the last packet was marked.
    last_marked: bool,
    /// Packets marked since the last ACK.
    unreported: u32,
    syn_ack_counted: bool,
    /// The first data have the option as well: so a client learns whether it passes (3.2.3.2.1).
    first_data: bool,
}

/// The place of ECT(1), CE and ECT(0) in order 1; order 0 has it backwards.
const fn place(ecn: Ecn) -> Option<usize> {
    match ecn {
        Ecn::NotEct => None,
        Ecn::Ect1 => Some(0),
        Ecn::Ce => Some(1),
        Ecn::Ect0 => Some(2),
    }
}

impl Counting {
    pub(super) fn new(is_client: bool) -> Self {
        Self {
            cep: FIRST_CEP,
            bytes: [FIRST_ECT_BYTES, 0, FIRST_ECT_BYTES],
            ever: [false; 3],
            lately: [false; 3],
            last_marked: false,
            unreported: 0,
            syn_ack_counted: false,
            first_data: is_client,
        }
    }

    /// Counts a mark of the SYN-ACK, once however often that comes (3.2.2.2).
    pub(super) fn count_syn_ack(&mut self, ecn: Ecn) {
        if ecn == Ecn::Ce && !std::mem::replace(&mut self.syn_ack_counted, true) {
            self.cep += 1;
        }
    }

    /// Counts a packet; data of earlier ones wait for their ACK or not. True if an ACK is due at once.
    pub(super) fn count(&mut self, segment: &Segment, ack_waits: bool) -> bool {
        if let Some(at) = place(segment.ecn).filter(|_| segment.len > 0) {
            self.bytes[at] += u64::from(segment.len);
            (self.ever[at], self.lately[at]) = (true, true);
        }
        let marked = segment.ecn == Ecn::Ce;
        let changed = marked && !std::mem::replace(&mut self.last_marked, marked);
        if !marked {
            return false;
        }
        self.cep += 1;
        self.unreported += 1;
        let has_data = segment.len > 0;
        let most = if has_data || ack_waits { MARKS_BEFORE_ACK } else { MARKS_BEFORE_ACK_OF_ACKS };
        (has_data && changed) || self.unreported >= most
    }

    /// What the flags of a segment that leaves report.
    pub(super) fn report(&mut self) -> u8 {
        self.unreported = 0;
        self.cep as u8 & 7
    }

    /// Whether a segment that leaves is to have the option.
    pub(super) fn wants_option(&self, has_data: bool) -> bool {
        self.lately != [false; 3] || (has_data && self.first_data)
    }

    /// The option for which there is room.
    pub(super) fn option(&mut self, leaving: Leaving) -> Option<AccEcn> {
        let option = if self.first_data && leaving.has_data {
            Some(self.all())
        } else {
            self.least(self.ever).filter(|option| fits(option, leaving)).or_else(|| self.least(self.lately))
        };
        let option = option.filter(|option| fits(option, leaving));
        if option.is_some() {
            self.lately = [false; 3];
        }
        self.first_data &= !leaving.has_data;
        option
    }

    /// All counters.
    pub(super) fn all(&self) -> AccEcn {
        AccEcn::new(true, &self.bytes)
    }

    /// The shortest option with these counters.
    fn least(&self, needed: [bool; 3]) -> Option<AccEcn> {
        let length = |mut needed: [bool; 3], backwards: bool| {
            if backwards {
                needed.reverse();
            }
            needed.iter().rposition(|&its| its).map_or(0, |last| last + 1)
        };
        let lengths = [length(needed, false), length(needed, true)];
        let mut bytes = self.bytes;
        let ect1_first = lengths[0] <= lengths[1];
        if !ect1_first {
            bytes.reverse();
        }
        let length = lengths[usize::from(!ect1_first)];
        (length > 0).then(|| AccEcn::new(ect1_first, &bytes[..length]))
    }
}

fn fits(option: &AccEcn, leaving: Leaving) -> bool {
    option.bytes().next_multiple_of(4) <= leaving.room
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOMY: Leaving = Leaving { has_data: false, room: 40 };

    fn packet(ecn: Ecn, len: u32) -> Segment {
        Segment { len, ecn, ..Segment::default() }
    }

    fn shown(option: Option<AccEcn>) -> String {
        option.map_or_else(String::new, |option| option.to_string())
    }

    /// Section 3.2.2.5.1.
    #[test]
    fn an_ack_is_due_when_marks_begin_and_when_some_have_come() {
        let mut counting = Counting::new(false);
        let mut due = |ecn, len, ack_waits, reports| {
            let due = counting.count(&packet(ecn, len), ack_waits);
            if reports {
                counting.report();
            }
            due
        };
        assert!(!due(Ecn::Ect1, 1000, false, false));
        assert!(due(Ecn::Ce, 1000, true, true), "the first after one that was not marked");
        assert!(!due(Ecn::Ce, 1000, false, false), "one more");
        assert!(due(Ecn::Ce, 1000, true, true), "two since the last ACK");
        assert!(!due(Ecn::Ect1, 1000, false, true));
        // ACKs: three of them, and no change asks for an ACK.
        assert!(!due(Ecn::Ce, 0, false, false));
        assert!(!due(Ecn::Ce, 0, false, false));
        assert!(due(Ecn::Ce, 0, false, true));
        assert!(!due(Ecn::Ce, 0, true, false) && due(Ecn::Ce, 0, true, true), "data wait");
    }

    #[test]
    fn every_marked_packet_counts_and_the_payload_by_its_field() {
        let mut counting = Counting::new(false);
        for (ecn, len) in [(Ecn::Ect1, 10), (Ecn::Ce, 200), (Ecn::Ce, 0), (Ecn::Ect0, 3000), (Ecn::NotEct, 9)]
        {
            counting.count(&packet(ecn, len), false);
        }
        assert_eq!((counting.cep, counting.report()), (7, 7));
        assert_eq!(counting.all().to_string(), "ECN e1b 11 ceb 200 e0b 3001");
    }

    /// Section 3.2.3.3, with its examples.
    #[test]
    fn the_option_has_what_has_grown_and_is_left_out_if_nothing_has() {
        let mut counting = Counting::new(false);
        assert!(!counting.wants_option(true));
        counting.count(&packet(Ecn::Ect0, 100), false);
        assert_eq!(shown(counting.option(ROOMY)), "ECN e0b 101");
        assert!(!counting.wants_option(true));
        counting.count(&packet(Ecn::Ce, 50), false);
        counting.count(&packet(Ecn::Ect0, 100), false);
        assert_eq!(shown(counting.option(ROOMY)), "ECN e0b 201 ceb 50");
        counting.count(&packet(Ecn::Ect0, 1), false);
        assert_eq!(shown(counting.option(ROOMY)), "ECN e0b 202 ceb 50");
        counting.count(&packet(Ecn::Ect1, 7), false);
        let small = Leaving { room: 8, ..ROOMY };
        assert_eq!(shown(counting.option(small)), "ECN e1b 8", "what has grown since the last option");
        counting.count(&packet(Ecn::Ect0, 1), false);
        counting.count(&packet(Ecn::Ect1, 1), false);
        assert_eq!((shown(counting.option(small)), counting.wants_option(false)), (String::new(), true));
        assert_eq!(shown(counting.option(ROOMY)), "ECN e1b 9 ceb 50 e0b 203");
    }

    #[test]
    fn the_first_data_of_a_client_have_the_option() {
        let mut client = Counting::new(true);
        let data = Leaving { has_data: true, ..ROOMY };
        assert!(!client.wants_option(false) && client.wants_option(true));
        assert_eq!(shown(client.option(data)), "ECN e1b 1 ceb 0 e0b 1");
        assert!(!client.wants_option(true));
    }
}
