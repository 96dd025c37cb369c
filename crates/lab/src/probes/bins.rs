//! A number for each of several objects in each bin of time.

use crate::columns::{Table, VALUE_BYTES};
use base::Time;

/// Memory of a row: the number, and three columns.
pub(super) const ROW_BYTES: usize = 4 * VALUE_BYTES;

/// A number for each of several objects in each bin of time.
#[derive(Clone)]
pub(super) struct Bins<T> {
    pub(super) width: Time,
    duration: Time,
    /// The number where none has been set.
    unset: T,
    things: Vec<OfOne<T>>,
}

/// The numbers of one object.
#[derive(Clone)]
struct OfOne<T> {
    /// How many bins it has; 0 if it is not recorded.
    bins: usize,
    /// Up to the last one that has been set: an object that does nothing takes no memory.
    values: Vec<T>,
    /// The last bin that was used, and its time. A division for each event would take as long as all else.
    bin: usize,
    begin: Time,
    end: Time,
}

impl<T: Copy> Bins<T> {
    /// `things` is true for each object that is recorded.
    pub(super) fn new(things: impl Iterator<Item = bool>, width_ps: u64, duration_ps: u64, unset: T) -> Self {
        let (width, duration) = (Time::from_ps(width_ps), Time::from_ps(duration_ps));
        let bins = duration_ps.div_ceil(width_ps) as usize;
        let of_one = |is_recorded| OfOne {
            bins: if is_recorded { bins } else { 0 },
            values: Vec::new(),
            bin: 0,
            begin: Time::ZERO,
            end: width,
        };
        Self { width, duration, unset, things: things.map(of_one).collect() }
    }

    /// The number of an object at a time, if it is recorded and the time is in a bin.
    #[inline]
    pub(super) fn at(&mut self, thing: usize, at: Time) -> Option<&mut T> {
        let its = self.things.get_mut(thing)?;
        if at < its.begin || its.end <= at {
            its.go_to(at, self.width);
        }
        its.of(its.bin, self.unset)
    }

    /// How many bins an object has; 0 if it is not recorded.
    #[inline]
    pub(super) fn of(&self, thing: usize) -> usize {
        self.things[thing].bins
    }

    /// The number of an object in a bin, if it has that.
    #[inline]
    pub(super) fn in_bin(&mut self, thing: usize, bin: usize) -> Option<&mut T> {
        self.things[thing].of(bin, self.unset)
    }

    /// How many bins are over at a time, as far as there are any. The end of the run ends the last one.
    fn over(&self, by: Time) -> usize {
        if by < self.duration { by.div_floor(self.width) as usize } else { usize::MAX }
    }

    /// For each object how many bins are over, and the numbers of the first ones of these; the others are not set.
    pub(super) fn known(&self, by: Time) -> impl Iterator<Item = (usize, &[T])> {
        let over = self.over(by);
        self.things.iter().map(move |its| {
            let bins = its.bins.min(over);
            (bins, &its.values[..its.values.len().min(bins)])
        })
    }

    /// How many rows [`Bins::table`] has.
    pub(super) fn rows(&self, by: Time) -> usize {
        self.known(by).map(|(bins, _)| bins).sum()
    }

    /// A row for each object and bin that is over: the object's number and the start of the bin. Values are a column in
    /// this order.
    pub(super) fn table(&self, thing: &'static str, by: Time) -> Table {
        let most = self.known(by).map(|(bins, _)| bins).max().unwrap_or(0);
        let starts: Vec<f64> = (0..most as u64).map(|bin| (self.width * bin).as_secs_f64()).collect();
        let rows = self.rows(by);
        let (mut numbers, mut times) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
        for (number, (bins, _)) in (0..).zip(self.known(by)) {
            numbers.resize(numbers.len() + bins, number);
            times.extend_from_slice(&starts[..bins]);
        }
        let mut table = Table::default();
        table.integers(thing, numbers);
        table.reals("time_s", times);
        table
    }
}

impl<T: Copy> OfOne<T> {
    #[inline(never)]
    fn go_to(&mut self, at: Time, width: Time) {
        let bin = at.div_floor(width);
        self.bin = bin as usize;
        self.begin = width * bin;
        self.end = self.begin.saturating_add(width);
    }

    #[inline]
    fn of(&mut self, bin: usize, unset: T) -> Option<&mut T> {
        if bin >= self.values.len() {
            self.extend_to(bin, unset);
        }
        self.values.get_mut(bin)
    }

    #[inline(never)]
    fn extend_to(&mut self, bin: usize, unset: T) {
        if bin < self.bins {
            self.values.resize(bin + 1, unset);
        }
    }
}

/// As [`Bins::table`], with the values.
pub(super) fn whole_table(bins: &Bins<u64>, thing: &'static str, value: &'static str, by: Time) -> Table {
    let mut table = bins.table(thing, by);
    let mut values = Vec::with_capacity(bins.rows(by));
    for (bins, set) in bins.known(by) {
        values.extend_from_slice(set);
        values.resize(values.len() + bins - set.len(), 0);
    }
    table.integers(value, values);
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Values;

    /// Two of three objects, in bins of 10 us of which the last has 5 us.
    #[test]
    fn each_time_has_its_bin_in_any_order() {
        let us = Time::from_us;
        let things = [true, false, true].into_iter();
        let mut bins = Bins::new(things, us(10).as_ps(), us(25).as_ps(), 0);
        for (thing, at) in [(0, 3), (0, 25), (0, 9), (2, 10), (0, 24), (1, 4), (2, 0), (0, 30), (3, 0)] {
            bins.at(thing, us(at)).into_iter().for_each(|value| *value += 1);
        }
        let columns = |by| {
            let table = whole_table(&bins, "thing", "value", by);
            let numbers = |place: usize| match &table.columns[place].1 {
                Values::Integers(values) => values.clone(),
                Values::Reals(times) => times.iter().map(|time| (time * 1e6).round() as u64).collect(),
                Values::Words(..) => panic!("no words"),
            };
            [numbers(0), numbers(1), numbers(2)]
        };
        let whole = [vec![0, 0, 0, 2, 2, 2], vec![0, 10, 20, 0, 10, 20], vec![2, 0, 2, 1, 1, 0]];
        assert_eq!(columns(us(25)), whole);
        assert_eq!(columns(us(19)), [vec![0, 2], vec![0, 0], vec![2, 1]]);
    }

    #[test]
    fn what_is_not_set_takes_no_memory() {
        let mut bins = Bins::new([true].into_iter(), 10, 10_000_000, 0);
        assert_eq!((bins.of(0), bins.rows(Time::from_ps(10_000_000))), (1_000_000, 1_000_000));
        *bins.at(0, Time::from_ps(25)).expect("it is recorded") = 7;
        assert_eq!(bins.known(Time::NEVER).collect::<Vec<_>>(), [(1_000_000, &[0, 0, 7][..])]);
    }
}
