//! Real time as the time of a run.

use base::Time;
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::thread;
use std::time::Duration;

const NS_PER_S: i64 = 1_000_000_000;
const PS_PER_NS: u64 = 1000;

/// Counts from the start of the run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// The start, by the monotonic clock, ns.
    start: i64,
}

impl Clock {
    /// A run that starts at this time of the monotonic clock, ns.
    pub(crate) fn starting_at(start: i64) -> Self {
        Self { start }
    }

    /// The time of the run; zero before its start.
    pub(crate) fn now(&self) -> Time {
        self.at(read(ClockId::Monotonic))
    }

    /// Sleeps until the run starts. Before that, time stands still at zero, and a wait for a later time would never look at
    /// what else happens.
    pub(crate) fn wait_for_start(&self) {
        while let Ok(ns) = u64::try_from(self.start - read(ClockId::Monotonic))
            && ns > 0
        {
            thread::sleep(Duration::from_nanos(ns));
        }
    }

    /// How far the kernel's clock for packet stamps is ahead of the monotonic one, ns. It changes when the
    /// system's time is set, so it is read with every batch of stamps.
    pub(crate) fn stamps_ahead() -> i64 {
        read(ClockId::Realtime) - read(ClockId::Monotonic)
    }

    /// The time of the run at a stamp, ns.
    pub(crate) fn at_stamp(&self, stamp: i64, stamps_ahead: i64) -> Time {
        self.at(stamp - stamps_ahead)
    }

    fn at(&self, monotonic: i64) -> Time {
        Time::from_ps(u64::try_from(monotonic - self.start).unwrap_or(0) * PS_PER_NS)
    }
}

fn read(clock: ClockId) -> i64 {
    let now = clock_gettime(clock);
    now.tv_sec * NS_PER_S + now.tv_nsec
}

/// Nanoseconds, rounded up so that a wait of this length does not end too early.
pub(crate) fn nanoseconds(time: Time) -> u64 {
    time.as_ps().div_ceil(PS_PER_NS)
}

/// How long to wait, in the form of the system.
pub(crate) fn timespec(time: Time) -> Timespec {
    let ns = i64::try_from(nanoseconds(time)).unwrap_or(i64::MAX);
    Timespec { tv_sec: ns / NS_PER_S, tv_nsec: ns % NS_PER_S }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_count_from_the_start() {
        let clock = Clock::starting_at(5_000);
        assert_eq!(clock.at(4_000), Time::ZERO);
        assert_eq!(clock.at(5_007), Time::from_ps(7_000));
        assert_eq!(clock.at_stamp(105_007, 100_000), Time::from_ps(7_000));
    }

    #[test]
    fn a_run_starts_no_earlier_than_it_should() {
        let start = read(ClockId::Monotonic) + 5_000_000;
        Clock::starting_at(start).wait_for_start();
        assert!(read(ClockId::Monotonic) >= start);
        Clock::starting_at(0).wait_for_start();
    }

    #[test]
    fn waits_are_rounded_up() {
        assert_eq!(nanoseconds(Time::from_ps(1)), 1);
        let wait = timespec(Time::from_ps(2_000_000_001_001));
        assert_eq!((wait.tv_sec, wait.tv_nsec), (2, 2));
    }
}
