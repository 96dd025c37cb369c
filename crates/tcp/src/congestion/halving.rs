//! cwnd is ssthresh at once; in a recovery duplicate ACKs may inflate it, and partial ACKs deflate it.
//!
//! Source: RFC 5681 section 3.2 for the inflation: each duplicate ACK says that a segment has left the network. RFC 6582
//! section 3.2, step 3 for partial ACKs; 000 section 2.1 for the deflation to ssthresh.
//!
//! | parameter | what |
//! |---|---|
//! | inflates | the three duplicate ACKs that begin a recovery, and each further one, add a segment |
//! | deflation | a partial ACK brings cwnd back to ssthresh, or takes off what it acknowledged and adds a segment |

use super::{Cause, CongestionWindow};
use crate::options::{DUP_THRESH, Deflation};

/// cwnd is ssthresh at once.
#[derive(Clone, Copy, Debug)]
pub struct Halving {
    /// Duplicate ACKs inflate cwnd.
    pub inflates: bool,
    /// What a partial ACK does to cwnd.
    pub deflation: Deflation,
}

impl Halving {
    /// cwnd is ssthresh as long as the recovery lasts: what may be sent is counted otherwise.
    pub const PLAIN: Self = Self { inflates: false, deflation: Deflation::Full };

    /// ssthresh has been set.
    pub(super) fn begin(&self, window: &mut CongestionWindow, smss: u64, cause: Cause) {
        let inflation = if self.inflates && cause == Cause::Loss { u64::from(DUP_THRESH) } else { 0 };
        window.set_cwnd(window.ssthresh() + inflation * smss);
    }

    /// An ACK in a recovery, of `acked` bytes; a duplicate one of none.
    pub(super) fn on_ack(&self, window: &mut CongestionWindow, smss: u64, acked: u64) {
        let cwnd = window.cwnd();
        window.set_cwnd(match self.deflation {
            _ if acked == 0 => cwnd + if self.inflates { smss } else { 0 },
            Deflation::Full => window.ssthresh(),
            Deflation::Partial if acked >= smss => cwnd.saturating_sub(acked) + smss,
            Deflation::Partial => cwnd.saturating_sub(acked).max(smss),
        });
    }
}
