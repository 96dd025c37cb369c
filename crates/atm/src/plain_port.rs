//! The plain port: every cell is an event in a heap, every queued cell an entry in a list.
//!
//! It is simple on purpose, as the definition of what [`super::TrainPort`] must do. It shares the
//! policies and the counters with it, but none of the bookkeeping.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::frame_state::{FrameState, Verdict};
use super::policy::PortView;
use super::port::{Fate, Frame, PortConfig, PortCounters, PortEvents, Reassembly};
use base::Time;
use sim::Waits;

/// A port that handles one cell at a time.
pub struct PlainPort<T> {
    config: PortConfig,
    spacings: Vec<Time>,
    free_at: Vec<Time>,
    /// Cells to come, by arrival and then in the order in which their frames were offered.
    arrivals: BinaryHeap<Reverse<Cell>>,
    frames: Vec<InFlight<T>>,
    fifo: VecDeque<Queued>,
    /// When the server has sent all queued cells.
    busy_until: Time,
    reassembly: Vec<Reassembly>,
    counters: PortCounters,
    seen_until: Time,
    waits: Option<Waits>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    arrives: Time,
    /// Index into `frames`.
    frame: usize,
    index: u32,
}

struct Queued {
    vc: u32,
    leaves: Time,
}

struct InFlight<T> {
    vc: u32,
    cells: u32,
    tag: Option<T>,
    state: FrameState,
}

impl<T> PlainPort<T> {
    /// An empty port; see [`super::TrainPort::new`].
    #[must_use]
    pub fn new(config: PortConfig, spacings: &[Time]) -> Self {
        Self {
            config,
            spacings: spacings.to_vec(),
            free_at: vec![Time::ZERO; spacings.len()],
            arrivals: BinaryHeap::new(),
            frames: Vec::new(),
            fifo: VecDeque::new(),
            busy_until: Time::ZERO,
            reassembly: vec![Reassembly::default(); spacings.len()],
            counters: PortCounters::default(),
            seen_until: Time::ZERO,
            waits: None,
        }
    }

    /// Puts all cells of a frame into the heap.
    pub fn offer(&mut self, frame: Frame<T>) {
        let vc = frame.vc as usize;
        let first = frame.first.max(self.free_at[vc]);
        self.free_at[vc] = first + self.spacings[vc] * u64::from(frame.cells);
        for index in 0..frame.cells {
            let arrives = first + self.spacings[vc] * u64::from(index);
            self.arrivals.push(Reverse(Cell { arrives, frame: self.frames.len(), index }));
        }
        self.frames.push(InFlight {
            vc: frame.vc,
            cells: frame.cells,
            tag: Some(frame.tag),
            state: FrameState::default(),
        });
    }

    /// Handles every cell that arrives until `until`, that instant included.
    pub fn advance(&mut self, until: Time, events: &mut impl PortEvents<T>) {
        while self.arrivals.peek().is_some_and(|cell| cell.0.arrives <= until) {
            let cell = self.arrivals.pop().expect("just seen").0;
            self.let_leave(cell.arrives);
            self.arrive(cell, events);
        }
    }

    /// Measures how long cells wait.
    pub fn measure_waits(&mut self, waits: Waits) {
        self.waits = Some(waits);
    }

    /// How long cells waited, if the port was to measure it.
    #[must_use]
    pub fn waits(&self) -> Option<&Waits> {
        self.waits.as_ref()
    }

    /// Cells queued at `now`.
    pub fn queued(&mut self, now: Time) -> u32 {
        self.let_leave(now);
        self.fifo.len() as u32
    }

    /// Totals up to `now`.
    pub fn counters(&mut self, now: Time) -> PortCounters {
        self.let_leave(now);
        let left = |cell: &Queued| cell.leaves - now;
        let sending =
            self.fifo.front().map_or(Time::ZERO, |cell| self.config.cell_time.saturating_sub(left(cell)));
        PortCounters { sending, ..self.counters }
    }

    fn let_leave(&mut self, now: Time) {
        while self.fifo.front().is_some_and(|cell| cell.leaves <= now) {
            let leaves = self.fifo[0].leaves;
            self.pass_time(leaves);
            self.fifo.pop_front();
            self.counters.cells_carried += 1;
        }
        self.pass_time(now);
    }

    fn pass_time(&mut self, now: Time) {
        let passed = (now - self.seen_until).as_ps();
        self.counters.queued_ps += u128::from(passed) * self.fifo.len() as u128;
        self.seen_until = now;
    }

    fn arrive(&mut self, cell: Cell, events: &mut impl PortEvents<T>) {
        self.counters.cells_offered += 1;
        let vc = self.frames[cell.frame].vc;
        let view = self.view(vc, cell.index == 0);
        let PortConfig { policy, eom, .. } = &self.config;
        let frame = &mut self.frames[cell.frame];
        let last = cell.index + 1 == frame.cells;
        let verdict = frame.state.cell(last, &**policy, *eom, &view);
        if cell.index == 0 {
            events.decided(cell.arrives, vc, view.queued, !frame.state.is_refused());
        }
        let mut leaves = None;
        match verdict {
            Verdict::Refused => self.counters.cells_refused += 1,
            Verdict::Cut => self.counters.cells_cut += 1,
            Verdict::Overflowed => self.counters.cells_overflowed += 1,
            Verdict::Queued => {
                let start = self.busy_until.max(cell.arrives);
                if let Some(waits) = &mut self.waits {
                    waits.record(start, start - cell.arrives);
                }
                self.busy_until = start + self.config.cell_time;
                leaves = Some(self.busy_until);
                self.fifo.push_back(Queued { vc, leaves: self.busy_until });
                self.counters.max_queued = self.counters.max_queued.max(self.fifo.len() as u32);
            }
        }
        if last {
            self.finish(cell, leaves, events);
        }
    }

    /// The state of the port; the counts by VC only if the policy will read them.
    fn view(&self, vc: u32, decides: bool) -> PortView {
        let (buffer, queued) = (self.config.buffer, self.fifo.len() as u32);
        let mut view = PortView { buffer, queued, ..PortView::default() };
        if decides && self.config.policy.counts_vcs() {
            let mut seen: Vec<u32> = self.fifo.iter().map(|cell| cell.vc).collect();
            view.vc_queued = seen.iter().filter(|&&other| other == vc).count() as u32;
            seen.sort_unstable();
            seen.dedup();
            view.active_vcs = seen.len() as u32;
        }
        view
    }

    fn finish(&mut self, cell: Cell, leaves: Option<Time>, events: &mut impl PortEvents<T>) {
        let frame = &mut self.frames[cell.frame];
        let reassembly = &mut self.reassembly[frame.vc as usize];
        let fate = match leaves {
            _ if frame.state.is_refused() => Fate::Refused,
            Some(leaves) if frame.state.is_whole() => reassembly.whole(leaves),
            _ => reassembly.cut(frame.state.carried, leaves.is_some()),
        };
        self.counters.frame(fate);
        let tag = frame.tag.take().expect("a frame ends once");
        events.finished(cell.arrives, tag, fate);
    }
}
