//! Impairments: what a wire does to a packet that has been sent, one file per kind.
//!
//! A packet meets them in order when its last bit has left the transmitter: what they take has
//! used the wire all the same.

use crate::packet::Packet;
use base::Time;
use rand::{Rng, RngExt};

mod bernoulli;
mod duplicate;
mod gilbert_elliott;
mod jitter;
mod loss_events;
mod mark;
mod only;
mod scripted;
mod two_parameter;

pub use bernoulli::Bernoulli;
pub use duplicate::Duplicate;
pub use gilbert_elliott::GilbertElliott;
pub use jitter::Jitter;
pub use loss_events::LossEvents;
pub use mark::Mark;
pub use only::Only;
pub use scripted::ScriptedDrops;
pub use two_parameter::TwoParameter;

/// What an impairment does to a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nothing.
    Pass,
    /// It is lost.
    Lose,
    /// It crosses with a mark of congestion.
    Mark,
    /// It crosses twice.
    Duplicate,
    /// It takes so much longer, and others may overtake it.
    Delay(Time),
}

/// Decides about each packet on a wire.
pub trait Impairment<P>: Send {
    /// What becomes of a packet whose last bit is sent at `now`.
    fn apply(&mut self, packet: &mut Packet<P>, now: Time) -> Fate;

    /// Whether packets pass or are lost, and nothing else becomes of them. Whoever says so is not asked for
    /// more than that.
    fn only_loses(&self) -> bool {
        false
    }
}

/// Parts in a thousand million: how probabilities are written where everything is a whole number.
pub const PPB: u32 = 1_000_000_000;

/// True with probability `ppb` / [`PPB`].
fn happens(rng: &mut impl Rng, ppb: u32) -> bool {
    rng.random_range(0..PPB) < ppb
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::{HostId, PacketId};

    /// Whether each of so many packets is lost.
    pub(super) fn losses(wire: &mut impl Impairment<()>, packets: u32) -> Vec<bool> {
        losses_at(wire, &vec![Time::ZERO; packets as usize])
    }

    /// Whether each of the packets that are sent at these times is lost.
    pub(super) fn losses_at(wire: &mut impl Impairment<()>, times: &[Time]) -> Vec<bool> {
        let mut packet = Packet {
            id: PacketId::sent(0),
            from: HostId(0),
            to: HostId(1),
            flow: 0,
            bytes: 1000,
            payload: (),
        };
        times.iter().map(|&now| wire.apply(&mut packet, now) == Fate::Lose).collect()
    }
}
