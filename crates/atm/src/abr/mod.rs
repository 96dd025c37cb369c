//! The available bit rate (ABR) service: source and destination end systems.
//!
//! State machines without events and queues. [`AbrSource`] returns when the next cell of its VC may
//! leave and of which kind it is; the NIC passes arriving backward RM cells to it. Names are those of
//! TM 4.0: an FRM is an RM cell that travels to the destination, a BRM one that travels back.

mod config;
mod destination;
mod pace;
mod rm;
mod source;

pub use config::AbrConfig;
pub use destination::AbrDestination;
pub use rm::RmCell;
pub use source::{AbrSource, NextCell};
