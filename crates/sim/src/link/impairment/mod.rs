//! Impairments: losses, delays, copies and marks on a wire, one file per kind.
//!
//! They apply in order when the last bit of a packet has left the transmitter. So a packet that
//! they lose has used the link.

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
mod scheduled_loss;
mod scripted;
mod two_parameter;

pub use bernoulli::Bernoulli;
pub use duplicate::Duplicate;
pub use gilbert_elliott::GilbertElliott;
pub use jitter::Jitter;
pub use loss_events::LossEvents;
pub use mark::Mark;
pub use only::Only;
pub use scheduled_loss::ScheduledLoss;
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
    /// It takes longer by this time, and others may overtake it.
    Delay(Time),
}

/// Decides about each packet on a wire.
pub trait Impairment<P>: Send {
    /// What becomes of a packet whose last bit is sent at `now`.
    fn apply(&mut self, packet: &mut Packet<P>, now: Time) -> Fate;

    /// Whether it only passes or loses packets. A [`super::FifoLink`] accepts no other impairments.
    fn only_loses(&self) -> bool {
        false
    }
}

/// Probabilities are whole numbers of parts in 1e9.
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
