//! ATM at cell level: AAL5 frames, switch output ports, frame policies, rate control, networks of switches.
//!
//! An [`AtmLink`] is a [`sim::Component`]: packets go in, and those that arrive come out. It carries packets of any
//! content. Knows no TCP.
//!
//! There are two ports. [`PlainPort`] handles each cell as its own event and serves as the oracle.
//! [`TrainPort`] handles a frame as a train of cells, with the same decisions, departures and
//! occupancy; `tests/port_equality.rs` compares them on random inputs.

pub mod aal5;
pub mod abr;
mod cell_queue;
mod cell_trunk;
mod component;
pub mod erica;
mod frame_state;
pub mod gfr;
pub mod network;
mod plain_port;
mod policy;
mod port;
mod report;
mod train_port;

pub use cell_trunk::{CellAccess, CellTrunk};
pub use component::AtmLink;
pub use plain_port::PlainPort;
pub use policy::dfba::Dfba;
pub use policy::double_epd::DoubleEpd;
pub use policy::epd::Epd;
pub use policy::fba::Fba;
pub use policy::ppd::Ppd;
pub use policy::selective_drop::SelectiveDrop;
pub use policy::tail::Tail;
pub use policy::{FRAME_POLICIES, FramePolicy, PolicyKind, PortView};
pub use port::{Eom, Fate, Frame, PortConfig, PortCounters, PortEvents, Reassembly};
pub use report::{AtmEvent, FrameDrop};
pub use train_port::TrainPort;

/// Bytes of a cell on the line.
pub const CELL_BYTES: u32 = 53;
/// Bytes of a cell that carry a frame.
pub const CELL_PAYLOAD_BYTES: u32 = 48;
