//! Congestion window validation.
//!
//! Source: RFC 2861 as present-day stacks have it. cwnd grows only while it limits the sender: the
//! last window of data has filled it, or in slow start half of it. After an idle time cwnd is halved
//! for each time-out that went by, down to the restart window, and ssthresh keeps three quarters of it.
//!
//! Deviation: the decay while an application sends less than cwnd (section 3.1) is left out; a
//! window that is not filled does not grow, and the restart after idle cuts it.

use super::segment_count::WholeSegments;
use super::{CongestionWindow, Idle};
use crate::sender::Sender;

/// Whether cwnd limits the sender.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Validation {
    /// The most that was in flight in this window of data, which ends at `until`.
    max_flight: u64,
    until: u64,
    filled: bool,
}

impl Validation {
    /// A segment was sent.
    pub(super) fn on_sent(&mut self, window: &CongestionWindow, sender: &Sender) {
        let flight = sender.flight_size();
        let filled = flight + sender.smss > window.cwnd();
        if sender.snd_una >= self.until || filled || (!self.filled && flight > self.max_flight) {
            self.filled = filled;
            self.max_flight = flight;
            self.until = sender.snd_nxt;
        }
    }

    /// Whether cwnd limits the sender, so that it may grow.
    pub(super) fn is_limited(&self, window: &CongestionWindow) -> bool {
        let slow_start = window.cwnd() < window.ssthresh();
        self.filled || (slow_start && window.cwnd() < 2 * self.max_flight)
    }

    /// The window after a pause.
    pub(super) fn restart(&self, window: &mut CongestionWindow, idle: Idle, whole: Option<&WholeSegments>) {
        let (cwnd, ssthresh) = (window.cwnd(), window.ssthresh());
        let least = idle.restart_window.min(cwnd);
        let three_quarters = whole.map_or(cwnd / 4 * 3, |whole| whole.three_quarters(cwnd));
        window.set_ssthresh(ssthresh.max(three_quarters));
        let halvings = idle.time.div_floor(idle.rto).min(63);
        window.set_cwnd((cwnd >> halvings).max(least));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::flow::Flow;
    use base::Time;

    /// A window of so many segments of 100 bytes, of which some are in flight.
    fn flow(segments: u64, in_flight: u64, ssthresh: u64) -> Flow {
        Flow::new(100, 100 * segments, ssthresh, 100 * in_flight)
    }

    fn on_sent(validation: &mut Validation, flow: &Flow) {
        validation.on_sent(&flow.window, &flow.sender);
    }

    #[test]
    fn only_a_filled_window_grows_in_congestion_avoidance() {
        let mut validation = Validation::default();
        (1..=9).for_each(|n| on_sent(&mut validation, &flow(10, n, 100)));
        assert!(!validation.is_limited(&flow(10, 9, 100).window));
        on_sent(&mut validation, &flow(10, 10, 100));
        assert!(validation.is_limited(&flow(10, 10, 100).window));
    }

    #[test]
    fn in_slow_start_more_than_half_a_window_suffices() {
        let mut validation = Validation::default();
        (1..=5).for_each(|n| on_sent(&mut validation, &flow(10, n, 9000)));
        assert!(!validation.is_limited(&flow(10, 5, 9000).window));
        on_sent(&mut validation, &flow(10, 6, 9000));
        assert!(validation.is_limited(&flow(10, 6, 9000).window));
    }

    #[test]
    fn idle_time_halves_the_window_down_to_the_restart_window() {
        let validation = Validation::default();
        for (ms, segments) in [(299, 40), (300, 20), (700, 10), (9000, 10)] {
            let mut window = flow(40, 0, 100).window;
            let (time, rto) = (Time::from_ms(ms), Time::from_ms(300));
            validation.restart(&mut window, Idle { time, rto, restart_window: 1000 }, None);
            assert_eq!((window.cwnd(), window.ssthresh()), (100 * segments, 3000), "{ms} ms");
        }
    }
}
