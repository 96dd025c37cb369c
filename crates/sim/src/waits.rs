//! Waiting times in a queue.
//!
//! A packet waits from its arrival at the queue to the start of its transmission. It counts if that start lies in the
//! measured time. A link measures only if it is given a [`Waits`]: of many links, few are of interest.

use crate::histogram::Histogram;
use crate::packet::HostId;
use base::Time;

/// The waiting times of those whose transmission started in the measured time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waits {
    from: Time,
    until: Time,
    /// ps.
    histogram: Histogram,
    /// The same of the packets that some hosts have sent, by the number of the host.
    of_hosts: Vec<Option<Box<Histogram>>>,
}

impl Waits {
    /// No waiting times yet. The measured time is `[from, until)`.
    #[must_use]
    pub fn between(from: Time, until: Time) -> Self {
        Self { from, until, histogram: Histogram::default(), of_hosts: Vec::new() }
    }

    /// Measures the packets that these hosts send by themselves, too.
    #[must_use]
    pub fn of_hosts(mut self, hosts: impl IntoIterator<Item = HostId>) -> Self {
        for HostId(host) in hosts {
            let host = host as usize;
            self.of_hosts.resize(self.of_hosts.len().max(host + 1), None);
            self.of_hosts[host] = Some(Box::default());
        }
        self
    }

    /// The transmission of a packet starts at `start`, after a wait.
    #[inline]
    pub fn record_packet(&mut self, start: Time, wait: Time, sender: HostId) {
        self.record(start, wait);
        if let Some(Some(histogram)) = self.of_hosts.get_mut(sender.0 as usize)
            && self.from <= start
            && start < self.until
        {
            histogram.add(wait.as_ps());
        }
    }

    /// A transmission starts at `start`, after a wait.
    #[inline]
    pub fn record(&mut self, start: Time, wait: Time) {
        if self.from <= start && start < self.until {
            self.histogram.add(wait.as_ps());
        }
    }

    /// `count` transmissions start, the first at `start` after a wait, and each `apart` after the one before, after a
    /// wait that is `longer` than the one before.
    #[inline]
    pub fn record_series(&mut self, start: Time, wait: Time, apart: Time, longer: Time, count: u64) {
        if self.from <= start && start + apart * count < self.until {
            return self.histogram.add_series(wait.as_ps(), longer.as_ps(), count);
        }
        self.record_part(start, wait, apart, longer, count);
    }

    /// As [`Self::record_series`], of those that start in the measured time.
    #[cold]
    fn record_part(&mut self, start: Time, wait: Time, apart: Time, longer: Time, count: u64) {
        let started_by = |time: Time| time.saturating_sub(start).as_ps().div_ceil(apart.as_ps()).min(count);
        let (before, within) = (started_by(self.from), started_by(self.until));
        self.histogram.add_series(
            (wait + longer * before).as_ps(),
            longer.as_ps(),
            within.saturating_sub(before),
        );
    }

    /// All waiting times, ps.
    #[must_use]
    pub fn histogram(&self) -> &Histogram {
        &self.histogram
    }

    /// Those of the packets that a host has sent, ps; none if the host is not one of [`Self::of_hosts`].
    #[must_use]
    pub fn by(&self, sender: HostId) -> Option<&Histogram> {
        self.of_hosts.get(sender.0 as usize)?.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_what_starts_in_the_measured_time() {
        let us = Time::from_us;
        let mut waits = Waits::between(us(10), us(20));
        for (start, wait) in [(9, 1), (10, 2), (19, 3), (20, 4)] {
            waits.record(us(start), us(wait));
        }
        assert_eq!((waits.histogram.count(), waits.histogram.largest()), (2, us(3).as_ps()));
    }

    #[test]
    fn hosts_are_told_apart_if_asked() {
        let us = Time::from_us;
        let mut waits = Waits::between(us(10), us(20)).of_hosts([HostId(3), HostId(1)]);
        for (start, wait, host) in [(9, 1, 1), (10, 2, 1), (11, 4, 3), (12, 6, 3), (13, 8, 0), (13, 8, 5)] {
            waits.record_packet(us(start), us(wait), HostId(host));
        }
        let means = (0..5).map(|host| Some(waits.by(HostId(host))?.mean()? / 1e6));
        assert_eq!(means.collect::<Vec<_>>(), [None, Some(2.0), None, Some(5.0), None]);
        assert_eq!(waits.histogram().count(), 5);
    }

    proptest! {
        #[test]
        fn a_series_is_its_transmissions(
            (start, wait, apart, longer) in (0u64..200, 0u64..200, 1u64..20, 0u64..20),
            (from, until) in (0u64..300, 0u64..300),
            count in 0u64..40,
        ) {
            let ps = Time::from_ps;
            let mut at_once = Waits::between(ps(from), ps(until));
            let mut one_by_one = at_once.clone();
            at_once.record_series(ps(start), ps(wait), ps(apart), ps(longer), count);
            (0..count).for_each(|n| one_by_one.record(ps(start + n * apart), ps(wait + n * longer)));
            prop_assert_eq!(at_once, one_by_one);
        }
    }
}
