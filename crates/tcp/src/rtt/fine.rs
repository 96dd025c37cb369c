//! Time-outs to the picosecond.
//!
//! Source: RFC 6298 section 2 with a clock granularity of 1 ms (present-day stacks). A backed-off
//! time-out stays until a sample is taken (section 5.7). With [`Floor::Variance`] the smallest
//! time-out is SRTT plus `min`, as present-day stacks have it.
//!
//! | parameter | unit |
//! |---|---|
//! | initial, min, max | time |

use super::RttEstimator;
use crate::options::{Floor, Options};
use base::Time;

const GRANULARITY: Time = Time::from_ms(1);

/// RTT estimation and the retransmission time-out.
#[derive(Clone, Debug)]
pub(super) struct Fine {
    /// SRTT and RTTVAR, once a sample was taken.
    smoothed: Option<(Time, Time)>,
    backoff: u32,
    initial: Time,
    min: Time,
    min_of: Floor,
    max: Time,
}

impl Fine {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            smoothed: None,
            backoff: 0,
            initial: options.initial_rto,
            min: options.min_rto,
            min_of: options.min_rto_of,
            max: options.max_rto,
        }
    }
}

impl RttEstimator for Fine {
    /// Equations 2.2 and 2.3.
    fn sample(&mut self, sent: Time, now: Time) {
        let r = (now - sent).as_ps();
        self.smoothed = Some(match self.smoothed {
            None => (Time::from_ps(r), Time::from_ps(r / 2)),
            Some((srtt, rttvar)) => {
                let error = srtt.as_ps().abs_diff(r);
                let rttvar = (3 * rttvar.as_ps() + error) / 4;
                (Time::from_ps((7 * srtt.as_ps() + r) / 8), Time::from_ps(rttvar))
            }
        });
        self.backoff = 0;
    }

    fn back_off(&mut self) {
        self.backoff += 1;
    }

    fn start_anew(&mut self, initial: Time) {
        self.initial = self.initial.max(initial);
        self.backoff = 0;
    }

    fn rto(&self) -> Time {
        let base = self.smoothed.map_or(self.initial, |(srtt, rttvar)| {
            let floor = if self.min_of == Floor::Variance { self.min } else { GRANULARITY };
            srtt + (rttvar * 4).max(floor.max(GRANULARITY))
        });
        let base = if self.min_of == Floor::Rto { base.max(self.min) } else { base };
        let backed_off = base.as_ps().saturating_mul(1 << self.backoff.min(31));
        Time::from_ps(backed_off).min(self.max)
    }

    fn smoothed(&self) -> Option<(Time, Time)> {
        self.smoothed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimator(min_of: Floor) -> Fine {
        let (initial, min, max) = (Time::from_ms(1000), Time::from_ms(200), Time::from_ms(60_000));
        Fine { smoothed: None, backoff: 0, initial, min, min_of, max }
    }

    fn sample(fine: &mut Fine, ms: u64) {
        fine.sample(Time::ZERO, Time::from_ms(ms));
    }

    /// RFC 6298, 2.2: SRTT = 100, RTTVAR = 50, RTO = 100 + 4 * 50. 2.3 with 180: RTTVAR =
    /// 0.75 * 50 + 0.25 * 80 = 57.5, SRTT = 0.875 * 100 + 0.125 * 180 = 110, RTO = 340.
    #[test]
    fn follows_the_equations_of_rfc_6298() {
        let mut fine = estimator(Floor::Rto);
        assert_eq!(fine.rto(), Time::from_ms(1000));
        sample(&mut fine, 100);
        assert_eq!(fine.rto(), Time::from_ms(300));
        sample(&mut fine, 180);
        assert_eq!(fine.rto(), Time::from_ms(340));
    }

    #[test]
    fn the_floor_is_of_the_time_out_or_of_the_variance() {
        let (mut of_rto, mut of_variance) = (estimator(Floor::Rto), estimator(Floor::Variance));
        sample(&mut of_rto, 10);
        sample(&mut of_variance, 10);
        assert_eq!(of_rto.rto(), Time::from_ms(200));
        assert_eq!(of_variance.rto(), Time::from_ms(210));
    }

    #[test]
    fn back_off_doubles_up_to_the_cap_and_ends_with_a_sample() {
        let mut fine = estimator(Floor::Rto);
        fine.back_off();
        assert_eq!(fine.rto(), Time::from_ms(2000));
        (0..40).for_each(|_| fine.back_off());
        assert_eq!(fine.rto(), Time::from_ms(60_000));
        sample(&mut fine, 100);
        assert_eq!(fine.rto(), Time::from_ms(300));
    }
}
