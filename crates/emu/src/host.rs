//! An end of a flow, as a host of the world: it hands arriving packets to the device of its node.

use crate::clock::{Clock, nanoseconds};
use crate::frames::Frame;
use crate::lateness::{Lateness, Worst};
use crate::port::Port;
use atm::AtmLink;
use base::Time;
use serde::Serialize;
use sim::{Outbox, Packet};
use std::cell::RefCell;
use std::rc::Rc;

/// The counters of devices, since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Counts {
    /// Packets that came from devices into the network.
    pub(crate) entered: u64,
    /// Packets that left the network into devices.
    pub(crate) left: u64,
    /// Packets between nodes that no flow connects, or of another protocol; they are not carried.
    pub(crate) strange: u64,
    /// Packets longer than the setup says; they are not carried.
    pub(crate) too_long: u64,
    /// Packets that a device did not take.
    pub(crate) refused: u64,
    /// Failed reads of devices.
    pub(crate) unreadable: u64,
    /// Packets that entered or left later than the deadline.
    pub(crate) misses: u64,
}

/// Devices and their counters. The driver and the hosts of one world share it, in one thread.
pub(crate) struct Devices {
    pub(crate) clock: Clock,
    pub(crate) ports: Vec<Port>,
    pub(crate) counts: Counts,
    pub(crate) deadline_ns: u64,
    pub(crate) left_late: Lateness,
    pub(crate) worst: Worst,
}

impl Devices {
    /// Sends the packets that have left the network; returns the time after that, or `now` if there were none.
    pub(crate) fn flush(&mut self, now: Time) -> Time {
        let Self { clock, ports, counts, deadline_ns, left_late, worst } = self;
        let mut after = now;
        for port in ports.iter_mut().filter(|port| !port.leaving.is_empty()) {
            let mut sent = Vec::with_capacity(port.leaving.len());
            port.flush(|at, frame, is_sent| {
                if is_sent {
                    sent.push((at, frame.entered_late_ns));
                } else {
                    counts.refused += 1;
                }
            });
            // Read afterwards: sending takes time, too.
            after = clock.now();
            for (at, entered_late_ns) in sent {
                let late = nanoseconds(after.saturating_sub(at));
                counts.left += 1;
                left_late.add(late);
                if late + entered_late_ns > *deadline_ns {
                    counts.misses += 1;
                    worst.add(at, entered_late_ns, late);
                }
            }
        }
        after
    }
}

/// An end of a flow.
pub(crate) struct End {
    devices: Rc<RefCell<Devices>>,
    /// Number of the device of its node.
    port: usize,
}

impl End {
    pub(crate) fn new(devices: Rc<RefCell<Devices>>, port: usize) -> Self {
        Self { devices, port }
    }

    /// Number of the device of its node.
    pub(crate) fn port(&self) -> usize {
        self.port
    }
}

impl sim::Host for End {
    type Payload = Frame;
    type Component = AtmLink<Frame>;

    fn receive(&mut self, now: Time, packet: &Packet<Frame>, _: &mut Outbox<'_, Frame>) {
        self.devices.borrow_mut().ports[self.port].leaving.push((now, packet.payload.clone()));
    }

    fn wake(&mut self, _: Time, _: &mut Outbox<'_, Frame>) {}

    fn next_wake(&self) -> Time {
        Time::NEVER
    }
}
