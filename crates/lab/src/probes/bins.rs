//! A number for each of several objects in each bin of time.

use crate::columns::Table;
use base::Time;

/// A number for each of several objects in each bin of time.
#[derive(Clone)]
pub(super) struct Bins<T> {
    pub(super) width: Time,
    duration: Time,
    /// Empty for an object that is not recorded.
    pub(super) values: Vec<Vec<T>>,
}

impl<T: Copy> Bins<T> {
    /// `things` is true for each object that is recorded.
    pub(super) fn new(things: impl Iterator<Item = bool>, width_ps: u64, duration_ps: u64, value: T) -> Self {
        let bins = duration_ps.div_ceil(width_ps) as usize;
        let values = things.map(|recorded| if recorded { vec![value; bins] } else { Vec::new() }).collect();
        Self { width: Time::from_ps(width_ps), duration: Time::from_ps(duration_ps), values }
    }

    #[inline]
    pub(super) fn at(&mut self, thing: usize, at: Time) -> Option<&mut T> {
        let bin = at.div_floor(self.width) as usize;
        self.values.get_mut(thing)?.get_mut(bin)
    }

    /// How many bins are over at a time, as far as there are any. The end of the run ends the last one.
    fn over(&self, by: Time) -> usize {
        if by < self.duration { by.div_floor(self.width) as usize } else { usize::MAX }
    }

    /// The values of each object in the bins that are over.
    pub(super) fn known(&self, by: Time) -> impl Iterator<Item = &[T]> {
        let over = self.over(by);
        self.values.iter().map(move |bins| &bins[..bins.len().min(over)])
    }

    /// A row for each object and bin that is over: the object's number and the start of the bin. Values are a column in
    /// this order.
    pub(super) fn table(&self, thing: &'static str, by: Time) -> Table {
        let mut table = Table::default();
        let rows = || {
            (0..)
                .zip(self.known(by))
                .flat_map(|(number, bins)| (0..bins.len() as u64).map(move |at| (number, at)))
        };
        table.integers(thing, rows().map(|(number, _)| number));
        table.reals("time_s", rows().map(|(_, at)| (self.width * at).as_secs_f64()));
        table
    }
}

/// As [`Bins::table`], with the values.
pub(super) fn whole_table(bins: &Bins<u64>, thing: &'static str, value: &'static str, by: Time) -> Table {
    let mut table = bins.table(thing, by);
    table.integers(value, bins.known(by).flatten().copied());
    table
}
