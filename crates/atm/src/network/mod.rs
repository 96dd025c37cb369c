//! An ATM network: hosts with NICs, switches with ports, lines, and VCs of three categories.
//!
//! It is one component of the world: packets enter at the NICs of their hosts, and leave when their last cells
//! have crossed the last line. It simulates each cell.
//!
//! | part | file |
//! |---|---|
//! | lines, VCs, their checks; paths | `config.rs`, `paths.rs` |
//! | the cells of a VC: sources, waiting cells, arrivals | `sources.rs`, `vc.rs` |
//! | a host's line: which cell leaves next | `nic.rs` |
//! | a switch's line: which cells are lost | `port.rs`, `frames.rs` |
//! | which cell leaves next | `scheduler.rs`, `guaranteed_rate.rs`, `scfq.rs`, `vc_counts.rs` |
//! | cells on lines between them, and on the last | `cell.rs`, `lanes.rs`, `arriving.rs` |
//! | the events, in order | `events.rs`, `sending.rs` |
//!
//! **Time.** A cell that begins to leave at t has left at t plus the cell time, and has arrived, whole, a delay
//! later. Switching takes no time. A cell that leaves at t makes room for one that arrives at t.
//!
//! **Order.** Events at the same time happen in this order, however often the network is advanced or read:
//! 1. Measurement intervals end (each port before anything else at that port).
//! 2. Cells arrive at switches: those from NICs first, of these the ones from shorter lines first, of equally short
//!    ones in the order in which they left; then those from switches by the number of the line.
//! 3. RM cells come to hosts, by the number of the line.
//! 4. Cell sources make cells, by the number of the VC. Then ABR VCs may send, by the number of the VC.
//! 5. Ports choose, and NICs, by the number of the line.
//! 6. The hosts of the world send.
//!
//! **What is not an event.** A port with one category and one queue knows when each cell will leave. A
//! measurement interval ends at the next access to its port that could notice. A cell behind the last port
//! certainly arrives, so the receiver gets it in advance, with the time of arrival.
//!
//! Packets of a VC arrive in the order in which they were sent, each whole, or are reported as lost. A packet is known
//! to be lost when its last cell comes to a port behind which it cannot be whole; or, if that cell has come through but
//! an earlier packet's remains are taken for its beginning (AAL5), when it comes to the last port.

mod arriving;
mod atm_network;
mod cell;
mod config;
mod counters;
mod events;
mod frames;
mod guaranteed_rate;
mod lanes;
mod nic;
mod paths;
mod port;
mod scfq;
mod scheduler;
mod sending;
mod sources;
#[cfg(test)]
mod tests;
mod tournament;
mod vc;
mod vc_counts;

pub use atm_network::AtmNetwork;
pub use config::{
    Category, LineConfig, NetworkConfig, NetworkError, Service, SwitchPort, UbrQueueing, VcConfig,
};
pub use counters::{ClassCounters, NetworkCounters, VcCounters};
pub use paths::Paths;
pub use scfq::Excess;
pub use sources::{CellLaw, Cells};
