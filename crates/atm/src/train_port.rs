//! The fast port: frames come in as trains of cells.
//!
//! It equals [`super::PlainPort`] cell for cell. It is fast for four reasons:
//! - A train needs no event per cell. The trains in progress are in a ring in the order of their next cells. The cells
//!   of a train are equally spaced, so a train whose cell was handled goes to the end of the ring.
//! - Cells of one train that arrive with none of another between them are handled in one step, if the queue is neither
//!   empty nor too full for them.
//! - Departures are no events. The server is deterministic, so the number of cells that have left by a given time
//!   follows from it.
//! - The owner calls the port only when it needs its state; between calls the port lags behind.

use std::collections::VecDeque;

use super::cell_queue::CellQueue;
use super::policy::FramePolicy;
use super::port::{Eom, Fate, Frame, PortConfig, PortCounters, PortEvents, Reassembly};
use base::Time;
use sim::Waits;

/// A port that takes frames as trains of cells.
pub struct TrainPort<T> {
    buffer: u32,
    policy: Box<dyn FramePolicy>,
    discards_rest: bool,
    eom: Eom,
    inputs: Vec<Input<T>>,
    /// Trains in progress, by the arrival of their next cell.
    trains: VecDeque<Train>,
    offers: u64,
    queue: CellQueue,
    counters: PortCounters,
}

/// The access link of a VC: frames one after the other.
struct Input<T> {
    spacing: Time,
    /// When the first cell of a further frame can arrive at the earliest.
    free_at: Time,
    waiting: VecDeque<Waiting<T>>,
    reassembly: Reassembly,
}

struct Waiting<T> {
    first: Time,
    cells: u32,
    order: u64,
    tag: T,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// No cell of the frame has arrived.
    Fresh,
    /// Every cell so far was queued.
    Whole,
    Refused,
    /// A cell was lost.
    Cut,
}

/// The frame at the head of an input, in progress. Cells that arrive together are handled in the
/// order of the offers.
#[derive(Clone, Copy)]
struct Train {
    next: Time,
    order: u64,
    spacing: Time,
    vc: u32,
    /// Cells still to arrive.
    left: u32,
    /// Cells queued so far.
    carried: u32,
    state: State,
}

impl Train {
    fn key(&self) -> (Time, u64) {
        (self.next, self.order)
    }
}

impl<T> TrainPort<T> {
    /// An empty port with one input for each VC, whose access link sends a cell in `spacing`.
    #[must_use]
    pub fn new(config: PortConfig, spacings: &[Time]) -> Self {
        let counts_vcs = config.policy.counts_vcs();
        let input = |&spacing| Input {
            spacing,
            free_at: Time::ZERO,
            waiting: VecDeque::new(),
            reassembly: Reassembly::default(),
        };
        Self {
            buffer: config.buffer,
            discards_rest: config.policy.discards_rest(),
            policy: config.policy,
            eom: config.eom,
            inputs: spacings.iter().map(input).collect(),
            trains: VecDeque::with_capacity(spacings.len()),
            offers: 0,
            queue: CellQueue::new(config.cell_time, counts_vcs.then_some(spacings.len())),
            counters: PortCounters::default(),
        }
    }

    /// Puts a frame at the end of its VC's input. Its first cell must not lie in the past of the
    /// last [`TrainPort::advance`].
    pub fn offer(&mut self, frame: Frame<T>) {
        self.offers += 1;
        let input = &mut self.inputs[frame.vc as usize];
        let first = frame.first.max(input.free_at);
        input.free_at = first + input.spacing * u64::from(frame.cells);
        let waiting = Waiting { first, cells: frame.cells, order: self.offers, tag: frame.tag };
        input.waiting.push_back(waiting);
        if input.waiting.len() == 1 {
            self.start(frame.vc);
        }
    }

    /// When the next cell arrives; nothing happens before.
    #[must_use]
    pub fn next_arrival(&self) -> Option<Time> {
        self.trains.front().map(|train| train.next)
    }

    /// Handles every cell that arrives until `until`, that instant included.
    pub fn advance(&mut self, until: Time, events: &mut impl PortEvents<T>) {
        while let Some(mut train) = self.trains.front().copied().filter(|train| train.next <= until) {
            self.trains.pop_front();
            // While no other train has a cell due, the train need not go back to the ring after each cell.
            let other = self.trains.front().map_or((Time::NEVER, 0), Train::key);
            loop {
                let out = match self.together(&train, until, other.0) {
                    0 | 1 => self.cell(&mut train, events),
                    count => Some(self.cells(&mut train, count)),
                };
                if train.left == 0 {
                    self.finish(train, out, events);
                    break;
                }
                train.next += train.spacing;
                if train.next > until || train.key() > other {
                    self.insert(train);
                    break;
                }
            }
        }
    }

    /// Cells queued at `now`, which must not lie before the last [`TrainPort::advance`].
    pub fn queued(&mut self, now: Time) -> u32 {
        self.queue.serve(now);
        self.queue.len
    }

    /// Measures how long cells wait.
    pub fn measure_waits(&mut self, waits: Waits) {
        self.queue.waits = Some(Box::new(waits));
    }

    /// How long cells waited, if the port was to measure it.
    #[must_use]
    pub fn waits(&self) -> Option<&Waits> {
        self.queue.waits.as_deref()
    }

    /// Totals up to `now`, which must not lie before the last [`TrainPort::advance`].
    pub fn counters(&mut self, now: Time) -> PortCounters {
        self.queue.serve(now);
        PortCounters {
            cells_carried: self.queue.served,
            sending: self.queue.sending(now),
            queued_ps: self.counters.queued_ps - self.queue.time_still_due(now),
            ..self.counters
        }
    }

    /// Starts the frame at the head of an input.
    fn start(&mut self, vc: u32) {
        let input = &self.inputs[vc as usize];
        if let Some(frame) = input.waiting.front() {
            self.insert(Train {
                next: frame.first,
                order: frame.order,
                spacing: input.spacing,
                vc,
                left: frame.cells,
                carried: 0,
                state: State::Fresh,
            });
        }
    }

    /// Puts a train into the ring. With access links of one speed that is at its end.
    fn insert(&mut self, train: Train) {
        let mut place = self.trains.len();
        while place > 0 && self.trains[place - 1].key() > train.key() {
            place -= 1;
        }
        if place == self.trains.len() {
            self.trains.push_back(train);
        } else {
            self.trains.insert(place, train);
        }
    }

    /// The next cell of a train arrives. If it is queued, returns when it will have left.
    #[inline]
    fn cell(&mut self, train: &mut Train, events: &mut impl PortEvents<T>) -> Option<Time> {
        let now = train.next;
        self.queue.serve(now);
        self.counters.cells_offered += 1;
        if train.state == State::Fresh {
            let admitted = self.policy.admits(&self.queue.view(self.buffer, train.vc));
            train.state = if admitted { State::Whole } else { State::Refused };
            events.decided(now, train.vc, self.queue.len, admitted);
        }
        train.left -= 1;
        match train.state {
            State::Refused => self.counters.cells_refused += 1,
            State::Cut if self.discards_rest && !self.keeps_as_eom(train) => self.counters.cells_cut += 1,
            _ if self.queue.len < self.buffer => {
                let out = self.queue.push(now, train.vc);
                self.counters.queued_ps += u128::from((out - now).as_ps());
                self.counters.max_queued = self.counters.max_queued.max(self.queue.len);
                train.carried += 1;
                return Some(out);
            }
            _ => {
                self.counters.cells_overflowed += 1;
                train.state = State::Cut;
            }
        }
        None
    }

    /// How many cells of a train can be handled in one step: those that arrive until `until` and
    /// before `other`, if all of them find room and a busy server.
    #[inline]
    fn together(&mut self, train: &Train, until: Time, other: Time) -> u32 {
        let fills = train.spacing <= self.queue.cell_time;
        if train.state != State::Whole || !fills || train.next + train.spacing >= other.min(until) {
            return 1;
        }
        self.queue.serve(train.next);
        if self.queue.len == 0 {
            return 1;
        }
        let span = until.min(other - Time::from_ps(1)) - train.next;
        let arriving = span.div_floor(train.spacing) + 1;
        arriving.min(u64::from(train.left)).min(u64::from(self.buffer - self.queue.len)) as u32
    }

    /// The next `count` cells of a train arrive, as [`Self::together`] allows; returns when the
    /// last of them will have left. The server stays busy, so each leaves a cell time after the
    /// one before; the queue is longest when the last has come.
    fn cells(&mut self, train: &mut Train, count: u32) -> Time {
        let (first, n) = (train.next, u64::from(count));
        let wait = u128::from((self.queue.tail_out - first).as_ps()) * u128::from(n)
            + u128::from(self.queue.cell_time.as_ps()) * u128::from(n * (n + 1) / 2)
            - u128::from(train.spacing.as_ps()) * u128::from(n * (n - 1) / 2);
        train.next = first + train.spacing * (n - 1);
        train.left -= count;
        train.carried += count;
        let out = self.queue.push_several(train.vc, first, train.spacing, count);
        self.queue.serve(train.next);
        self.counters.cells_offered += n;
        self.counters.queued_ps += wait;
        self.counters.max_queued = self.counters.max_queued.max(self.queue.len);
        out
    }

    fn keeps_as_eom(&self, train: &Train) -> bool {
        train.left == 0 && self.eom == Eom::Keep && train.carried > 0
    }

    /// The last cell of a frame has arrived; if it was queued, it leaves at `out`.
    fn finish(&mut self, train: Train, out: Option<Time>, events: &mut impl PortEvents<T>) {
        let input = &mut self.inputs[train.vc as usize];
        let fate = match (train.state, out) {
            (State::Refused, _) => Fate::Refused,
            (State::Whole, Some(out)) => input.reassembly.whole(out),
            _ => input.reassembly.cut(train.carried, out.is_some()),
        };
        self.counters.frame(fate);
        let frame = input.waiting.pop_front().expect("a train has a frame at its input");
        events.finished(train.next, frame.tag, fate);
        self.start(train.vc);
    }
}
