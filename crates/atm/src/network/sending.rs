//! Events at the senders of an ATM network: sources make cells, NICs choose and send them, and ABR sources
//! get their rates.

use super::Category;
use super::atm_network::AtmNetwork;
use super::cell::{Cell, Kind};
use crate::abr::NextCell;
use crate::report::AtmEvent;
use base::Time;
use sim::link::{Report, Watch};

impl<P> AtmNetwork<P> {
    /// `cells` cells of a VC have come to its NIC.
    pub(super) fn offer(&mut self, now: Time, vc: u32, cells: u32) {
        let at = &self.vcs[vc as usize];
        let line = at.nic;
        let nic = self.lines[line as usize].nic();
        match at.category {
            Category::Vbr => nic.vbr.push(vc, cells),
            Category::Ubr => nic.ubr.push(vc, cells),
            Category::Abr => return self.reschedule(now, vc),
        }
        self.wake_nic(now, line);
    }

    /// A cell source makes a cell.
    pub(super) fn make_cell(&mut self, now: Time, vc: u32, watch: &mut impl Watch<P, AtmEvent>) {
        let at = &mut self.vcs[vc as usize];
        let next = at.make_cell();
        let (line, category) = (at.nic, at.category);
        self.timers.set(at.make_timer, next.max(now));
        let nic = self.lines[line as usize].nic();
        // Nothing goes before VBR.
        if category == Category::Vbr && nic.busy_until <= now && nic.vbr.is_empty() {
            return self.send_data(now, vc, watch);
        }
        self.offer(now, vc, 1);
    }

    /// Updates the timer of an ABR VC after a cell was queued or has left, or the rate has changed.
    #[inline]
    fn reschedule(&mut self, now: Time, vc: u32) {
        let at = &self.vcs[vc as usize];
        let due = if at.is_ready() { Time::NEVER } else { at.next_due(now) };
        if due != self.timers.time(at.send_timer) {
            self.timers.set(at.send_timer, due);
        }
    }

    /// An ABR VC may send.
    #[inline]
    pub(super) fn may_send(&mut self, now: Time, vc: u32, watch: &mut impl Watch<P, AtmEvent>) {
        let at = &mut self.vcs[vc as usize];
        if at.next_due(now) > now {
            // A source that always had a cell has ended.
            return self.reschedule(now, vc);
        }
        let line = at.nic;
        let nic = self.lines[line as usize].nic();
        if nic.is_free(now) {
            return self.send_abr(now, vc, watch);
        }
        at.set_ready(true);
        nic.ready.push_back(vc);
        self.reschedule(now, vc);
        self.wake_nic(now, line);
    }

    /// Schedules the choice of a NIC with waiting cells for when its line is free.
    fn wake_nic(&mut self, now: Time, line: u32) {
        let at = &mut self.lines[line as usize];
        let (place, nic) = (at.choice_timer, at.nic());
        let wake = if nic.has_next() { nic.busy_until.max(now) } else { Time::NEVER };
        if wake != self.timers.time(place) {
            self.timers.set(place, wake);
        }
    }

    /// A NIC chooses a cell.
    pub(super) fn choose(&mut self, now: Time, line: u32, watch: &mut impl Watch<P, AtmEvent>) {
        let nic = self.lines[line as usize].nic();
        if nic.busy_until <= now {
            if let Some(vc) = nic.vbr.pop() {
                self.send_data(now, vc, watch);
            } else if let Some(vc) = self.first_ready(now, line) {
                self.send_abr(now, vc, watch);
            } else if let Some(vc) = self.lines[line as usize].nic().ubr.pop() {
                self.send_data(now, vc, watch);
            }
        }
        self.wake_nic(now, line);
    }

    /// The first of the ABR VCs on a NIC that may send; VCs that may no longer send, because their rates have
    /// fallen, leave the line.
    fn first_ready(&mut self, now: Time, line: u32) -> Option<u32> {
        loop {
            let vc = self.lines[line as usize].nic().ready.pop_front()?;
            let at = &mut self.vcs[vc as usize];
            at.set_ready(false);
            if at.next_due(now) <= now {
                return Some(vc);
            }
            self.reschedule(now, vc);
        }
    }

    /// The next cell of a VC that is not ABR leaves.
    fn send_data(&mut self, now: Time, vc: u32, watch: &mut impl Watch<P, AtmEvent>) {
        let cell = self.vcs[vc as usize].take_data();
        self.send_cell(now, cell, watch);
    }

    /// The next cell of an ABR VC leaves.
    fn send_abr(&mut self, now: Time, vc: u32, watch: &mut impl Watch<P, AtmEvent>) {
        let at = &mut self.vcs[vc as usize];
        let data_waits = at.data_waits(now);
        let Some(abr) = &mut at.abr else { return };
        let next = abr.source.next_cell(now, data_waits, abr.brm.is_some());
        let next = next.or_else(|| abr.out_of_rate(now));
        let new_acr = abr.new_acr(now);
        let cell = match (next.expect("it was asked whether it may send"), abr.brm) {
            (NextCell::Forward(rm), _) => {
                at.counters.frms_sent += 1;
                at.cell(Kind::Forward, self.rms.keep(rm))
            }
            (NextCell::Backward, Some(brm)) => {
                abr.brm = None;
                at.counters.brms_sent += 1;
                at.cell(Kind::Backward, brm)
            }
            (NextCell::Data | NextCell::Backward, _) => at.take_data(),
        };
        if let Some(acr) = new_acr {
            watch.tell(now, Report::Component(AtmEvent::Acr { vc, acr }));
        }
        self.send_cell(now, cell, watch);
        self.reschedule(now, vc);
    }

    /// A cell begins to leave the NIC.
    #[inline]
    fn send_cell(&mut self, now: Time, cell: Cell, watch: &mut impl Watch<P, AtmEvent>) {
        watch.tell(now, Report::Component(AtmEvent::CellSent { vc: cell.vc, data: cell.kind.is_data() }));
        let line = self.vcs[cell.vc as usize].nic;
        let at = &mut self.lines[line as usize];
        let out = now.saturating_add(at.cell_time);
        at.nic().busy_until = out;
        self.leave(now, line, out, cell, watch);
    }

    /// Queues a BRM until its VC may send it. It replaces an older one that is still queued.
    pub(super) fn queue_backward_rm(&mut self, now: Time, vc: u32, rm: u32) {
        if let Some(abr) = &mut self.vcs[vc as usize].abr {
            if let Some(older) = abr.brm.replace(rm) {
                self.rms.release(older);
            }
            self.reschedule(now, vc);
        }
    }

    /// A BRM has returned to its source.
    pub(super) fn receive_backward_rm(
        &mut self,
        now: Time,
        vc: u32,
        rm: u32,
        watch: &mut impl Watch<P, AtmEvent>,
    ) {
        let contents = *self.rms.get(rm);
        self.rms.release(rm);
        let at = &mut self.vcs[vc as usize];
        at.counters.brms_received += 1;
        let Some(abr) = &mut at.abr else { return };
        abr.source.on_backward(now, &contents);
        if let Some(acr) = abr.new_acr(now) {
            watch.tell(now, Report::Component(AtmEvent::Acr { vc, acr }));
            self.reschedule(now, vc);
        }
    }
}
