//! How much was marked, from the counters that come back (RFC 9768, sections 3.2.2.2, 3.2.2.5.2 and 3.2.3.1).
//!
//! The flags have three bits of a counter of packets. An ACK of eight packets or more may hide that it went round: then as many
//! are taken for marked as can be (the "safest likely case"). The option has 24 bits of a counter of bytes, and decides.
//!
//! Bytes that the flags alone report are whole segments (appendix A.3). An option that comes later corrects what they have made
//! too little; what they have made too much, the next marks make good.
//!
//! An ACK that delivers nothing new may be older than one that has come, and is not looked at.

use super::FIRST_CEP;
use crate::segment::AccEcn;
use base::Ecn;

/// What an ACK delivers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Acked {
    pub(super) bytes: u64,
    /// The most that a segment has had of them.
    pub(super) smss: u64,
}

/// The counters of a sender.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decoding {
    /// s.cep: packets marked.
    cep: u64,
    /// The same when the last option came.
    cep_of_option: u64,
    /// s.ceb: bytes marked, according to the last option.
    ceb: u64,
    /// Bytes passed on as marked.
    passed: u64,
    ignores_option: bool,
    /// Whether an option has come.
    has_option: bool,
    ignores_all: bool,
}

impl Default for Decoding {
    fn default() -> Self {
        Self {
            cep: FIRST_CEP,
            cep_of_option: FIRST_CEP,
            ceb: 0,
            passed: 0,
            ignores_option: false,
            has_option: false,
            ignores_all: false,
        }
    }
}

/// The least number from `from` on that is `to` in its low bits.
const fn rise(from: u64, to: u64, bits: u32) -> u64 {
    to.wrapping_sub(from) & ((1 << bits) - 1)
}

impl Decoding {
    /// Table 4.
    pub(super) fn on_handshake_ack(&mut self, ace: u8) {
        match ace {
            0b000 => self.ignores_all = true,
            0b110 => self.cep = FIRST_CEP + 1,
            _ => {}
        }
        self.cep_of_option = self.cep;
    }

    /// The first option may show that a middlebox sets it to zero (section 3.2.3.2.4).
    pub(super) fn on_first_option(&mut self, option: Option<&AccEcn>) {
        if let Some(option) = option.filter(|_| !self.has_option) {
            self.has_option = true;
            self.ignores_option =
                [Ecn::Ect0, Ecn::Ect1].into_iter().any(|ecn| option.counter(ecn) == Some(0));
        }
    }

    /// Bytes marked according to an ACK; none if the counters contradict each other.
    pub(super) fn on_ack(&mut self, ace: u8, option: Option<&AccEcn>, acked: Acked) -> Option<u64> {
        self.on_first_option(option);
        if self.ignores_all || acked.bytes == 0 {
            return Some(0);
        }
        let least = rise(self.cep, u64::from(ace), 3);
        match option.filter(|_| !self.ignores_option).map(|option| option.counter(Ecn::Ce)) {
            Some(Some(ceb)) => self.on_bytes(least, rise(self.ceb, u64::from(ceb), 24), acked),
            // What the option leaves out has not risen since the last one (section 3.2.3.3): the counter has not gone round.
            Some(None) => Some(self.on_packets(least, acked)),
            None => {
                let packets = acked.bytes.div_ceil(acked.smss);
                let marked = if packets < 8 { least } else { packets - ((packets - least) & 7) };
                Some(self.on_packets(marked, acked))
            }
        }
    }

    fn on_packets(&mut self, marked: u64, Acked { bytes, smss }: Acked) -> u64 {
        self.cep += marked;
        let marked = (marked * smss).min(bytes);
        self.passed += marked;
        marked
    }

    fn on_bytes(&mut self, least: u64, bytes: u64, Acked { smss, .. }: Acked) -> Option<u64> {
        self.ceb += bytes;
        // Of the numbers that the flags admit the one nearest to what the bytes are worth.
        let since = self.cep - self.cep_of_option;
        let worth = bytes.div_ceil(smss).saturating_sub(since + least);
        self.cep += least + (worth + 4) / 8 * 8;
        let is_contradiction = bytes > 0 && self.cep == self.cep_of_option;
        self.cep_of_option = self.cep;
        let marked = self.ceb.saturating_sub(self.passed);
        self.passed += marked;
        (!is_contradiction).then_some(marked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SMSS: u64 = 1000;

    fn acked(packets: u64) -> Acked {
        Acked { bytes: packets * SMSS, smss: SMSS }
    }

    fn ceb(bytes: u64) -> AccEcn {
        AccEcn::new(true, &[1, bytes])
    }

    /// Ten packets, and the counter has risen by one (modulo 8): nine are the safest likely case. With seven packets it cannot
    /// have gone round. The numbers of Linux' own tests are the same: 14 600 bytes of 1460, flags 6 and 4.
    #[test]
    fn the_safest_likely_case() {
        let after = |ace, packets| {
            let mut its = Decoding::default();
            its.on_ack(ace, None, acked(packets)).map(|marked| (marked / SMSS, its.cep - FIRST_CEP))
        };
        assert_eq!(after(6, 10), Some((9, 9)));
        assert_eq!(after(6, 7), Some((1, 1)));
        assert_eq!(after(4, 10), Some((7, 7)));
        assert_eq!(after(5, 7), Some((0, 0)));
        assert_eq!(after(5, 8), Some((8, 8)));
        assert_eq!(after(0, 1), Some((1, 3)), "three packets, of which two have no data");
    }

    #[test]
    fn the_option_decides_and_corrects() {
        let mut its = Decoding::default();
        assert_eq!(its.on_ack(6, Some(&ceb(1000)), acked(10)), Some(1000));
        assert_eq!(its.cep, 6);
        // Without it: eight of eight.
        assert_eq!(its.on_ack(6, None, acked(8)), Some(8000));
        // It was none.
        assert_eq!(its.on_ack(7, Some(&ceb(2000)), acked(1)), Some(0));
        assert_eq!(its.on_ack(0, Some(&ceb(11_000)), acked(9)), Some(2000), "9000 were passed on");
        // 24 bits go round.
        let mut its = Decoding::default();
        let near = (1 << 24) - 1;
        its.on_ack(5, Some(&ceb(near)), acked(20_000));
        assert_eq!(its.on_ack(6, Some(&ceb(near + 1000)), acked(1)), Some(1000));
    }

    /// An option without the counter of marked bytes, as long as that is zero.
    #[test]
    fn what_an_option_leaves_out_has_not_risen() {
        let mut its = Decoding::default();
        assert_eq!(its.on_ack(5, Some(&AccEcn::new(true, &[10_001])), acked(10)), Some(0));
    }

    #[test]
    fn what_contradicts_itself_is_no_feedback() {
        let mut its = Decoding::default();
        assert_eq!(its.on_ack(5, Some(&ceb(1000)), acked(2)), None, "bytes without a packet");
        let mut its = Decoding::default();
        its.on_first_option(Some(&AccEcn::new(true, &[0, 0, 1])));
        assert_eq!(its.on_ack(6, Some(&ceb(5000)), acked(2)), Some(SMSS), "the flags alone");
        let mut its = Decoding::default();
        its.on_handshake_ack(0);
        assert_eq!(its.on_ack(6, None, acked(2)), Some(0));
        assert_eq!(Decoding::default().on_ack(6, None, acked(0)), Some(0), "an old ACK");
    }

    proptest! {
        /// A receiver with unbounded counters, and ACKs of which some are lost. The oracle counts. With the option in each ACK
        /// the sender knows all bytes at each ACK; with the flags alone never less than were marked, and exactly as many as long as
        /// each ACK covers fewer than eight packets.
        #[test]
        fn what_is_found_is_what_was_marked(
            packets in prop::collection::vec((any::<bool>(), 0u8..4), 1..400),
            has_option: bool,
            loses: bool,
        ) {
            let mut its = Decoding::default();
            let (mut cep, mut bytes, mut unacked, mut found) = (FIRST_CEP, 0, 0, 0);
            let mut is_certain = true;
            for (marked, ack) in packets {
                cep += u64::from(marked);
                bytes += if marked { SMSS } else { 0 };
                unacked += 1;
                if ack == 0 && loses {
                    continue;
                }
                is_certain &= unacked < 8;
                let option = if bytes > 0 { ceb(bytes) } else { AccEcn::new(true, &[7]) };
                let newly = its.on_ack((cep & 7) as u8, has_option.then_some(&option), acked(unacked));
                found += newly.expect("no contradiction");
                unacked = 0;
                if has_option || is_certain {
                    prop_assert_eq!((found, its.cep), (bytes, cep));
                } else {
                    prop_assert!(found >= bytes && its.cep >= cep, "{found} of {bytes}");
                    prop_assert_eq!(its.cep & 7, cep & 7);
                }
            }
        }
    }
}
