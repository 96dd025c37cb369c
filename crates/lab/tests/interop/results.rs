//! What came of many random scenarios, as a text.

use crate::run::{Outcome, Seen, Verdict, run};
use crate::scenario::Pair;
use base::Time;
use std::fmt::Write;
use std::ops::Range;

/// The counts of one pair.
#[derive(Default)]
struct Row {
    scenarios: u64,
    closed: u64,
    closed_by_reset: u64,
    gave_up: u64,
    failed: u64,
    bytes: u64,
    seen: Seen,
    longest: (Time, u64),
}

impl Row {
    fn add(&mut self, outcome: &Outcome) {
        self.scenarios += 1;
        match outcome.verdict {
            Verdict::Closed => self.closed += 1,
            Verdict::ClosedByReset => self.closed_by_reset += 1,
            Verdict::PeerGaveUp => self.gave_up += 1,
            Verdict::Failed(_) => self.failed += 1,
        }
        self.bytes += outcome.bytes;
        self.seen.add(&outcome.seen);
        self.longest = self.longest.max((outcome.took, outcome.seed));
    }
}

/// The outcomes of random scenarios.
#[derive(Default)]
pub(crate) struct Results {
    rows: [Row; Pair::ALL.len()],
    pub(crate) failures: Vec<Outcome>,
}

impl Results {
    /// Of the scenarios with these seeds.
    pub(crate) fn of(seeds: Range<u64>) -> Self {
        let mut results = Self::default();
        for seed in seeds {
            let outcome = run(seed);
            results.rows[outcome.pair as usize].add(&outcome);
            if outcome.failed() {
                results.failures.push(outcome);
            }
        }
        results
    }

    /// Two tables: how they ended, and what happened in them.
    fn table(&self) -> String {
        let mut text = String::new();
        let mut line = |cells: [String; 7]| {
            let [first, rest @ ..] = cells;
            let rest: String = rest.iter().map(|cell| format!("{cell:>18}")).collect();
            writeln!(text, "{first:<18}{rest}").expect("writing to a string cannot fail");
        };
        line(
            ["", "scenarios", "closed", "closed by reset", "smoltcp gave up", "failed", "bytes delivered"]
                .map(String::from),
        );
        for (pair, row) in Pair::ALL.iter().zip(&self.rows) {
            let counts = [row.scenarios, row.closed, row.closed_by_reset, row.gave_up, row.failed, row.bytes];
            let [a, b, c, d, e, f] = counts.map(|count| count.to_string());
            line([pair.name().into(), a, b, c, d, e, f]);
        }
        line(["", "packets", "lost", "doubled", "marked", "sent again", "windows of zero"].map(String::from));
        for (pair, row) in Pair::ALL.iter().zip(&self.rows) {
            let Seen { packets, lost, doubled, marked, again, zero_windows, .. } = row.seen;
            let counts = [packets, lost, doubled, marked, again, zero_windows];
            let [a, b, c, d, e, f] = counts.map(|count| count.to_string());
            line([pair.name().into(), a, b, c, d, e, f]);
        }
        for (pair, Row { longest: (took, seed), .. }) in Pair::ALL.iter().zip(&self.rows) {
            writeln!(
                text,
                "{:<18}slowest: {:.0} s of virtual time, seed {seed}",
                pair.name(),
                took.as_secs_f64()
            )
            .expect("writing to a string cannot fail");
        }
        text
    }
}

/// What `make validate` keeps.
pub(crate) fn file(few: &Results, many: &Results) -> String {
    let total = |results: &Results| results.rows.iter().map(|row| row.scenarios).sum::<u64>();
    format!(
        "Random scenarios between our TCP and smoltcp's, and between two of ours; see peers.md.\n\
         Made by: cargo test --release --package ackclock-lab --test interop write_the_page -- --ignored\n\
         \n\
         Seeds 0 to {}\n\n{}\n\
         Seeds 0 to {}\n\n{}",
        total(few) - 1,
        few.table(),
        total(many) - 1,
        many.table(),
    )
}
