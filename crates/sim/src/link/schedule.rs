//! Values that change at given times: the rate, the delay or the loss of a link.

use base::Time;

/// A value that changes at given times. It is read in the order of time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule<T> {
    /// Start and value of each step, from 0 on.
    steps: Vec<(Time, T)>,
    /// After it the steps begin anew; without it the last one holds.
    period: Option<Time>,
    /// The step that holds now, and when its period began.
    current: usize,
    period_start: Time,
}

impl<T: Copy> From<T> for Schedule<T> {
    /// The same value all the time.
    fn from(value: T) -> Self {
        Self::new(vec![(Time::ZERO, value)], None)
    }
}

impl<T: Copy> Schedule<T> {
    /// Values from these times on. With a period they begin anew after it.
    ///
    /// # Panics
    /// If the first step is not at 0, the steps are not in order, or the last one does not begin within the period.
    #[must_use]
    pub fn new(steps: Vec<(Time, T)>, period: Option<Time>) -> Self {
        assert!(steps.first().is_some_and(|first| first.0 == Time::ZERO), "the first step is at 0");
        assert!(steps.is_sorted_by(|a, b| a.0 < b.0), "steps are in order");
        assert!(
            period.is_none_or(|period| steps.last().is_some_and(|last| last.0 < period)),
            "every step begins within the period"
        );
        Self { steps, period, current: 0, period_start: Time::ZERO }
    }

    /// The values of all steps.
    pub fn values(&self) -> impl Iterator<Item = T> + '_ {
        self.steps.iter().map(|step| step.1)
    }

    /// Whether the steps begin anew.
    pub(super) const fn begins_anew(&self) -> bool {
        self.period.is_some()
    }

    /// The value at a time, which is no earlier than any before.
    pub(super) fn at(&mut self, now: Time) -> T {
        self.advance_to(now);
        self.value()
    }

    /// The value of the current step.
    pub(super) fn value(&self) -> T {
        self.steps[self.current].1
    }

    /// When the current step ends; [`Time::NEVER`] for the last one.
    pub(super) fn ends(&self) -> Time {
        match (self.steps.get(self.current + 1), self.period) {
            (Some(next), _) => self.period_start + next.0,
            (None, Some(period)) => self.period_start + period,
            (None, None) => Time::NEVER,
        }
    }

    /// Goes to the next step.
    pub(super) fn advance(&mut self) {
        self.current += 1;
        if let (true, Some(period)) = (self.current == self.steps.len(), self.period) {
            self.current = 0;
            self.period_start += period;
        }
    }

    fn advance_to(&mut self, now: Time) {
        if self.ends() > now {
            return;
        }
        if let Some(period) = self.period {
            let periods = now.saturating_sub(self.period_start).div_floor(period);
            if periods > 0 {
                self.period_start += period * periods;
                self.current = 0;
            }
        }
        while self.ends() <= now {
            self.advance();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Time = Time::from_ms;

    #[test]
    fn each_value_holds_until_the_next() {
        let mut schedule = Schedule::new(vec![(MS(0), 'a'), (MS(10), 'b'), (MS(15), 'c')], None);
        assert_eq!([0, 9, 10, 14, 15, 1000].map(|ms| schedule.at(MS(ms))), ['a', 'a', 'b', 'b', 'c', 'c']);
        assert_eq!(schedule.ends(), Time::NEVER);
    }

    #[test]
    fn values_begin_anew_after_a_period() {
        let mut schedule = Schedule::new(vec![(MS(0), 'a'), (MS(10), 'b')], Some(MS(20)));
        assert_eq!([19, 20, 29, 30, 1_000_001].map(|ms| schedule.at(MS(ms))), ['b', 'a', 'a', 'b', 'a']);
        assert_eq!(schedule.ends(), MS(1_000_010));
    }
}
