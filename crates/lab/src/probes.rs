//! Observers that record tables over time: queues, goodput, cwnd, ACR, RTTs, states, segments, packets.
//!
//! Each uses events of one kind, so that a run with it alone contains the code of that kind only:
//!
//! | observer | probes | events |
//! |---|---|---|
//! | [`AtHosts`] | goodput, transport, cwnd, RTTs, states | a host has acted |
//! | [`QueueBins`] | queues | links and networks of cells tell how much waits |
//! | [`AcrBins`] | ACR | sources of cells have another rate |
//! | [`SegmentTrace`] | segments | packets are sent, delivered and dropped, and hosts have acted |
//! | [`PacketTrace`] | packets | packets at their links; the only one that follows them, over the links that it records |

use crate::columns::Recorded;
use crate::error::Error;
use crate::host::Host;
use crate::plan::{Link, Plan};
use crate::recorder::Recorder;
use base::Time;
use goodput::GoodputBins;
use senders::Senders;
use sim::world::COMPONENT_STEP;
use sim::{Event, LinkId, Observer};

mod acr;
mod bins;
mod bounds;
mod cwnd;
mod goodput;
mod log;
mod packets;
mod queue;
mod rtt;
mod segments;
mod senders;
mod states;
mod transport;
mod under_way;

pub(crate) use acr::AcrBins;
pub use bounds::{Bound, bounds};
pub(crate) use packets::PacketTrace;
pub use queue::QueueBins;
pub(crate) use segments::SegmentTrace;

/// What links have told at a time. A network of cells may report an event later, so that more may follow.
#[derive(Clone, Copy)]
struct Told {
    end: Time,
    /// By how much later.
    delay: Time,
}

impl Told {
    /// In a run of the plan.
    fn of(plan: &Plan) -> Self {
        let has_cells = plan.written_links().any(|link| !matches!(link, Link::Packets { .. }));
        let delay = if has_cells { COMPONENT_STEP } else { Time::ZERO };
        Self { end: Time::from_ps(plan.duration_ps), delay }
    }

    /// The time up to which nothing more follows.
    fn by(self, now: Time) -> Time {
        if now < self.end { now.saturating_sub(self.delay) } else { now }
    }
}

/// What a plan asks to record of hosts.
pub(crate) struct AtHosts {
    flows: u32,
    goodput: Option<GoodputBins>,
    senders: Option<Senders>,
}

impl AtHosts {
    /// As the plan configures it; none if it does not.
    pub(crate) fn of(plan: &Plan) -> Option<Self> {
        let goodput = plan.probes.goodput_bin_ps.map(|width| GoodputBins::new(plan, width));
        let senders = Senders::of(plan);
        let is_wanted = goodput.is_some() || senders.is_some();
        is_wanted.then_some(Self { flows: plan.flow_count(), goodput, senders })
    }
}

impl Observer<Host> for AtHosts {
    fn follows(&self, _: LinkId) -> bool {
        false
    }

    // Inlined, so that of all other events nothing is left.
    #[inline(always)]
    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        if let Event::Acted(id, host) = event {
            // Hosts 0 .. flows are the receivers, hosts flows .. 2 flows the senders.
            match id.0.checked_sub(self.flows) {
                Some(flow) => self.senders.iter_mut().for_each(|its| its.acted(at, flow, host)),
                None => self.goodput.iter_mut().for_each(|its| its.acted(at, id.0, host)),
            }
        }
    }
}

impl Recorder for AtHosts {
    fn record(&self, by: Time, tables: &mut Recorded) -> Result<(), Error> {
        if let Some(goodput) = &self.goodput {
            tables.goodput = goodput.table(by);
        }
        self.senders.as_ref().map_or(Ok(()), |senders| senders.record(tables))
    }
}
