//! Strict priority: a packet of a lower band waits until no higher band has one.
//!
//! Source: Linux 6, net/sched/sch_prio.c and `pfifo_fast` in net/sched/sch_generic.c: three bands, each first in, first
//! out. The full queue: net/sched/sch_skbprio.c. The bands are those of `bands.rs`.
//!
//! If the queue is full, an arriving packet takes the place of the one that came last to the lowest band, if that is
//! lower than its own; otherwise it is dropped itself.
//!
//! Deviations and choices:
//! - One limit counts the packets of all bands. Linux gives each band a limit of its own, the length of the device's
//!   queue, which is 1000 packets, and drops what arrives to a full band. So low bands never take the room of high
//!   ones. With one limit they would, if the arriving packet were dropped: a burst of bulk traffic would lose packets
//!   of the highest band. Therefore `drop = "lowest"` is the default, as in Linux's skbprio, which has one limit too.
//! - If a limit in bytes would not be met even without all lower bands, the arriving packet is dropped, and no other.
//!
//! | parameter | unit | default |
//! |---|---|---|
//! | drop | lowest or arriving | lowest |
//! | limits | as of drop-tail, for all bands together | 1000 packets |

use super::bands::{BANDS, band_of};
use super::{
    DefaultValue, Discipline, DropTail, Ends, Make, PacketBuffer, Parameter, QueueDiscipline, Queued,
    Setting, Sink, Unit,
};
use crate::link::DropCause;
use crate::packet::Packet;
use base::Time;

#[cfg(test)]
mod tests;

pub(super) fn row<P: Send + 'static>() -> Discipline<P> {
    Discipline {
        name: "priority",
        title: "strict-priority",
        summary: "Sends urgent packets before all others and background traffic after them, by their DSCP \
                  (Linux's prio).",
        parameters: &[DROP],
        limit: Some(1000),
        is_random: false,
        check: |_| None,
        make: Make::Queue(make),
    }
}

const DROP: Parameter = Parameter {
    name: "drop",
    unit: Unit::Word(&["lowest", "arriving"]),
    default: DefaultValue::Is(0),
    meaning: "Packet that a full queue drops: the last of the lowest band if that band is below the band of the arriving packet, \
              or always the arriving one.",
};

fn make<P: Send + 'static>(values: &[u64], setting: &Setting<P>) -> Box<dyn QueueDiscipline<P>> {
    let &[drop] = values else { unreachable!("there is a value for each parameter") };
    Box::new(Priority {
        drops_lowest: drop == 0,
        limits: setting.limits,
        ends: setting.ends.clone(),
        bands: std::array::from_fn(|_| PacketBuffer::new()),
    })
}

/// Strict priority.
struct Priority<P> {
    drops_lowest: bool,
    limits: DropTail,
    ends: Ends,
    /// The highest first.
    bands: [PacketBuffer<P>; BANDS],
}

impl<P> Priority<P> {
    /// Whether there is room for a packet if only so many bands had packets.
    fn has_room(&self, bands: usize, bytes: u32) -> bool {
        let bands = &self.bands[..bands];
        let packets = bands.iter().map(PacketBuffer::packets).sum();
        let waiting = bands.iter().map(PacketBuffer::bytes).sum();
        self.limits.has_room(packets, waiting, bytes)
    }

    /// Drops packets of bands below this one until there is room, if so there can be.
    fn make_room(&mut self, band: usize, bytes: u32, sink: &mut dyn Sink<P>) {
        if !self.has_room(band + 1, bytes) {
            return;
        }
        while !self.has_room(BANDS, bytes) {
            let last = self
                .bands
                .iter_mut()
                .rev()
                .find_map(PacketBuffer::take_last)
                .expect("lower bands have packets");
            sink.dropped(&last, DropCause::QueueFull);
        }
    }
}

impl<P: Send> QueueDiscipline<P> for Priority<P> {
    fn enqueue(&mut self, packet: Packet<P>, now: Time, sink: &mut dyn Sink<P>) {
        let band = band_of(self.ends.dscp(&packet));
        if self.drops_lowest {
            self.make_room(band, packet.bytes, sink);
        }
        if self.has_room(BANDS, packet.bytes) {
            self.bands[band].enqueue(packet, now);
        } else {
            sink.dropped(&packet, DropCause::QueueFull);
        }
    }

    fn dequeue(&mut self, _: Time, _: &mut dyn Sink<P>) -> Option<Queued<P>> {
        self.bands.iter_mut().find_map(PacketBuffer::dequeue)
    }

    fn len_packets(&self) -> usize {
        self.bands.iter().map(PacketBuffer::packets).sum()
    }

    fn len_bytes(&self) -> u64 {
        self.bands.iter().map(PacketBuffer::bytes).sum()
    }
}
