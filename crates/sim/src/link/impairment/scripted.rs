//! Loses the packets on a list: the classic way to show how a sender recovers from one to four losses
//! in a window (Fall and Floyd 1996).
//!
//! | parameter | unit |
//! |---|---|
//! | counts | which packets are counted |
//! | lost | numbers of the packets to lose, the first being 1 |

use super::{Fate, Impairment};
use crate::packet::Packet;
use base::Time;

/// Loses the packets on a list, counted among those for which `counts` is true.
pub struct ScriptedDrops<P> {
    counts: fn(&Packet<P>) -> bool,
    seen: u64,
    lost: Vec<u64>,
}

impl<P> ScriptedDrops<P> {
    /// Loses the packets whose numbers are in `lost`.
    #[must_use]
    pub fn new(counts: fn(&Packet<P>) -> bool, lost: Vec<u64>) -> Self {
        Self { counts, seen: 0, lost }
    }
}

impl<P> Impairment<P> for ScriptedDrops<P> {
    fn apply(&mut self, packet: &mut Packet<P>, _: Time) -> Fate {
        if !(self.counts)(packet) {
            return Fate::Pass;
        }
        self.seen += 1;
        if self.lost.contains(&self.seen) { Fate::Lose } else { Fate::Pass }
    }

    fn only_loses(&self) -> bool {
        true
    }
}
