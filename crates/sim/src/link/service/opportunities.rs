//! Delivery opportunities of a recorded trace: at each one so many bytes may leave, at once.
//!
//! Source: Netravali et al. 2015, "Mahimahi: Accurate Record-and-Replay for HTTP", and its link_queue.cc. A trace lists
//! milliseconds; at each listed one 1504 bytes may leave, the length of a packet of 1500 bytes with the header of a TUN
//! device. Several small packets may share an opportunity, and a packet whose end does not fit goes on with the next one. Bytes
//! for which nothing waits are lost. An opportunity at the time at which a packet comes was before the packet. The trace
//! begins anew after its last time stamp.
//!
//! Deviation: a packet longer than an opportunity is sent over several, where mahimahi ends with an error.
//!
//! | parameter | unit |
//! |---|---|
//! | times | time of each opportunity, within a period |
//! | period | time |
//! | bytes | of an opportunity |

use super::Service;
use base::Time;

/// Delivery opportunities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opportunities {
    times: Vec<Time>,
    period: Time,
    bytes: u32,
    /// The next one, and when its period began.
    next: usize,
    period_start: Time,
    /// The one that was used last: when it was, and what is left of it for what waits then.
    last: Time,
    left: u32,
}

impl Opportunities {
    /// Opportunities of so many bytes at these times, which are in order, again after each period.
    ///
    /// # Panics
    /// If there are none, they are not in order, one lies beyond the period, or it has no bytes.
    #[must_use]
    pub fn new(times: Vec<Time>, period: Time, bytes: u32) -> Self {
        assert!(
            times.is_sorted() && times.last().is_some_and(|&last| last <= period),
            "in order, in a period"
        );
        assert!(period > Time::ZERO && bytes > 0, "something is sent");
        Self { times, period, bytes, next: 0, period_start: Time::ZERO, last: Time::ZERO, left: 0 }
    }

    fn next_time(&self) -> Time {
        self.period_start + self.times[self.next]
    }

    fn skip(&mut self) {
        self.next += 1;
        if self.next == self.times.len() {
            self.next = 0;
            self.period_start += self.period;
        }
    }
}

impl Service for Opportunities {
    fn begins(&mut self, now: Time, is_first: bool) -> Time {
        if !is_first && self.left > 0 && self.last == now {
            return now;
        }
        self.left = 0;
        while self.next_time() < now || (is_first && self.next_time() == now) {
            self.skip();
        }
        self.next_time()
    }

    fn finish(&mut self, _: Time, bytes: u32) -> Time {
        let mut needed = bytes;
        while needed > self.left {
            needed -= self.left;
            (self.last, self.left) = (self.next_time(), self.bytes);
            self.skip();
        }
        self.left -= needed;
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Time = Time::from_ms;

    fn trace(ms: &[u64]) -> Opportunities {
        let times: Vec<_> = ms.iter().copied().map(Time::from_ms).collect();
        let period = *times.last().expect("some");
        Opportunities::new(times, period, 1504)
    }

    /// Two packets come at 1 ms, when an opportunity has just passed. The first leaves with that at 3 ms, of which four bytes
    /// are left for the second one; it needs the one at 5 ms, too.
    #[test]
    fn a_packet_waits_for_its_opportunities() {
        let mut trace = trace(&[1, 3, 5, 10]);
        assert_eq!(trace.begins(MS(1), true), MS(3));
        assert_eq!((trace.begins(MS(3), false), trace.finish(MS(3), 1500)), (MS(3), MS(3)));
        assert_eq!((trace.begins(MS(3), false), trace.finish(MS(3), 1500)), (MS(3), MS(5)));
        assert_eq!(trace.left, 8);
    }

    #[test]
    fn small_packets_share_an_opportunity_and_what_is_left_is_lost() {
        let mut trace = trace(&[1, 1, 2]);
        assert_eq!(trace.begins(MS(0), true), MS(1));
        let ends = [752, 752, 1000, 504].map(|bytes| {
            assert_eq!(trace.begins(MS(1), false), MS(1));
            trace.finish(MS(1), bytes)
        });
        assert_eq!(ends, [MS(1); 4], "two opportunities at one time");
        assert_eq!(trace.begins(MS(1), false), MS(2));
        trace.finish(MS(2), 1000);
        assert_eq!(trace.begins(MS(2), true), MS(3), "504 bytes are gone: nothing waited");
    }

    /// With its last stamp as the period, the first opportunity of the next round comes that much later.
    #[test]
    fn begins_anew_after_the_last_stamp() {
        let mut trace = trace(&[2, 5]);
        let ends = [1504; 5].map(|bytes| trace.finish(Time::ZERO, bytes));
        assert_eq!(ends, [2, 5, 7, 10, 12].map(MS));
        assert_eq!(trace.begins(MS(1_000_000), true), MS(1_000_002));
    }
}
