//! When an event happens, and which of two happens first.

use base::Time;
use std::cmp::Ordering;

/// When an event happens: by time, and among equal times in the order of insertion. The order
/// is total, so a run has one history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventKey {
    /// When.
    pub time: Time,
    /// Insertion number.
    pub order: u64,
}

impl EventKey {
    /// Time and order as one number, which compares without a branch that the processor would have to predict.
    #[inline]
    fn rank(self) -> u128 {
        u128::from(self.time.as_ps()) << 64 | u128::from(self.order)
    }
}

impl Ord for EventKey {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for EventKey {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// An event with its key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<E> {
    pub(super) key: EventKey,
    pub(super) event: E,
}

// No two events have one key.
impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<E> Eq for Entry<E> {}

impl<E> Ord for Entry<E> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

impl<E> PartialOrd for Entry<E> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
