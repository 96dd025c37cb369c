//! Congestion window validation.
//!
//! Source: RFC 2861 as present-day stacks have it. cwnd grows only while it limits the sender: the
//! last window of data has filled it, or in slow start half of it. After an idle time cwnd is halved
//! for each time-out that went by, down to the restart window, and ssthresh keeps three quarters of it.
//!
//! Deviation: the decay while an application sends less than cwnd (section 3.1) is left out; a
//! window that is not filled does not grow, and the restart after idle cuts it.

use crate::window::Window;
use base::Time;

/// Whether cwnd limits the sender.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Validation {
    /// The most that was in flight in this window of data, which ends at `until`.
    max_flight: u64,
    until: u64,
    filled: bool,
}

impl Validation {
    /// A segment was sent.
    pub(crate) fn on_sent(&mut self, window: &Window) {
        let flight = window.flight_size();
        let filled = flight + window.smss > window.cwnd;
        if window.snd_una >= self.until || filled || (!self.filled && flight > self.max_flight) {
            self.filled = filled;
            self.max_flight = flight;
            self.until = window.snd_nxt;
        }
    }

    /// Whether cwnd may grow.
    pub(crate) fn limited(&self, window: &Window) -> bool {
        let slow_start = window.cwnd < window.ssthresh;
        self.filled || (slow_start && window.cwnd < 2 * self.max_flight)
    }

    /// The window after `idle` without sending, with time-outs of `rto`.
    pub(crate) fn restart(&self, window: &mut Window, restart_window: u64, idle: Time, rto: Time) {
        let least = restart_window.min(window.cwnd);
        window.ssthresh = window.ssthresh.max(window.cwnd / 4 * 3);
        let halvings = idle.div_floor(rto).min(63);
        window.cwnd = (window.cwnd >> halvings).max(least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(segments: u64, in_flight: u64) -> Window {
        let snd_max = 1 + 100 * in_flight;
        Window {
            smss: 100,
            cwnd: 100 * segments,
            ssthresh: 100,
            snd_una: 1,
            snd_nxt: snd_max,
            snd_max,
            ..Window::default()
        }
    }

    #[test]
    fn only_a_filled_window_grows_in_congestion_avoidance() {
        let mut validation = Validation::default();
        (1..=9).for_each(|n| validation.on_sent(&window(10, n)));
        assert!(!validation.limited(&window(10, 9)));
        validation.on_sent(&window(10, 10));
        assert!(validation.limited(&window(10, 10)));
    }

    #[test]
    fn in_slow_start_more_than_half_a_window_suffices() {
        let mut validation = Validation::default();
        let slow_start = |segments, in_flight| Window { ssthresh: 9000, ..window(segments, in_flight) };
        (1..=5).for_each(|n| validation.on_sent(&slow_start(10, n)));
        assert!(!validation.limited(&slow_start(10, 5)));
        validation.on_sent(&slow_start(10, 6));
        assert!(validation.limited(&slow_start(10, 6)));
    }

    #[test]
    fn idle_time_halves_the_window_down_to_the_restart_window() {
        let validation = Validation::default();
        let rto = Time::from_ms(300);
        for (ms, segments) in [(299, 40), (300, 20), (700, 10), (9000, 10)] {
            let mut w = window(40, 0);
            validation.restart(&mut w, 1000, Time::from_ms(ms), rto);
            assert_eq!((w.cwnd, w.ssthresh), (100 * segments, 3000), "{ms} ms");
        }
    }
}
