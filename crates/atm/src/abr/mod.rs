//! The available bit rate (ABR) service: source and destination end systems.
//!
//! State machines without events and queues: a NIC asks an [`AbrSource`] when the next cell of its
//! VC may leave and which one it is, and tells it the backward RM cells that come. Names are those
//! of TM 4.0: FRM and BRM are RM cells on their way to the destination and back.

mod config;
mod destination;
mod pace;
mod rm;
mod source;

pub use config::AbrConfig;
pub use destination::AbrDestination;
pub use rm::RmCell;
pub use source::{AbrSource, NextCell};
