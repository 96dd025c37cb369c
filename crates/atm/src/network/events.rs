//! The events of an ATM network, cell by cell: on the lines, in the switches and at the receivers.

use super::Category;
use super::arriving::{Arriving, Completed};
use super::atm_network::{AtmNetwork, Task};
use super::cell::{Cell, Kind, Mark};
use super::port::PortResult;
use crate::aal5;
use crate::report::{AtmEvent, FrameDrop, report_drop};
use base::Time;
use sim::link::{LinkEvent, Report, Watch};

impl<P> AtmNetwork<P> {
    /// Processes everything that is due by `now`. Of events at the same time, arrivals of cells come first.
    pub(crate) fn advance(&mut self, now: Time, watch: &mut impl Watch<P, AtmEvent>) {
        loop {
            let arrives = self.lanes.next_arrival();
            let due = self.timers.first_time();
            if arrives.min(due) > now {
                return;
            }
            if due < arrives {
                self.run(due, self.timers.first_place(), watch);
            } else if let Some(first) = self.lanes.pop() {
                self.arrive(first.arrives, first.cell, watch);
            } else {
                // `now` is the end of time, and nothing is due before.
                return;
            }
        }
    }

    #[inline]
    fn run(&mut self, now: Time, place: u32, watch: &mut impl Watch<P, AtmEvent>) {
        match self.tasks[place as usize] {
            Task::Send(vc) => self.may_send(now, vc, watch),
            Task::Nic(line) => self.choose(now, line, watch),
            Task::Port(line) => self.start(now, line, watch),
            Task::MakeCell(vc) => self.make_cell(now, vc, watch),
            Task::DeliverRm(line) => self.deliver_rm(now, line, watch),
        }
    }

    /// A cell has come to a switch: BRMs are stamped, and then it goes to its output port.
    #[inline]
    fn arrive(&mut self, now: Time, mut cell: Cell, watch: &mut impl Watch<P, AtmEvent>) {
        let hop = self.hops[cell.hop as usize];
        if cell.kind == Kind::Backward
            && let Some((line, number)) = hop.stamps
        {
            self.lines[line as usize].port().stamp(now, number, &mut self.rms, cell.value);
        }
        let port = self.lines[hop.line as usize].port();
        let result = port.arrive(now, hop.number, &mut cell, &self.rms);
        if let PortResult::Lost(cause) = result {
            return self.lose(now, &cell, cause, watch);
        }
        watch.tell(now, Report::Component(AtmEvent::CellsQueued { port: hop.line, queued: port.queued() }));
        if cell.last && cell.kind == Kind::Data {
            self.report_if_lost(now, &cell, watch);
        }
        match result {
            PortResult::Departs(out) => self.leave(now, hop.line, out, cell, watch),
            _ => self.wake_port(now, hop.line),
        }
    }

    fn lose(&mut self, now: Time, cell: &Cell, cause: FrameDrop, watch: &mut impl Watch<P, AtmEvent>) {
        if !cell.kind.is_data() {
            return self.rms.release(cell.value);
        }
        self.vcs[cell.vc as usize].lose(cell, cause);
        if cell.last && cell.kind == Kind::Data {
            self.report_if_lost(now, cell, watch);
        }
    }

    /// The last cell of a frame has come to a port.
    fn report_if_lost(&mut self, now: Time, cell: &Cell, watch: &mut impl Watch<P, AtmEvent>) {
        if let Some((packet, cause)) = self.vcs[cell.vc as usize].lost_packet(cell) {
            self.in_network -= 1;
            report_drop(now, &packet, cause, watch);
        }
    }

    /// A scheduler that has a cell to choose does so when its line is free.
    fn wake_port(&mut self, now: Time, line: u32) {
        let at = &mut self.lines[line as usize];
        let (place, start) = (at.choice_timer, at.port().next_start(now));
        if start != self.timers.time(place) {
            self.timers.set(place, start);
        }
    }

    /// The scheduler of a port chooses a cell.
    fn start(&mut self, now: Time, line: u32, watch: &mut impl Watch<P, AtmEvent>) {
        let started = self.lines[line as usize].port().start(now);
        self.wake_port(now, line);
        if let Some((cell, out)) = started {
            self.leave(now, line, out, cell, watch);
        }
    }

    /// A cell will have left the beginning of a line at `out`, which is certain from `now` on.
    #[inline]
    pub(super) fn leave(
        &mut self,
        now: Time,
        line: u32,
        out: Time,
        mut cell: Cell,
        watch: &mut impl Watch<P, AtmEvent>,
    ) {
        let at = &self.lines[line as usize];
        let arrives = out.saturating_add(at.delay);
        if let Some(lane) = at.lane {
            cell.hop += 1;
            return self.lanes.push(lane, arrives, cell);
        }
        // Its arrival is certain.
        if cell.kind.is_data() {
            return self.reach_host(now, line, arrives, &cell, watch);
        }
        if cell.kind == Kind::Forward
            && let Some(abr) = &mut self.vcs[cell.vc as usize].abr
        {
            // The destination gets it in advance, as it gets data, so that it sees all cells in order.
            let rm = self.rms.get_mut(cell.value);
            *rm = abr.destination.turn_around(rm);
        }
        let at = &mut self.lines[line as usize];
        if at.rms.is_empty() {
            self.timers.set(at.rm_timer, arrives);
        }
        at.rms.push_back((arrives, cell));
    }

    /// An RM cell has come to a host.
    fn deliver_rm(&mut self, now: Time, line: u32, watch: &mut impl Watch<P, AtmEvent>) {
        let at = &mut self.lines[line as usize];
        let first = at.rms.pop_front();
        let next = at.rms.front().map_or(Time::NEVER, |next| next.0);
        self.timers.set(at.rm_timer, next);
        let Some((_, cell)) = first else { return };
        // A BRM carries the rate of the VC whose peer it travels on; an FRM turned around waits for the peer.
        let peer = self.vcs[cell.vc as usize].peer;
        match cell.kind {
            Kind::Backward => self.receive_backward_rm(now, peer, cell.value, watch),
            _ => self.queue_backward_rm(now, peer, cell.value),
        }
    }

    /// A data cell will come to its host at `arrives`.
    #[inline]
    fn reach_host(
        &mut self,
        now: Time,
        line: u32,
        arrives: Time,
        cell: &Cell,
        watch: &mut impl Watch<P, AtmEvent>,
    ) {
        let vc = &mut self.vcs[cell.vc as usize];
        vc.counters.cells_received += 1;
        if let Some(abr) = &mut vc.abr {
            abr.destination.on_data(cell.mark == Mark::Efci);
        }
        let received = if cell.kind == Kind::Filler { None } else { vc.receive(cell) };
        let completes = match &received {
            _ if cell.category != Category::Ubr => Completed::default(),
            Some((packet, true)) => Completed::frame(aal5::cells(packet.bytes), cell.mark == Mark::Eligible),
            None if cell.kind == Kind::Filler => Completed::frame(1, cell.mark == Mark::Eligible),
            _ => Completed::default(),
        };
        completes.add_to(&mut vc.counters);
        if let Some((_, false)) = &received {
            vc.lose_frame(cell);
        }
        let arriving = &mut self.lines[line as usize].arriving;
        while arriving.front().is_some_and(|first| first.at <= now) {
            arriving.pop_front();
        }
        arriving.push_back(Arriving { at: arrives, vc: cell.vc, completes });
        let Some((packet, is_whole)) = received else { return };
        self.in_network -= 1;
        if is_whole {
            watch.tell(now, Report::Link(LinkEvent::Crossing { packet: &packet, arrives }));
            self.ring.push(arrives, packet);
        } else {
            report_drop(now, &packet, FrameDrop::Cut, watch);
        }
    }
}
