//! A VC at its two ends: the cells that wait in the NIC, the packets in the network, the cells that have arrived.

use std::collections::VecDeque;

use super::cell::{Cell, Kind, Mark};
use super::config::{Service, VcConfig};
use super::sources::Cells;
use super::{Category, VcCounters};
use crate::abr::{AbrConfig, AbrDestination, AbrSource, NextCell};
use crate::report::FrameDrop;
use base::Time;
use sim::Packet;

/// A virtual channel.
pub(super) struct Vc<P> {
    number: u32,
    pub(super) category: Category,
    pub(super) peer: u32,
    /// The line of its NIC.
    pub(super) nic: u32,
    /// Its first hop among those of all VCs, and how many it has.
    pub(super) first_hop: u32,
    pub(super) hops: u32,
    /// The timer of its ABR source.
    pub(super) send_timer: u32,
    /// The timer of its cell source.
    pub(super) make_timer: u32,
    pub(super) abr: Option<Abr>,
    /// Where its cells come from.
    pub(super) cells: Cells,
    /// Until when there is always a cell.
    greedy_until: Time,
    /// Cells that wait in the NIC.
    waiting: u64,
    /// Cells still to be sent of the frame that is being sent; 0 between two.
    left: u32,
    /// The number of that frame, or of the next.
    frame: u32,
    /// Frames with cells still to be sent or to arrive, and the number of the first.
    frames: VecDeque<Frame<P>>,
    first_frame: u32,
    /// Cells that the receiver has got since the last end of a frame.
    gathered: u32,
    pub(super) counters: VcCounters,
}

/// A packet in the network.
struct Frame<P> {
    /// None once it has arrived or is known to be lost.
    packet: Option<Packet<P>>,
    cells: u32,
    /// Why a cell of it was lost, if one was.
    lost: Option<FrameDrop>,
}

/// The ABR source of a VC, its destination, and the NIC's view of it.
pub(super) struct Abr {
    pub(super) source: AbrSource,
    pub(super) destination: AbrDestination,
    /// The place of the peer's BRM that waits.
    pub(super) brm: Option<u32>,
    /// Whether it is in the NIC's line of VCs that may send.
    is_ready: bool,
    /// Whether the last out-of-rate cell was a BRM.
    sent_brm_out_of_rate: bool,
    pub(super) initial_acr: f64,
    acr: f64,
    /// When ACR changed last.
    acr_since: Time,
    /// ACR integrated over time until then, cells/s x ps.
    acr_ps: f64,
}

impl Abr {
    fn new(config: &AbrConfig) -> Self {
        let source = AbrSource::new(config);
        Self {
            initial_acr: source.acr(),
            acr: source.acr(),
            source,
            destination: AbrDestination::default(),
            brm: None,
            is_ready: false,
            sent_brm_out_of_rate: false,
            acr_since: Time::ZERO,
            acr_ps: 0.0,
        }
    }

    /// The out-of-rate cell that leaves now, if one may: an FRM, or the BRM that waits, alternately. Otherwise two peer
    /// VCs without a rate would wait for each other's BRMs for ever.
    pub(super) fn out_of_rate(&mut self, now: Time) -> Option<NextCell> {
        let forward = self.source.out_of_rate(now)?;
        self.sent_brm_out_of_rate = self.brm.is_some() && !self.sent_brm_out_of_rate;
        Some(if self.sent_brm_out_of_rate { NextCell::Backward } else { NextCell::Forward(forward) })
    }

    /// ACR, if it has changed since the last call.
    pub(super) fn new_acr(&mut self, now: Time) -> Option<f64> {
        let acr = self.source.acr();
        if acr == self.acr {
            return None;
        }
        self.acr_ps = self.acr_integral(now);
        (self.acr, self.acr_since) = (acr, now);
        Some(acr)
    }

    fn acr_integral(&self, now: Time) -> f64 {
        self.acr_ps + self.acr * (now - self.acr_since).as_ps() as f64
    }
}

impl<P> Vc<P> {
    pub(super) fn new(number: u32, config: VcConfig, first_hop: u32) -> Self {
        let abr = match &config.service {
            Service::Abr(parameters) => Some(Abr::new(parameters)),
            Service::Vbr | Service::Ubr | Service::Gfr(_) => None,
        };
        Self {
            number,
            category: config.service.category(),
            peer: config.peer,
            nic: config.path[0],
            first_hop,
            hops: config.path.len() as u32,
            send_timer: u32::MAX,
            make_timer: u32::MAX,
            abr,
            cells: config.cells,
            greedy_until: Time::ZERO,
            waiting: 0,
            left: 0,
            frame: 0,
            frames: VecDeque::new(),
            first_frame: 0,
            gathered: 0,
            counters: VcCounters::default(),
        }
    }

    /// A packet of `cells` cells waits.
    pub(super) fn offer(&mut self, packet: Packet<P>, cells: u32) {
        self.frames.push_back(Frame { packet: Some(packet), cells, lost: None });
        self.add_waiting(u64::from(cells));
    }

    /// The cell source makes a cell, or starts to have one always. Returns when to call this again.
    pub(super) fn make_cell(&mut self) -> Time {
        match &mut self.cells {
            Cells::Greedy { stop, .. } => self.greedy_until = *stop,
            Cells::Law(law) => {
                let next = law.next_cell();
                self.add_waiting(1);
                return next;
            }
            Cells::Packets | Cells::Nothing => {}
        }
        Time::NEVER
    }

    fn add_waiting(&mut self, cells: u64) {
        self.waiting += cells;
        self.counters.max_waiting = self.counters.max_waiting.max(self.waiting);
    }

    #[inline]
    pub(super) fn data_waits(&self, now: Time) -> bool {
        self.waiting > 0 || now < self.greedy_until
    }

    /// Whether it is in the NIC's line of VCs that may send.
    #[inline]
    pub(super) fn is_ready(&self) -> bool {
        self.abr.as_ref().is_some_and(|abr| abr.is_ready)
    }

    pub(super) fn set_ready(&mut self, is_ready: bool) {
        if let Some(abr) = &mut self.abr {
            abr.is_ready = is_ready;
        }
    }

    /// When the next cell of an ABR VC may leave, or an out-of-rate FRM; [`Time::NEVER`] if nothing waits.
    #[inline]
    pub(super) fn next_due(&self, now: Time) -> Time {
        let Some(abr) = self.abr.as_ref().filter(|abr| abr.brm.is_some() || self.data_waits(now)) else {
            return Time::NEVER;
        };
        abr.source.eligible().min(abr.source.next_out_of_rate()).max(now)
    }

    /// A cell that leaves the NIC.
    pub(super) fn cell(&self, kind: Kind, value: u32) -> Cell {
        let Self { number, first_hop, category, .. } = *self;
        Cell { vc: number, value, hop: first_hop, kind, category, last: true, mark: Mark::None }
    }

    /// The next data cell leaves.
    #[inline]
    pub(super) fn take_data(&mut self) -> Cell {
        self.counters.cells_sent += 1;
        self.waiting = self.waiting.saturating_sub(1);
        if !matches!(self.cells, Cells::Packets) {
            return self.cell(Kind::Filler, 0);
        }
        if self.left == 0 {
            self.left = self.frames[self.frame.wrapping_sub(self.first_frame) as usize].cells;
        }
        self.left -= 1;
        let cell = Cell { last: self.left == 0, ..self.cell(Kind::Data, self.frame) };
        self.frame = self.frame.wrapping_add(u32::from(cell.last));
        cell
    }

    /// A data cell was lost.
    pub(super) fn lose(&mut self, cell: &Cell, cause: FrameDrop) {
        self.counters.cells_lost += 1;
        if cell.kind == Kind::Filler {
            self.lose_frame(cell);
        }
        if cell.kind == Kind::Data
            && let Some(frame) = self.frames.get_mut(cell.value.wrapping_sub(self.first_frame) as usize)
        {
            frame.lost.get_or_insert(cause);
        }
    }

    /// The last cell of a frame has come to a port or was lost there: the packet, if it is lost, and why.
    pub(super) fn lost_packet(&mut self, cell: &Cell) -> Option<(Packet<P>, FrameDrop)> {
        let number = cell.value.wrapping_sub(self.first_frame);
        let cause = self.frames.get(number as usize)?.lost?;
        let packet = self.finish(number)?;
        self.lose_frame(cell);
        Some((packet, cause))
    }

    /// The frame whose last cell this is has been lost.
    pub(super) fn lose_frame(&mut self, cell: &Cell) {
        self.counters.eligible_lost += u64::from(cell.mark == Mark::Eligible);
    }

    /// A cell of a packet comes to the receiver. At the end of a frame the packet, and whether it is whole: the
    /// receiver has gathered its cells and no others.
    #[inline]
    pub(super) fn receive(&mut self, cell: &Cell) -> Option<(Packet<P>, bool)> {
        self.gathered += 1;
        if !cell.last {
            return None;
        }
        let gathered = std::mem::take(&mut self.gathered);
        let number = cell.value.wrapping_sub(self.first_frame);
        let frame = self.frames.get(number as usize)?;
        let is_whole = frame.lost.is_none() && gathered == frame.cells;
        Some((self.finish(number)?, is_whole))
    }

    /// Takes the packet out of a frame, and removes finished frames.
    fn finish(&mut self, number: u32) -> Option<Packet<P>> {
        let packet = self.frames[number as usize].packet.take();
        while self.frames.front().is_some_and(|frame| frame.packet.is_none()) {
            self.frames.pop_front();
            self.first_frame = self.first_frame.wrapping_add(1);
        }
        packet
    }

    /// Totals up to `now`; the receiver's cells are counted elsewhere.
    pub(super) fn counters(&self, now: Time) -> VcCounters {
        let acr_cells = self.abr.as_ref().map(|abr| abr.acr_integral(now) / PS_PER_S);
        VcCounters { acr_cells, ..self.counters }
    }
}

/// Picoseconds of a second.
const PS_PER_S: f64 = 1e12;
