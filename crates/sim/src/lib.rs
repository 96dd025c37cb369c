//! The event kernel and the network of ackclock.
//!
//! A [`World`] holds hosts, links and an agenda with one entry for each of them. It knows
//! nothing of what the hosts say to each other: a payload is a type parameter. Nothing here
//! does I/O, reads a clock, starts a thread or draws a number that does not come from a
//! [`rng::Streams`].
//!
//! | module | what |
//! |---|---|
//! | [`event`] | the total order of events and the agenda |
//! | [`rng`] | one random stream for each component and purpose |
//! | [`packet`], [`link`], [`queue`] | packets, links with rings, queue disciplines, impairments; the seam for networks of another kind |
//! | [`topology`] | which way packets go |
//! | [`world`], [`observer`] | hosts and links put together; what may be watched |

pub mod event;
pub mod link;
pub mod observer;
pub mod packet;
pub mod queue;
pub mod rng;
pub mod topology;
pub mod world;

pub use event::{Agenda, EventKey};
pub use link::{Component, Link, NoComponent};
pub use observer::{Event, Observer};
pub use packet::{HostId, LinkId, NodeId, Packet};
pub use topology::{Edge, Routes};
pub use world::{End, Exit, Host, Outbox, Passage, World, prefetch};
