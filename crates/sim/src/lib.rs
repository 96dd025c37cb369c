//! The event kernel and the network of ackclock.
//!
//! A [`World`] holds hosts, links and an event queue. It knows neither what hosts send to each
//! other nor what kinds of networks there are besides packet links: payload and component are type
//! parameters. Nothing here does I/O, reads a clock, starts a thread or draws a number that does
//! not come from a [`rng::Streams`].
//!
//! | module | what |
//! |---|---|
//! | [`event`] | the total order of events and the event queue |
//! | [`rng`] | one random stream for each component and purpose |
//! | [`packet`], [`link`], [`queue`] | packets, links, queue disciplines, impairments; interface of other networks |
//! | [`topology`] | routes |
//! | [`histogram`], [`waits`] | percentiles of waiting times |
//! | [`host`], [`observer`] | the endpoints at the nodes; the recording of events |
//! | [`world`] | the event loop around all of these |

pub mod event;
pub mod histogram;
pub mod host;
mod in_flight;
pub mod link;
pub mod observer;
pub mod packet;
pub mod queue;
pub mod rng;
pub mod topology;
pub mod waits;
pub mod world;

pub use event::{EventKey, EventQueue};
pub use host::{Host, Outbox};
pub use link::{Component, Link, NoComponent};
pub use observer::{Event, Observer};
pub use packet::{HostId, LinkId, NodeId, Packet, PacketId};
pub use topology::{Edge, Routes};
pub use waits::Waits;
pub use world::{Adjacency, End, NextHop, World};
