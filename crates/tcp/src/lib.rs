//! A TCP endpoint without I/O.
//!
//! Segments and a time go in; segments and a deadline come out. Nothing here knows of a network
//! or an event loop, reads a clock, or draws a random number (`docs/adr/0004-recovery-and-congestion-control.md`).
//!
//! | module | what |
//! |---|---|
//! | [`segment`] | what goes over the wire |
//! | [`connection`] | the endpoint: its state, and what a driver does with it |
//! | `input`, `acks`, `send` | taking segments and acknowledgments, sending |
//! | `timers`, `timeouts` | the timers by name; what happens when one runs out |
//! | [`receiver`], `ack_policy` | reordering, the advertised window, SACK generation; when to acknowledge |
//! | [`sender`], [`transmit_queue`] | the sender's variables; every segment in flight |
//! | [`ranges`] | sets of sequence ranges |
//! | `timestamps`, `ecn` | the options that have a state of their own |
//! | `pacer` | segments at a rate |
//! | [`rtt`] | RTT estimation, the retransmission time-out, the coarse clock |
//! | `limits` | what limits a sender, and for how long |
//! | [`info`] | the state of a connection for observers |
//! | [`congestion`], [`loss`] | how cwnd moves; what is lost and sent again |
//! | [`options`] | what a flavor presets and a plan may set otherwise |
//! | [`flavor`], [`config`] | the table of flavors; the configuration of an endpoint |
//!
//! Sequence numbers are 64 bits wide and start at 0 (the SYN): they do not wrap, so they compare
//! as numbers. An adapter to a real wire keeps the low 32 bits and adds the initial ones.

mod ack_policy;
mod acks;
pub mod config;
pub mod congestion;
pub mod connection;
mod ecn;
pub mod flavor;
pub mod info;
mod input;
mod limits;
pub mod loss;
pub mod options;
mod pacer;
pub mod ranges;
pub mod receiver;
pub mod rtt;
pub mod segment;
mod send;
pub mod sender;
mod sender_state;
mod timeouts;
mod timers;
mod timestamps;
pub mod transmit_queue;

pub use base::Ecn;
pub use config::Config;
pub use connection::{Connection, Counters, State};
pub use flavor::{FLAVORS, Flavor, OUTSIDE, Outstanding};
pub use info::Info;
pub use limits::Limited;
pub use loss::CaState;
pub use options::{
    AckTimer, CwndRounding, Floor, Growth, Historic, Options, SsthreshFrom, SsthreshRounding, Timers,
    WindowProbe,
};
pub use rtt::TickClock;
pub use segment::{AccEcn, SackBlocks, Segment, Timestamps};
pub use send::Sink;
pub use sender::Sender;
pub use sender_state::SenderState;
