//! Cells in flight to a switch, by the time at which they arrive.
//!
//! Cells do not overtake each other on a line, and those that leave NICs with equally long lines arrive in the
//! order in which they left. So a few lanes hold them, each in order, and the next cell is the earliest of the heads.

use std::collections::VecDeque;

use super::cell::Cell;
use super::tournament::Tournament;
use base::Time;

/// A cell that has left one end of a line, or whose departure is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InFlight {
    /// When its last bit reaches the other end.
    pub(super) arrives: Time,
    pub(super) cell: Cell,
}

/// Lanes, each in the order of arrival. Of cells that arrive together the one in the lane with the smaller number
/// comes first, and within a lane the one that was inserted first.
#[derive(Debug)]
pub(super) struct Lanes {
    lanes: Vec<VecDeque<InFlight>>,
    /// When the first cell of each lane arrives.
    heads: Tournament,
}

impl Lanes {
    pub(super) fn new(lanes: usize) -> Self {
        Self { lanes: vec![VecDeque::new(); lanes], heads: Tournament::new(lanes) }
    }

    /// When the next cell arrives; [`Time::NEVER`] if there is none.
    #[inline]
    pub(super) fn next_arrival(&self) -> Time {
        self.heads.first_time()
    }

    /// Puts a cell into a lane, behind those that are there.
    #[inline]
    pub(super) fn push(&mut self, lane: u32, arrives: Time, cell: Cell) {
        let cells = &mut self.lanes[lane as usize];
        debug_assert!(cells.back().is_none_or(|last| last.arrives <= arrives), "a lane in order");
        if cells.is_empty() {
            self.heads.set(lane, arrives);
        }
        cells.push_back(InFlight { arrives, cell });
    }

    /// Takes out the cell that arrives next.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<InFlight> {
        let lane = self.heads.first_place();
        let cells = self.lanes.get_mut(lane as usize)?;
        let first = cells.pop_front()?;
        self.heads.set(lane, cells.front().map_or(Time::NEVER, |next| next.arrives));
        Some(first)
    }

    /// All cells in flight, in no particular order.
    pub(super) fn cells(&self) -> impl Iterator<Item = &InFlight> {
        self.lanes.iter().flatten()
    }

    /// Cells in one lane.
    #[cfg(test)]
    pub(super) fn lane(&self, lane: u32) -> impl Iterator<Item = &InFlight> {
        self.lanes[lane as usize].iter()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Category;
    use super::super::cell::{Kind, Mark};
    use super::*;
    use proptest::prelude::*;

    fn cell(value: u32) -> Cell {
        let (kind, category) = (Kind::Filler, Category::Ubr);
        Cell { vc: 0, value, hop: 0, kind, category, last: true, mark: Mark::None }
    }

    /// The side table of RM contents is there for this.
    #[test]
    fn a_cell_in_flight_is_small() {
        assert!(size_of::<InFlight>() <= 24);
    }

    proptest! {
        /// Against a stable sort by time and lane.
        #[test]
        fn cells_come_by_time_then_lane(
            lanes in 1usize..9,
            steps in prop::collection::vec((0usize..8, 0u64..4, 0usize..3), 1..200),
        ) {
            let mut tree = Lanes::new(lanes);
            let mut waiting: Vec<(Time, usize, u32)> = Vec::new();
            let mut last = vec![Time::ZERO; lanes];
            for (value, (lane, step, pops)) in (0..).zip(steps) {
                let lane = lane % lanes;
                last[lane] += Time::from_ps(step);
                tree.push(lane as u32, last[lane], cell(value));
                waiting.push((last[lane], lane, value));
                for _ in 0..pops {
                    waiting.sort_by_key(|each| (each.0, each.1));
                    let due = (!waiting.is_empty()).then(|| waiting.remove(0));
                    prop_assert_eq!(tree.pop().map(|first| (first.arrives, first.cell.value)), due.map(|due| (due.0, due.2)));
                }
            }
            prop_assert_eq!(tree.cells().count(), waiting.len());
        }
    }
}
