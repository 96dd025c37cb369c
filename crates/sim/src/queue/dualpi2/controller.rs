//! The controller of DualPI2: a base probability that follows the waiting time of the older head.
//!
//! Source: RFC 9332, appendix A.1 (`dualpi2_update`, and p' bounded to 0 and 1).
//!
//! At each update, with the delay d of the older head (0 if nothing waits):
//! p' = p' + alpha (d - target) + beta (d - d of the last update), from the left to the right, and then bounded. Differences of
//! times are whole picoseconds, and become seconds when they are multiplied by 1e-12.
//!
//! Updates are due at each multiple of `t_update`. Nothing calls the queue then. At the next call the updates that are
//! due are made up for, with the delays that there were at their times: the heads have not changed since the last call. An
//! update that is due at the time of a call comes before it.
//!
//! Deviation: if more than 10,000 updates are due, those beyond are made as one: their sum is bounded at its end.

use base::Time;

/// Updates that are made one by one after a pause.
const MOST: u64 = 10_000;

/// Gains, 1/s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gains {
    pub(super) alpha: f64,
    pub(super) beta: f64,
}

/// The state of a controller.
#[derive(Clone, Copy, Debug)]
pub(super) struct Controller {
    target: Time,
    t_update: Time,
    gains: Gains,
    /// p'.
    pub(super) probability: f64,
    /// The delay at the last update.
    previous: Time,
    next_update: Time,
}

impl Controller {
    pub(super) fn new(target: Time, t_update: Time, gains: Gains) -> Self {
        Self { target, t_update, gains, probability: 0.0, previous: Time::ZERO, next_update: t_update }
    }

    /// Makes the updates that are due by `now`, if the older head has waited since `oldest`.
    pub(super) fn catch_up(&mut self, now: Time, oldest: Option<Time>) {
        if now < self.next_update {
            return;
        }
        let (first, t_update) = (self.next_update, self.t_update);
        let last = (now - first).div_floor(t_update);
        self.next_update = (first + t_update * last).saturating_add(t_update);
        let delay = |n: u64| oldest.map_or(Time::ZERO, |since| (first + t_update * n).saturating_sub(since));
        for n in 0..=last.min(MOST - 1) {
            if oldest.is_none() && self.probability == 0.0 && self.previous == Time::ZERO {
                return;
            }
            self.update(delay(n));
        }
        if last >= MOST {
            self.update_at_once(last - (MOST - 1), delay(MOST), delay(last));
        }
    }

    /// Moves p' for a delay.
    pub(super) fn update(&mut self, delay: Time) {
        self.update_at_once(1, delay, delay);
    }

    /// Moves p' for so many delays that grow evenly from the first to the last.
    fn update_at_once(&mut self, count: u64, first: Time, last: Time) {
        let mean = Time::from_ps(u64::midpoint(first.as_ps(), last.as_ps()));
        let integral = self.gains.alpha * seconds(mean, self.target) * count as f64;
        let proportional = self.gains.beta * seconds(last, self.previous);
        self.probability = (self.probability + integral + proportional).clamp(0.0, 1.0);
        self.previous = last;
    }
}

/// From one time to another, which may be earlier.
fn seconds(to: Time, from: Time) -> f64 {
    (i128::from(to.as_ps()) - i128::from(from.as_ps())) as f64 * 1e-12
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Time = Time::from_ms(1);
    const HOUR: Time = Time::from_secs(3600);
    const GAINS: Gains = Gains { alpha: 0.16, beta: 3.2 };

    fn controller(t_update: Time) -> Controller {
        Controller::new(MS * 15, t_update, GAINS)
    }

    fn is_close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    /// p' falls by 0.16 * 0.015 an update, and at the first one by 3.2 times the last delay too.
    #[test]
    fn an_empty_queue_forgets() {
        let mut its = controller(MS * 16);
        (its.probability, its.next_update) = (0.5, MS * 16);
        its.previous = MS * 10;
        its.catch_up(MS * 16, None);
        assert!(is_close(its.probability, 0.5 - 0.0024 - 0.032));
        its.catch_up(MS * 48, None);
        assert!(is_close(its.probability, 0.5 - 0.0072 - 0.032));
        its.catch_up(HOUR * 1000, None);
        assert_eq!((its.probability.to_bits(), its.previous), (0, Time::ZERO));
        assert_eq!(its.next_update, HOUR * 1000 + MS * 16);
        // A head that comes then has waited 5 ms at the next update.
        let since = its.next_update - MS * 5;
        its.catch_up(HOUR * 1000 + MS * 16, Some(since));
        assert!(is_close(its.probability, 0.16 * -0.010 + 3.2 * 0.005));
    }

    /// However many updates are due, few are made one by one; all together have the same sum.
    #[test]
    fn a_long_pause_is_bounded_work() {
        let gains = Gains { alpha: 1e-6, beta: 1e-5 };
        for since in [None, Some(Time::ZERO)] {
            let t_update = Time::from_us(100);
            let mut once = Controller::new(MS * 15, t_update, gains);
            once.probability = 0.5;
            let mut each = once;
            once.catch_up(MS * 2500, since);
            (1..=25_000).for_each(|n| each.catch_up(t_update * n, since));
            assert!(is_close(once.probability, each.probability));
            assert!((0.0..1.0).contains(&each.probability) && each.probability != 0.5);
            assert_eq!((once.previous, once.next_update), (each.previous, each.next_update));
        }
        let mut busy = controller(Time::from_us(1));
        busy.catch_up(HOUR * 5000, Some(HOUR));
        assert_eq!((busy.probability.to_bits(), busy.previous), (f64::to_bits(1.0), HOUR * 4999));
    }
}
