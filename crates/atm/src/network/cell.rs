//! Cells, and the contents of those that are RM cells.

use super::Category;
use crate::abr::RmCell;

/// A cell. Most are data, so the contents of RM cells are stored elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// The VC on which it travels; a BRM travels on the peer of the VC whose rate it carries.
    pub(super) vc: u32,
    /// Data of a packet: the number of its frame among those of the VC. RM: where the contents are.
    pub(super) value: u32,
    /// Its current or next hop, among those of all VCs.
    pub(super) hop: u32,
    pub(super) kind: Kind,
    pub(super) category: Category,
    /// Whether it is the last of a frame (AAL5's end of message).
    pub(super) last: bool,
    pub(super) mark: Mark,
}

/// The mark that a switch has set in a cell. EFCI is for ABR and the others are for UBR and GFR, so a cell has one at
/// most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mark {
    #[default]
    None,
    /// Explicit forward congestion indication.
    Efci,
    /// Its frame is eligible for the MCR of its VC; its cell loss priority is 0.
    Eligible,
    /// Its cell loss priority is 1.
    Tagged,
}

/// What a cell carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A part of a packet.
    Data,
    /// A cell of a cell source: a frame of one cell, without further identity.
    Filler,
    /// A forward RM cell.
    Forward,
    /// A backward RM cell.
    Backward,
}

impl Kind {
    pub(super) fn is_data(self) -> bool {
        matches!(self, Self::Data | Self::Filler)
    }
}

/// The contents of the RM cells in the network. Free places are reused.
#[derive(Debug, Default)]
pub(super) struct RmTable {
    contents: Vec<RmCell>,
    free: Vec<u32>,
}

impl RmTable {
    pub(super) fn keep(&mut self, rm: RmCell) -> u32 {
        if let Some(place) = self.free.pop() {
            self.contents[place as usize] = rm;
            return place;
        }
        self.contents.push(rm);
        self.contents.len() as u32 - 1
    }

    pub(super) fn get(&self, place: u32) -> &RmCell {
        &self.contents[place as usize]
    }

    pub(super) fn get_mut(&mut self, place: u32) -> &mut RmCell {
        &mut self.contents[place as usize]
    }

    pub(super) fn release(&mut self, place: u32) {
        self.free.push(place);
    }

    /// RM cells in the network.
    #[cfg(test)]
    pub(super) fn kept(&self) -> usize {
        self.contents.len() - self.free.len()
    }
}
