//! Distributions of times, as tables: their statistics, and their histograms.

use crate::columns::Table;
use base::Time;
use sim::histogram::Histogram;

/// Percentiles that a table of statistics has, with what they are in thousandths.
const QUANTILES: [(&str, u64); 3] = [("p50_s", 500), ("p95_s", 950), ("p99_s", 990)];

/// Histograms of times in ps, each with the numbers of what was measured.
pub(super) struct Delays {
    /// Of what the numbers are.
    names: &'static [&'static str],
    of: Vec<(Vec<u64>, Histogram)>,
}

impl Delays {
    /// None yet, of things with these numbers.
    pub(super) fn new(names: &'static [&'static str]) -> Self {
        Self { names, of: Vec::new() }
    }

    /// Adds those of one thing.
    pub(super) fn push(&mut self, numbers: &[u64], histogram: &Histogram) {
        debug_assert_eq!(numbers.len(), self.names.len(), "a number for each name");
        self.of.push((numbers.to_vec(), histogram.clone()));
    }

    /// A row a thing: its numbers, `mean_s`, percentiles, `max_s`; nan where nothing was measured. Empty if there is no
    /// thing.
    pub(super) fn statistics(&self) -> Table {
        let mut table = self.numbers(|_| 1);
        if self.of.is_empty() {
            return table;
        }
        let histograms = || self.of.iter().map(|(_, histogram)| histogram);
        let seconds = |ps: Option<u64>| ps.map_or(f64::NAN, |ps| Time::from_ps(ps).as_secs_f64());
        table.reals("mean_s", histograms().map(|its| its.mean().map_or(f64::NAN, |ps| ps / PS_PER_S)));
        for (name, thousandths) in QUANTILES {
            table.reals(name, histograms().map(|its| seconds(its.quantile(thousandths))));
        }
        table.reals("max_s", histograms().map(|its| seconds((its.count() > 0).then(|| its.largest()))));
        table
    }

    /// A row a bin of a thing that has some: the numbers of the thing, `until_s` (the largest time that belongs there),
    /// `count`. Empty if there is no thing.
    pub(super) fn bins(&self) -> Table {
        let mut table = self.numbers(|histogram| histogram.bins().count());
        if self.of.is_empty() {
            return table;
        }
        let bins = || self.of.iter().flat_map(|(_, histogram)| histogram.bins());
        table.reals("until_s", bins().map(|(end, _)| Time::from_ps(end).as_secs_f64()));
        table.integers("count", bins().map(|(_, count)| count));
        table
    }

    /// The columns of the numbers, those of each thing in so many rows.
    fn numbers(&self, rows: impl Fn(&Histogram) -> usize) -> Table {
        let mut table = Table::default();
        if self.of.is_empty() {
            return table;
        }
        for (column, name) in self.names.iter().enumerate() {
            let repeated =
                |(numbers, its): &(Vec<u64>, Histogram)| std::iter::repeat_n(numbers[column], rows(its));
            table.integers(name, self.of.iter().flat_map(repeated));
        }
        table
    }
}

const PS_PER_S: f64 = 1e12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Values::{Integers, Reals};

    #[test]
    fn statistics_and_bins_of_each_thing() {
        let mut delays = Delays::new(&["flow", "link"]);
        let mut some = Histogram::default();
        [10, 30, 30, 50].iter().for_each(|&ps| some.add(ps));
        delays.push(&[3, 1], &some);
        delays.push(&[4, 1], &Histogram::default());
        let s = |ps: u64| Time::from_ps(ps).as_secs_f64();
        let statistics = delays.statistics().columns;
        assert_eq!(statistics[..2], [("flow", Integers(vec![3, 4])), ("link", Integers(vec![1, 1]))]);
        let first = statistics[2..].iter().map(|(name, values)| match values {
            Reals(values) if values[1].is_nan() => (*name, values[0]),
            other => panic!("{other:?}"),
        });
        let right =
            [("mean_s", s(30)), ("p50_s", s(30)), ("p95_s", s(50)), ("p99_s", s(50)), ("max_s", s(50))];
        assert_eq!(first.collect::<Vec<_>>(), right);
        let right = [
            ("flow", Integers(vec![3; 3])),
            ("link", Integers(vec![1; 3])),
            ("until_s", Reals([10, 30, 50].map(s).to_vec())),
            ("count", Integers(vec![1, 2, 1])),
        ];
        assert_eq!(delays.bins().columns, right);
        assert_eq!(Delays::new(&["link"]).statistics(), Table::default());
        assert_eq!(Delays::new(&["link"]).bins(), Table::default());
    }
}
