//! Observers that record tables over time: queues, goodput, cwnd, ACR, RTTs, states, segments, packets.
//!
//! [`Probes`] passes each event to the probes that the plan asks for and that use events of this kind. Any other event costs
//! a branch. Packets are apart, since they alone must be followed from link to link.

use crate::columns::Recorded;
use crate::error::Error;
use crate::host::Host;
use crate::plan::{Link, Plan};
use acr::AcrBins;
use atm::AtmEvent;
use base::Time;
use goodput::GoodputBins;
use senders::Senders;
use sim::link::LinkEvent;
use sim::world::COMPONENT_STEP;
use sim::{Event, Observer};

mod acr;
mod bins;
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

pub use packets::PacketTrace;
pub use queue::QueueBins;

/// What a plan asks to record, but for packets.
pub struct Probes {
    flows: u32,
    duration: Time,
    /// How much later than an event a network of cells may report it.
    report_delay: Time,
    goodput: Option<GoodputBins>,
    queue: Option<QueueBins>,
    acr: Option<AcrBins>,
    senders: Option<Senders>,
}

impl Probes {
    /// As the plan configures them; none if it asks for none of them.
    ///
    /// # Errors
    /// If the plan cannot be run.
    pub fn of(plan: &Plan) -> Result<Option<Self>, Error> {
        let wanted = &plan.probes;
        let has_cells = plan.written_links().any(|link| !matches!(link, Link::Packets { .. }));
        let probes = Self {
            flows: plan.flow_count(),
            duration: Time::from_ps(plan.duration_ps),
            report_delay: if has_cells { COMPONENT_STEP } else { Time::ZERO },
            goodput: wanted.goodput_bin_ps.map(|width| GoodputBins::new(plan, width)),
            queue: QueueBins::of(plan),
            acr: wanted.acr_bin_ps.map(|width| AcrBins::new(plan, width)).transpose()?,
            senders: Senders::of(plan),
        };
        let Self { goodput, queue, acr, senders, .. } = &probes;
        let is_wanted = goodput.is_some() || queue.is_some() || acr.is_some() || senders.is_some();
        Ok(is_wanted.then_some(probes))
    }

    /// Adds the tables of what has happened by a time; the time is the end of the run, or everything before it has
    /// happened.
    ///
    /// # Errors
    /// If a probe recorded more than it may.
    pub fn record(&self, by: Time, tables: &mut Recorded) -> Result<(), Error> {
        let told = if by < self.duration { by.saturating_sub(self.report_delay) } else { by };
        if let Some(goodput) = &self.goodput {
            tables.goodput = goodput.table(by);
        }
        if let Some(queue) = &self.queue {
            tables.queue = queue.table(told);
        }
        if let Some(acr) = &self.acr {
            tables.acr = acr.table(told);
        }
        self.senders.as_ref().map_or(Ok(()), |senders| senders.record(tables))
    }
}

impl Observer<Host> for Probes {
    const FOLLOWS_PACKETS: bool = false;

    // Inlined, so that where an event happens only its own branch is left.
    #[inline(always)]
    fn on(&mut self, at: Time, event: &Event<'_, Host>) {
        match *event {
            // Hosts 0 .. flows are the receivers, hosts flows .. 2 flows the senders.
            Event::Acted(id, host) => match id.0.checked_sub(self.flows) {
                Some(flow) => self.senders.iter_mut().for_each(|its| its.acted(at, flow, host)),
                None => self.goodput.iter_mut().for_each(|its| its.acted(at, id.0, host)),
            },
            Event::Link(link, ref event) => {
                if let LinkEvent::Queued { .. } | LinkEvent::Begins = event
                    && let Some(queue) = &mut self.queue
                {
                    queue.link(at, link, event);
                }
                if let LinkEvent::Dropped(packet, _) = event
                    && let Some(segments) = self.senders.as_mut().and_then(Senders::segments)
                {
                    segments.dropped(packet.id);
                }
            }
            Event::Sent(_, packet) => {
                if let Some(segments) = self.senders.as_mut().and_then(Senders::segments) {
                    segments.sent(at, packet);
                }
            }
            Event::Delivered(_, packet) => {
                if let Some(segments) = self.senders.as_mut().and_then(Senders::segments) {
                    segments.delivered(at, packet);
                }
            }
            Event::Component(_, AtmEvent::Acr { vc, acr }) => {
                self.acr.iter_mut().for_each(|its| its.changed(at, vc, acr));
            }
            Event::Component(link, event) => {
                self.queue.iter_mut().for_each(|its| its.component(at, link, event));
            }
            Event::Forwarded { .. } => {}
        }
    }
}
