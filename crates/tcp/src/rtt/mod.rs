//! RTT estimation and the retransmission time-out, in one of two forms.

use crate::options::{Options, Timers};
use base::Time;

mod fine;
mod ticks;

pub use ticks::TickClock;

/// RTT estimation and the retransmission time-out (RFC 6298).
pub trait RttEstimator: Send {
    /// Lets the ticks of a coarse clock count from `now`.
    fn start_clock(&mut self, now: Time) {
        let _ = now;
    }

    /// A segment sent at `sent` was acknowledged at `now`; this ends a back-off.
    fn sample(&mut self, sent: Time, now: Time);

    /// Doubles the time-out.
    fn back_off(&mut self);

    /// Ends a back-off, and lets the time-out before the first sample be at least `initial`.
    fn start_anew(&mut self, initial: Time);

    /// When a time-out that is set at `now` ends.
    fn deadline(&self, now: Time) -> Time {
        now + self.rto()
    }

    /// The time-out.
    fn rto(&self) -> Time;

    /// SRTT and RTTVAR, once a sample was taken.
    fn smoothed(&self) -> Option<(Time, Time)>;
}

/// The estimator that the options ask for; `clock` is for the coarse one.
pub(crate) fn estimator(options: &Options, clock: TickClock) -> Box<dyn RttEstimator> {
    match options.timers {
        Timers::Ticks => Box::new(ticks::Ticks::new(options, clock)),
        Timers::Fine => Box::new(fine::Fine::new(options)),
    }
}
