//! A TCP endpoint without I/O.
//!
//! Segments and a time go in; segments and a deadline come out. Nothing here knows of a network
//! or an event loop, reads a clock, or draws a random number. Of the simulator it uses the type
//! [`sim::time::Time`] alone (`docs/adr/0004-recovery-and-congestion-control.md`).
//!
//! | module | what |
//! |---|---|
//! | [`segment`] | what goes over the wire |
//! | [`connection`] | the endpoint: states, sending, acknowledging, timers |
//! | [`receiver`] | reordering, the advertised window, SACK generation |
//! | [`window`], [`ranges`] | the sender's variables; sets of sequence ranges |
//! | [`rtt`] | the coarse clock, RTT estimation, the retransmission time-out |
//! | [`congestion`], [`recovery`] | how cwnd moves; what is sent again, and when |
//! | [`flavor`] | the table of flavors |
//!
//! Sequence numbers are 64 bits wide and start at 0 (the SYN): they do not wrap, so they compare
//! as numbers. An adapter to a real wire keeps the low 32 bits and adds the initial ones.

pub mod config;
pub mod congestion;
pub mod connection;
pub mod flavor;
pub mod ranges;
pub mod receiver;
pub mod recovery;
pub mod rtt;
pub mod segment;
mod send;
pub mod window;

pub use config::{Config, LossWindow};
pub use connection::{Connection, Counters, State};
pub use flavor::{FLAVORS, Flavor};
pub use rtt::TickClock;
pub use segment::{SackBlocks, Segment};
pub use window::Window;
