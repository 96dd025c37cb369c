//! The pace of a source: when it may send its next cell.
//!
//! Source: ATM Forum TM 4.0 (af-tm-0056.000), source behaviour, rule 1: cells leave at or below ACR.
//! TM 4.0 leaves open how a change of ACR moves a waiting cell. Here a cell is earned when ACR, integrated over
//! the time since the last cell, reaches 1. So:
//! - At a constant ACR the next cell may leave 1/ACR after the last one.
//! - When ACR rises, a waiting cell may leave earlier, in proportion to the part still to be earned, but never
//!   before 1/PCR after the last one. When ACR falls, it leaves later likewise.
//! - A cell that leaves late, or an idle time, earns no credit: in any interval a source sends at most the integral
//!   of ACR plus one cell.
//! - Times are whole picoseconds, rounded up. A cell that leaves at that time passes its rounding error to the
//!   next, so the error of many cells stays below one picosecond.

use super::config::PS_PER_S;
use base::Time;

/// When a source has earned its next cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Cells/s.
    rate: f64,
    /// The time at which `missing` applies.
    since: Time,
    /// Part of the cell that had still to be earned at `since`.
    missing: f64,
    /// Time from `since` until it is earned, ps.
    wait: f64,
    /// The end of that time, rounded up.
    earned: Time,
}

impl Pace {
    /// A source that may send its first cell at any time.
    pub(super) fn new(rate: f64) -> Self {
        Self { rate, since: Time::ZERO, missing: 0.0, wait: 0.0, earned: Time::ZERO }
    }

    /// When the next cell may leave.
    pub(super) fn earned(&self) -> Time {
        self.earned
    }

    /// Sets the rate from `now` on.
    pub(super) fn set_rate(&mut self, now: Time, rate: f64) {
        let waits = now < self.earned;
        if waits {
            let passed = (now - self.since).as_ps() as f64;
            self.missing = (self.missing - self.rate * passed / PS_PER_S).max(0.0);
        }
        self.rate = rate;
        if waits {
            self.wait_from(now);
        } else {
            (self.since, self.missing, self.wait) = (self.earned, 0.0, 0.0);
        }
    }

    /// A cell leaves; not before it is earned.
    pub(super) fn spend(&mut self, now: Time) {
        debug_assert!(now >= self.earned, "a cell leaves before it is earned");
        let rounded_up =
            if now == self.earned { ((now - self.since).as_ps() as f64 - self.wait).max(0.0) } else { 0.0 };
        self.missing = 1.0 - self.rate * rounded_up / PS_PER_S;
        self.wait_from(now);
    }

    fn wait_from(&mut self, now: Time) {
        self.since = now;
        self.wait = if self.missing > 0.0 { self.missing * PS_PER_S / self.rate } else { 0.0 };
        self.earned = now.saturating_add(round_up(self.wait));
    }
}

/// Rounds picoseconds up; [`Time::NEVER`] if infinite. Written by hand because `f64::ceil` is a function call on many
/// machines, and this runs for each cell.
pub(super) fn round_up(ps: f64) -> Time {
    let whole = ps as u64;
    Time::from_ps(whole.saturating_add(u64::from((whole as f64) < ps)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times of the cells of a source that always sends as soon as it may.
    fn greedy(rate: f64, cells: usize) -> Vec<Time> {
        let mut pace = Pace::new(rate);
        let mut times = Vec::new();
        for _ in 0..cells {
            times.push(pace.earned());
            pace.spend(pace.earned());
        }
        times
    }

    #[test]
    fn a_million_cells_do_not_drift() {
        // 45 Mbit/s: 424 bit / 45 Mbit/s = 9 422 222.2 ps, which is no whole number.
        let rate = 45e6 / 424.0;
        for (n, time) in greedy(rate, 1_000_000).into_iter().enumerate() {
            // n * 424e12 / 45e6 ps, rounded up.
            let exact = (n as u128 * 424_000_000).div_ceil(45) as u64;
            assert!(time.as_ps().abs_diff(exact) <= 1, "cell {n}: {} ps, {exact} ps", time.as_ps());
        }
    }

    #[test]
    fn rounds_up() {
        assert_eq!(
            [0.0, 0.25, 1.0, 1.5, 1e15 + 0.125, 1e18].map(round_up),
            [0, 1, 1, 2, 1_000_000_000_000_001, 1_000_000_000_000_000_000].map(Time::from_ps)
        );
        assert_eq!(round_up(f64::INFINITY), Time::NEVER);
    }

    #[test]
    fn a_late_cell_delays_the_next_ones() {
        let mut pace = Pace::new(1e6); // a cell each microsecond
        pace.spend(Time::ZERO);
        pace.spend(Time::from_ps(1_400_000));
        assert_eq!(pace.earned(), Time::from_ps(2_400_000));
    }

    #[test]
    fn a_waiting_cell_moves_with_the_rate() {
        let mut pace = Pace::new(10.0);
        pace.spend(Time::ZERO); // next at 100 ms
        pace.set_rate(Time::from_ms(50), 40.0); // 0.5 missing: 0.5 / 40 s = 12.5 ms
        assert_eq!(pace.earned(), Time::from_us(62_500));
        pace.set_rate(Time::from_us(56_250), 5.0); // 0.5 - 0.00625 * 40 = 0.25; 0.25 / 5 s = 50 ms
        assert_eq!(pace.earned(), Time::from_us(106_250));
        pace.set_rate(Time::from_us(81_250), 0.0); // 0.25 - 0.025 * 5 = 0.125
        assert_eq!(pace.earned(), Time::NEVER);
        pace.set_rate(Time::from_ms(90), 10.0); // 0.125 / 10 s = 12.5 ms
        assert_eq!(pace.earned(), Time::from_us(102_500));
        pace.set_rate(Time::from_ms(105), 1.0); // earned is earned
        assert_eq!(pace.earned(), Time::from_us(102_500));
        pace.spend(Time::from_ms(105));
        assert_eq!(pace.earned(), Time::from_ms(1105));
    }
}
