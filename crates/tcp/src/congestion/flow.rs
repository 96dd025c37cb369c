//! A sender with its window, for the tests of controls.

use super::CongestionWindow;
use crate::sender::Sender;

/// A sender with its window.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    pub(super) window: CongestionWindow,
    pub(super) sender: Sender,
}

impl Flow {
    /// So many bytes in flight, and no limit by the peer.
    pub(super) fn new(smss: u64, cwnd: u64, ssthresh: u64, in_flight: u64) -> Self {
        let snd_max = 1 + in_flight;
        let rwnd = u64::MAX / 2;
        let its = Sender::new(smss, None);
        let sender = Sender { snd_una: 1, snd_nxt: snd_max, snd_max, rwnd, max_rwnd: rwnd, ..its };
        Self { window: CongestionWindow::new(cwnd, ssthresh), sender }
    }

    pub(super) fn cwnd(&self) -> u64 {
        self.window.cwnd()
    }

    pub(super) fn ssthresh(&self) -> u64 {
        self.window.ssthresh()
    }
}
