//! The loop: waits until a packet is due or has come, lets the packets that have come enter the network, and hands those that
//! are due to their devices. System calls take most of the time, so the loop makes few: it waits for all devices at once,
//! reads those that have something, a batch at a time, and reads the clock once after the wait and once after sending.
//!
//! A packet leaves at the network's time, so errors do not add up. It enters at the time of its stamp, or at the time
//! of the network's last event if that is later. The network's time never stops: if the computer is too slow, packets
//! are late, and the report states how late.

use crate::clock::{Clock, nanoseconds, timespec};
use crate::frames::{Frame, Pool};
use crate::headers::{self, Directory};
use crate::host::{Counts, Devices, End};
use crate::lateness::{Lateness, Worst};
use crate::port::{Port, Received};
use crate::report::Report;
use crate::tap::{RING, Tap};
use crate::{Emulated, Error, Setup, control};
use base::Time;
use lab::build::{self, Network};
use lab::plan::Link;
use lab::probes::QueueBins;
use lab::{Columns, LinkTotals, Plan, Table};
use rustix::event::{PollFd, PollFlags, poll};
use sim::{HostId, NodeId, Observer, World};
use std::cell::RefCell;
use std::os::fd::AsFd;
use std::rc::Rc;
use std::sync::Arc;

/// How long the difference between the clock of stamps and that of the run holds. It changes only when the system's time is
/// set, and takes two readings.
const STAMPS_HOLD: Time = Time::from_ms(10);

/// Sets everything up, waits for the start, and runs.
pub(crate) fn emulate(plan: &Plan, seed: u64, setup: &Setup, control: &impl AsFd) -> Result<Emulated, Error> {
    let queues = QueueBins::of(plan);
    let (mut columns, report, queues) = match &setup.capture {
        None => observed(plan, seed, setup, control, queues)?,
        Some(capture) => {
            let (tap, writer) = Tap::new(plan, &capture.request, capture.path.clone());
            let (columns, mut report, (queues, tap)) = observed(plan, seed, setup, control, (queues, tap))?;
            let missed = tap.missed();
            // Dropping the observer ends the notes.
            drop(tap);
            report.capture = writer.join().ok().map(|captured| captured.with_missed(missed));
            (columns, report, queues)
        }
    };
    columns.recorded.queue = queues.map_or_else(Table::default, |queues| queues.table(Time::NEVER));
    let report = serde_json::to_string(&report).map_err(|error| Error::Setup(error.to_string()))?;
    Ok(Emulated { columns, report })
}

/// Runs with an observer, and returns it.
fn observed<O: Observer<End>>(
    plan: &Plan,
    seed: u64,
    setup: &Setup,
    control: &impl AsFd,
    observer: O,
) -> Result<(Columns, Report, O), Error> {
    // A plan that cannot be run is reported before anything else.
    let Network { links, routes, adjacency } = build::network(plan, seed)?;
    let devices = devices(setup, control)?;
    let ends = plan.nodes_of_hosts().map(|node| {
        let port = setup.port_of(node).expect("the setup was checked");
        (End::new(Rc::clone(&devices), port), NodeId(node))
    });
    let world = World::new(ends, links, routes, observer).with_adjacency(&adjacency);
    // Notes that wait for the writer of a capture hold buffers, too.
    let noted = if setup.capture.is_some() { RING } else { 0 };
    let mut driver = Driver {
        plan,
        world,
        devices,
        clock: Clock::starting_at(0),
        pool: Pool::new(setup.buffers as usize + noted, setup.packet_bytes as usize),
        directory: Directory::new(plan, setup),
        arrivals: Vec::new(),
        read_delay: Lateness::new(),
        entered_late: Lateness::new(),
        spin: Time::from_ps(setup.spin_ns * 1000),
        crossing: if setup.few_wakes { shortest_crossing(&plan.links) } else { Time::ZERO },
        stamps: Stamps::default(),
    };
    driver.start(Clock::starting_at(control::start(control)?));
    let ended = driver.run(control);
    Ok(driver.finish(&ended))
}

/// The devices whose file descriptors the launcher sends.
fn devices(setup: &Setup, control: &impl AsFd) -> Result<Rc<RefCell<Devices>>, Error> {
    let descriptors = control::ports(control, setup.ports.len())?;
    let port = |(device, its)| Port::new(device, its, setup.packet_bytes as usize);
    Ok(Rc::new(RefCell::new(Devices {
        clock: Clock::starting_at(0),
        ports: descriptors.into_iter().zip(&setup.ports).map(port).collect(),
        counts: Counts::default(),
        deadline_ns: setup.deadline_ns,
        left_late: Lateness::new(),
        worst: Worst::new(),
    })))
}

/// The shortest time that a packet takes over one of these links: its delay, without the time of sending it. Zero with links
/// whose delay is not constant.
fn shortest_crossing(links: &[Link]) -> Time {
    let delay = |link: &Link| match link {
        Link::Packets { delay_ps, varies: None, .. } => Time::from_ps(*delay_ps),
        Link::Group { links, .. } => shortest_crossing(links),
        _ => Time::ZERO,
    };
    links.iter().map(delay).min().unwrap_or(Time::ZERO)
}

/// A packet that was read and has not entered the network.
struct Arrival {
    /// When it arrived at the device, and its position in the order of reading.
    order: (Time, usize),
    from: HostId,
    to: HostId,
    flow: u32,
    bytes: u32,
    frame: Frame,
}

struct Driver<'a, O> {
    plan: &'a Plan,
    world: World<End, O>,
    devices: Rc<RefCell<Devices>>,
    clock: Clock,
    pool: Pool,
    directory: Directory,
    /// Packets that were read and have not entered; empty between two steps.
    arrivals: Vec<Arrival>,
    read_delay: Lateness,
    entered_late: Lateness,
    spin: Time,
    /// How long an event that moves a packet to the next link can wait: no packet crosses a link in less.
    crossing: Time,
    stamps: Stamps,
}

/// How far the clock of stamps is ahead of the monotonic clock, ns, and until when that holds.
#[derive(Default)]
struct Stamps {
    ahead: i64,
    until: Time,
}

/// Totals at the end of the warm-up, and whether the launcher ended the run before its time.
struct Ended {
    before: Option<LinkTotals>,
    at: Time,
    was_ended: bool,
}

impl<O: Observer<End>> Driver<'_, O> {
    fn start(&mut self, clock: Clock) {
        self.clock = clock;
        self.devices.borrow_mut().clock = clock;
        clock.wait_for_start();
    }

    fn run(&mut self, control: &impl AsFd) -> Ended {
        let (warm_up, end) = (Time::from_ps(self.plan.warm_up_ps), Time::from_ps(self.plan.duration_ps));
        let devices: Vec<_> = self.devices.borrow().ports.iter().map(Port::device).collect();
        let mut descriptors: Vec<_> =
            devices.iter().map(|device| PollFd::new(device, PollFlags::IN)).collect();
        descriptors.push(PollFd::new(control, PollFlags::IN));
        let (mut before, mut now) = (None, self.clock.now());
        while now < end {
            let check = if before.is_none() && warm_up > Time::ZERO { warm_up } else { end };
            now = self.wait(now, &mut descriptors, check);
            let ready = |place: &usize| !descriptors[*place].revents().is_empty();
            (0..devices.len()).filter(ready).for_each(|port| self.read(port, now));
            if ready(&devices.len()) {
                return Ended { before, at: now.min(end), was_ended: true };
            }
            let counted = check.max(now);
            self.enter(counted);
            self.advance(now.min(end), counted);
            now = self.devices.borrow_mut().flush(now);
            if check == warm_up && now >= warm_up {
                before = Some(self.totals(warm_up));
            }
        }
        Ended { before, at: end, was_ended: false }
    }

    /// Processes the events that are due by a time, each at its own. Counters are next read at `counted`, so a packet may cross
    /// links ahead of time until then: fewer events to wait for.
    fn advance(&mut self, time: Time, counted: Time) {
        self.world.advance_slice(counted, time, u64::MAX);
    }

    /// Reads a few packets of a device.
    fn read(&mut self, port: usize, now: Time) {
        if now >= self.stamps.until {
            self.stamps = Stamps { ahead: Clock::stamps_ahead(), until: now + STAMPS_HOLD };
        }
        let devices = Rc::clone(&self.devices);
        let Devices { ports, counts, .. } = &mut *devices.borrow_mut();
        for (place, received) in ports[port].receive().into_iter().enumerate() {
            match received {
                Received::Packet(stamp) => {
                    let at =
                        stamp.map_or(now, |stamp| self.clock.at_stamp(stamp, self.stamps.ahead).min(now));
                    match self.arrive(ports, (port, place), at) {
                        true => self.read_delay.add(nanoseconds(now.saturating_sub(at))),
                        false => counts.strange += 1,
                    }
                }
                Received::Other => counts.strange += 1,
                Received::TooLong => counts.too_long += 1,
                Received::Unreadable => counts.unreadable += 1,
            }
        }
    }

    /// Notes a packet of a batch, which will enter; returns whether it is of a flow.
    fn arrive(&mut self, ports: &mut [Port], (port, place): (usize, usize), at: Time) -> bool {
        let shared = self.pool.free();
        let buffer = Arc::get_mut(shared).expect("nobody else holds it");
        std::mem::swap(buffer, ports[port].read_into(place));
        let known = headers::read(buffer.packet());
        let Some((headers, (from, to))) =
            known.and_then(|headers| Some((headers, self.directory.ends(&headers, port)?)))
        else {
            return false;
        };
        // A frame on a cable may be longer than its packet.
        buffer.holds(headers.len);
        ports[self.world.hosts()[to.0 as usize].port()].address(buffer);
        let position = self.directory.position(from, &headers);
        let frame = Frame {
            buffer: Arc::clone(shared),
            has_data: headers.has_data,
            ecn: headers.ecn,
            marked: false,
            stream_end: position.map(|(end, _)| end),
            again: position.is_some_and(|(_, again)| again),
            entered_late_ns: 0,
        };
        let (order, flow, bytes) = ((at, self.arrivals.len()), headers.flow(), headers.len as u32);
        self.arrivals.push(Arrival { order, from, to, flow, bytes, frame });
        true
    }

    /// Lets the packets that were read enter, in the order of their arrival.
    fn enter(&mut self, counted: Time) {
        let mut arrivals = std::mem::take(&mut self.arrivals);
        arrivals.sort_unstable_by_key(|arrival| arrival.order);
        self.devices.borrow_mut().counts.entered += arrivals.len() as u64;
        for Arrival { order: (at, _), from, to, flow, bytes, mut frame } in arrivals.drain(..) {
            // Events that are due before it happen first.
            self.advance(at.max(self.world.now()), counted);
            let late = nanoseconds(self.world.now().saturating_sub(at));
            self.entered_late.add(late);
            frame.entered_late_ns = late;
            self.world.act(from, |_, _, outbox| outbox.push(to, flow, bytes, frame));
        }
        self.arrivals = arrivals;
    }

    /// Waits until something is due, a device has something, or it is `latest`; returns the time then.
    fn wait(&self, now: Time, descriptors: &mut [PollFd<'_>], latest: Time) -> Time {
        let due = self.world.next_delivery(self.crossing).min(latest);
        let timeout = timespec(due.saturating_sub(now).saturating_sub(self.spin));
        // An error is a signal, or too little memory; the next turn tries again.
        let has_come = poll(descriptors, Some(&timeout)).unwrap_or(0) > 0;
        let mut now = self.clock.now();
        if !has_come && self.spin > Time::ZERO {
            while now < due {
                std::hint::spin_loop();
                now = self.clock.now();
            }
        }
        now
    }

    fn totals(&mut self, at: Time) -> LinkTotals {
        let at = at.max(self.world.now());
        self.world.advance_to(at);
        LinkTotals::of(self.plan, &mut self.world, at)
    }

    fn finish(mut self, ended: &Ended) -> (Columns, Report, O) {
        let mut totals = self.totals(ended.at);
        if let Some(before) = &ended.before {
            totals.subtract(before);
        }
        let warm_up = if ended.before.is_some() { Time::from_ps(self.plan.warm_up_ps) } else { Time::ZERO };
        let columns = totals.into_columns(self.plan, ended.at.saturating_sub(warm_up));
        let devices = self.devices.borrow();
        let report = Report {
            counts: devices.counts,
            deadline_us: devices.deadline_ns as f64 / 1e3,
            duration_s: ended.at.as_secs_f64(),
            was_ended: ended.was_ended,
            buffers: self.pool.buffers(),
            buffers_grown: self.pool.grown(),
            read_delay: self.read_delay.summary(),
            entered_late: self.entered_late.summary(),
            left_late: devices.left_late.summary(),
            worst: devices.worst.in_order(),
            capture: None,
        };
        (columns, report, self.world.into_observer())
    }
}

#[cfg(test)]
mod tests;
