//! The output port of a switch.
//!
//! | category | when a cell is lost |
//! |---|---|
//! | VBR, ABR | it finds the buffer of its category full |
//! | UBR, GFR | its [frame](super::frames) does not conform, is refused or has been cut, or the buffer is full |
//!
//! The cell being sent counts as queued until it has left. If only one category has VCs, all in one queue, the time at
//! which a cell will have left is known when it arrives; else the [scheduler](super::scheduler) chooses when the line
//! is free.

use std::collections::VecDeque;

use super::cell::{Cell, Kind, Mark, RmTable};
use super::config::{SwitchPort, UbrQueueing};
use super::frames::{FrameCounts, FrameVc, Frames};
use super::guaranteed_rate::GuaranteedRate;
use super::scfq::{self, Scfq};
use super::scheduler::{Scheduler, UbrQueue};
use super::vc_counts::VcCounts;
use super::{Category, ClassCounters};
use crate::cell_queue::CellQueue;
use crate::erica::{PortQueue, RateControl};
use crate::policy::PortView;
use crate::port::PortCounters;
use crate::report::FrameDrop;
use base::Time;
use sim::Waits;

/// The result for a cell that arrives at a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PortResult {
    /// It will have departed at this time.
    Departs(Time),
    /// It waits until the scheduler chooses it.
    Queued,
    /// It is lost.
    Lost(FrameDrop),
}

/// An output port.
pub(super) struct Port {
    server: Server,
    /// Rate of the line, cells/s.
    cell_rate: f64,
    buffers: [u32; 3],
    frames: Frames,
    control: Option<Control>,
    /// Whether a category has VCs here.
    served: [bool; 3],
    classes: [Class; 3],
    /// Counters that are not kept for each category.
    totals: PortCounters,
}

enum Server {
    /// One category, one queue.
    Fifo(Category, CellQueue),
    /// Several.
    Scheduled(Box<Scheduler>),
}

struct Control {
    law: Box<dyn RateControl>,
    interval_end: Time,
}

/// The counters of a category.
#[derive(Clone, Copy, Debug, Default)]
struct Class {
    offered: u64,
    lost: u64,
    max_queued: u32,
    /// Of a FIFO: total waiting time of all arrived cells until they have left, cells x ps.
    queued_ps: u128,
}

impl Server {
    /// Empty; `served` says which categories have VCs, `vcs` names those of UBR.
    fn new(config: &SwitchPort, cell_time: Time, served: [bool; 3], vcs: &[FrameVc]) -> Self {
        let policy = &config.policy;
        let mut categories = Category::ALL.into_iter().filter(|&category| served[category as usize]);
        let (first, second) = (categories.next(), categories.next());
        let counts_vcs = policy.counts_vcs() && !vcs.is_empty();
        let per_vc = match config.ubr_queueing {
            UbrQueueing::PerVc(excess) if !vcs.is_empty() => Some(excess),
            _ => None,
        };
        // A FIFO counts cells of VCs, and does not read contracts.
        let weighs_vcs = counts_vcs && policy.needs_contracts();
        if second.is_none() && per_vc.is_none() && !weighs_vcs {
            return Self::Fifo(
                first.unwrap_or(Category::Ubr),
                CellQueue::new(cell_time, counts_vcs.then_some(vcs.len())),
            );
        }
        let mcrs: Vec<u64> = vcs.iter().map(|vc| vc.service.frame_mcr()).collect();
        let ubr = match per_vc {
            Some(excess) => UbrQueue::PerVc(Scfq::new(&scfq::weights(excess, &mcrs, cell_time))),
            None => UbrQueue::Fifo(VecDeque::new()),
        };
        let guaranteed = GuaranteedRate::new(config.ubr_share_ppb, cell_time);
        let counts = counts_vcs.then(|| VcCounts::new(mcrs.into_iter()));
        Self::Scheduled(Box::new(Scheduler::new(cell_time, ubr, guaranteed, counts)))
    }

    #[inline]
    fn serve(&mut self, now: Time) {
        match self {
            Self::Fifo(_, queue) => queue.serve(now),
            Self::Scheduled(scheduler) => scheduler.serve(now),
        }
    }

    #[inline]
    fn queued(&self, category: Category) -> u32 {
        match self {
            Self::Fifo(only, queue) if *only == category => queue.len,
            Self::Fifo(..) => 0,
            Self::Scheduled(scheduler) => scheduler.queued[category as usize],
        }
    }

    #[inline]
    fn queued_in_all(&self) -> u32 {
        match self {
            Self::Fifo(_, queue) => queue.len,
            Self::Scheduled(scheduler) => scheduler.queued.iter().sum(),
        }
    }

    /// The view of the frame policy, without the frame itself.
    fn view(&self, buffer: u32, vc: u32) -> PortView {
        match self {
            Self::Fifo(_, queue) => queue.view(buffer, vc),
            Self::Scheduled(scheduler) => {
                let seen = scheduler.counts.as_ref().map(|counts| counts.seen_by(vc)).unwrap_or_default();
                PortView {
                    buffer,
                    queued: scheduler.queued[Category::Ubr as usize],
                    vc_queued: seen.queued,
                    active_vcs: seen.active,
                    clp: false,
                    vc_mcr: seen.weight,
                    active_mcr: seen.active_weight,
                }
            }
        }
    }
}

impl Port {
    /// An empty port with `vcs` VCs of each category; `frame_vcs` are those of UBR.
    pub(super) fn new(config: SwitchPort, cell_time: Time, vcs: [u32; 3], frame_vcs: &[FrameVc]) -> Self {
        let served = vcs.map(|vcs| vcs > 0);
        let server = Server::new(&config, cell_time, served, frame_vcs);
        let control = |law: Box<dyn RateControl>| Control { interval_end: law.interval_end(), law };
        // A rate control without ABR VCs has nothing to do.
        let abr_vcs = vcs[Category::Abr as usize] as usize;
        let law = config.rate_control.make(abr_vcs).filter(|_| abr_vcs > 0);
        let unlimited = |buffer: Option<u32>| buffer.unwrap_or(u32::MAX);
        Self {
            server,
            cell_rate: PS_PER_S / cell_time.as_ps() as f64,
            buffers: [config.vbr_buffer, config.abr_buffer, config.ubr_buffer].map(unlimited),
            frames: Frames::new(config, frame_vcs),
            control: law.map(control),
            served,
            classes: Default::default(),
            totals: PortCounters::default(),
        }
    }

    /// A cell of the VC that has this number in its category comes.
    #[inline]
    pub(super) fn arrive(&mut self, now: Time, vc: u32, cell: &mut Cell, rms: &RmTable) -> PortResult {
        self.catch_up(now);
        match cell.category {
            Category::Abr => self.arrive_abr(now, vc, cell, rms),
            Category::Vbr => {
                if let Some(control) = &mut self.control {
                    control.law.other_arrival(now);
                }
                self.enter(now, vc, cell)
            }
            Category::Ubr => self.arrive_ubr(now, vc, cell),
        }
    }

    /// A BRM passes the switch whose ABR VC, with this number, leaves through this port.
    pub(super) fn stamp(&mut self, now: Time, vc: u32, rms: &mut RmTable, place: u32) {
        self.catch_up(now);
        let queue = self.abr_queue();
        if let Some(control) = &mut self.control {
            control.law.backward_rm(now, vc, rms.get_mut(place), &queue);
        }
    }

    /// When the scheduler can choose the next cell; [`Time::NEVER`] if no cell waits for it.
    pub(super) fn next_start(&self, now: Time) -> Time {
        match &self.server {
            Server::Scheduled(scheduler) => scheduler.next_start(now).unwrap_or(Time::NEVER),
            Server::Fifo(..) => Time::NEVER,
        }
    }

    /// Whether a scheduler chooses its cells.
    pub(super) fn is_scheduled(&self) -> bool {
        matches!(self.server, Server::Scheduled(_))
    }

    /// Cells queued in all categories, as of the last arrival.
    #[inline]
    pub(super) fn queued(&self) -> u32 {
        self.server.queued_in_all()
    }

    /// The cell that the scheduler lets leave now, and when it will have left.
    pub(super) fn start(&mut self, now: Time) -> Option<(Cell, Time)> {
        self.catch_up(now);
        let Server::Scheduled(scheduler) = &mut self.server else { return None };
        scheduler.start(now)
    }

    /// Processes what has happened by `now`: cells have left, and intervals have ended with the queues of
    /// their time.
    #[inline]
    fn catch_up(&mut self, now: Time) {
        while let Some(control) = self.control.as_ref().filter(|control| control.interval_end <= now) {
            let at = control.interval_end;
            self.server.serve(at);
            self.end_interval(at);
        }
        self.server.serve(now);
    }

    fn end_interval(&mut self, at: Time) {
        let queue = self.abr_queue();
        if let Some(control) = &mut self.control {
            control.law.end_interval(at, &queue);
            control.interval_end = control.law.interval_end();
        }
    }

    fn abr_queue(&self) -> PortQueue {
        PortQueue { abr_cells: self.server.queued(Category::Abr), cell_rate: self.cell_rate }
    }

    #[inline]
    fn arrive_abr(&mut self, now: Time, vc: u32, cell: &mut Cell, rms: &RmTable) -> PortResult {
        let found = self.abr_queue();
        let Some(control) = &mut self.control else { return self.enter(now, vc, cell) };
        let ends = control.law.arrival(now, vc);
        if cell.kind.is_data() && control.law.marks(&found) {
            cell.mark = Mark::Efci;
        }
        let taken = self.enter(now, vc, cell);
        if ends {
            self.end_interval(now);
        }
        if let Some(control) = self.control.as_mut().filter(|_| cell.kind == Kind::Forward) {
            control.law.forward_rm(now, vc, rms.get(cell.value));
        }
        taken
    }

    fn arrive_ubr(&mut self, now: Time, vc: u32, cell: &mut Cell) -> PortResult {
        let class = Category::Ubr as usize;
        let view = self.server.view(self.buffers[class], vc);
        self.classes[class].offered += 1;
        match self.frames.arrive(now, vc, cell, view, &mut self.totals) {
            None => self.push(now, vc, cell),
            Some(cause) => {
                self.classes[class].lost += 1;
                PortResult::Lost(cause)
            }
        }
    }

    /// A cell enters the queue if there is room.
    #[inline]
    fn enter(&mut self, now: Time, vc: u32, cell: &Cell) -> PortResult {
        let class = cell.category as usize;
        self.classes[class].offered += 1;
        if self.server.queued(cell.category) < self.buffers[class] {
            return self.push(now, vc, cell);
        }
        self.classes[class].lost += 1;
        self.totals.cells_overflowed += 1;
        PortResult::Lost(FrameDrop::Cut)
    }

    #[inline]
    fn push(&mut self, now: Time, vc: u32, cell: &Cell) -> PortResult {
        let class = &mut self.classes[cell.category as usize];
        match &mut self.server {
            Server::Fifo(_, queue) => {
                let out = queue.push(now, vc);
                class.queued_ps += u128::from((out - now).as_ps());
                class.max_queued = class.max_queued.max(queue.len);
                self.totals.max_queued = class.max_queued;
                PortResult::Departs(out)
            }
            Server::Scheduled(scheduler) => {
                scheduler.push(now, vc, *cell);
                class.max_queued = class.max_queued.max(scheduler.queued[cell.category as usize]);
                self.totals.max_queued = self.totals.max_queued.max(scheduler.queued.iter().sum());
                PortResult::Queued
            }
        }
    }
}

/// What it has counted.
impl Port {
    /// Totals of all categories up to `now`.
    pub(super) fn counters(&mut self, now: Time) -> PortCounters {
        let mut totals = self.totals;
        for class in self.classes(now, 0) {
            totals.cells_offered += class.cells_offered;
            totals.cells_carried += class.cells_carried;
            totals.queued_ps += class.queued_ps;
        }
        totals.sending = match &self.server {
            Server::Fifo(_, queue) => queue.sending(now),
            Server::Scheduled(scheduler) => scheduler.sending(now),
        };
        totals
    }

    /// Totals up to `now` of each category that has VCs here; `line` is the number that they show.
    pub(super) fn classes(&mut self, now: Time, line: u32) -> Vec<ClassCounters> {
        self.catch_up(now);
        let served = Category::ALL.into_iter().filter(|&category| self.served[category as usize]);
        let counters = |category: Category| {
            let class = self.classes[category as usize];
            let (cells_carried, queued_ps) = match &self.server {
                Server::Fifo(_, queue) => {
                    (queue.served, class.queued_ps.saturating_sub(queue.time_still_due(now)))
                }
                Server::Scheduled(scheduler) => {
                    (scheduler.carried[category as usize], scheduler.queued_ps[category as usize])
                }
            };
            ClassCounters {
                line,
                category,
                cells_offered: class.offered,
                cells_carried,
                cells_lost: class.lost,
                queued: self.server.queued(category),
                max_queued: class.max_queued,
                queued_ps,
            }
        };
        served.map(counters).collect()
    }

    /// Measures how long cells wait.
    pub(super) fn measure_waits(&mut self, waits: Waits) {
        let waits = Some(Box::new(waits));
        match &mut self.server {
            Server::Fifo(_, queue) => queue.waits = waits,
            Server::Scheduled(scheduler) => scheduler.waits = waits,
        }
    }

    /// How long cells waited, if the port was to measure it.
    pub(super) fn waits(&self) -> Option<&Waits> {
        match &self.server {
            Server::Fifo(_, queue) => queue.waits.as_deref(),
            Server::Scheduled(scheduler) => scheduler.waits.as_deref(),
        }
    }

    /// Frames of the VC that has this number in UBR, if it enters the network here.
    pub(super) fn frame_counts(&self, vc: u32) -> FrameCounts {
        self.frames.counts(vc)
    }

    /// The cells that wait for a scheduler to choose them; those in a FIFO have a time at which they arrive.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Cell> {
        let scheduler = match &self.server {
            Server::Scheduled(scheduler) => Some(scheduler.waiting()),
            Server::Fifo(..) => None,
        };
        scheduler.into_iter().flatten()
    }
}

/// Picoseconds of a second.
const PS_PER_S: f64 = 1e12;
