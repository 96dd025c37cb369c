//! How a link changes in the course of a run: as a plan says, or by a model of an access network.
//!
//! A model makes all steps of a run before it begins, from a random stream of its own, so that they depend on nothing that the
//! traffic does. A run longer than a model's `LONGEST` repeats them.
//!
//! | file | what |
//! |---|---|
//! | `starlink.rs` | a low-orbit satellite: another one every 15 s |
//! | `lte.rs` | a cell that serves its users by proportional fairness |
//! | `wifi.rs` | access to a shared radio channel, and aggregates |

use crate::plan::Variation;
use base::{Rate, Time};
use rand_chacha::ChaCha8Rng;
use sim::link::{Opportunities, RateSchedule, Schedule, Service};

mod lte;
mod starlink;
mod wifi;

/// From a time on a link has this rate, one-way delay and loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    at: Time,
    /// Bit/s; 0 while it is down.
    rate: u64,
    delay: Time,
    /// Probability, parts per 1e9.
    loss_ppb: u32,
}

/// What a link does over time.
pub(crate) struct Path {
    /// How it sends.
    pub service: Box<dyn Service>,
    /// One-way propagation delay.
    pub delay: Schedule<Time>,
    /// Probability that a packet is lost, parts per 1e9; none if there is no such loss.
    pub loss_ppb: Option<Schedule<u32>>,
}

/// The fixed values of a link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nominal {
    /// Bit/s.
    pub rate: u64,
    /// One-way propagation delay.
    pub delay: Time,
}

impl Path {
    /// As a plan describes it, until the end of the run.
    pub(crate) fn new(variation: &Variation, nominal: Nominal, rng: ChaCha8Rng, until: Time) -> Self {
        match variation {
            Variation::Steps { steps, period_ps } => {
                let steps = steps.iter().map(|step| Step {
                    at: Time::from_ps(step.at_ps),
                    rate: step.rate_bps,
                    delay: Time::from_ps(step.delay_ps),
                    loss_ppb: step.loss_ppb,
                });
                Self::of_steps(&steps.collect::<Vec<_>>(), period_ps.map(Time::from_ps))
            }
            Variation::Opportunities { times, period_ps, bytes } => {
                let times = times
                    .iter()
                    .flat_map(|&(at_ps, count)| std::iter::repeat_n(Time::from_ps(at_ps), count as usize));
                let service = Opportunities::new(times.collect(), Time::from_ps(*period_ps), *bytes);
                Self::of_service(service, nominal)
            }
            Variation::Starlink(its) => {
                Self::of_model(until, starlink::LONGEST, |until| starlink::steps(its, nominal, rng, until))
            }
            Variation::Lte(its) => {
                Self::of_model(until, lte::LONGEST, |until| lte::steps(its, nominal, rng, until))
            }
            Variation::Wifi(its) => Self::of_service(wifi::Channel::new(its, nominal, rng), nominal),
        }
    }

    fn of_service(service: impl Service + 'static, nominal: Nominal) -> Self {
        Self { service: Box::new(service), delay: nominal.delay.into(), loss_ppb: None }
    }

    /// A longer run than a model makes steps for begins anew with them: an emulated one may last for days.
    fn of_model(until: Time, longest: Time, steps: impl FnOnce(Time) -> Vec<Step>) -> Self {
        Self::of_steps(&steps(until.min(longest)), (until > longest).then_some(longest))
    }

    fn of_steps(steps: &[Step], period: Option<Time>) -> Self {
        let has_loss = steps.iter().any(|step| step.loss_ppb > 0);
        let service: Box<dyn Service> = match steps {
            [Step { rate, .. }] if *rate > 0 => Box::new(Rate::from_bps(*rate)),
            _ => Box::new(RateSchedule::new(schedule(steps, period, |step| step.rate))),
        };
        Self {
            service,
            delay: schedule(steps, period, |step| step.delay),
            loss_ppb: has_loss.then(|| schedule(steps, period, |step| step.loss_ppb)),
        }
    }
}

/// One value of the steps over time; without a period, steps that change nothing are left out.
fn schedule<T: Copy + PartialEq>(
    steps: &[Step],
    period: Option<Time>,
    value: impl Fn(&Step) -> T,
) -> Schedule<T> {
    let mut values: Vec<(Time, T)> = steps.iter().map(|step| (step.at, value(step))).collect();
    values.dedup_by(|next, last| next.1 == last.1);
    Schedule::new(values, period)
}

/// Multiplies rates so that their mean over the time until the end is the link's; rates of 0 stay 0.
fn scale_to_mean(steps: &mut [Step], relative: &[f64], nominal: Nominal, until: Time) {
    let ends = steps.iter().skip(1).map(|step| step.at).chain([until]);
    let lengths: Vec<f64> =
        steps.iter().zip(ends).map(|(step, end)| end.saturating_sub(step.at).as_secs_f64()).collect();
    let sum = |of: &dyn Fn(usize) -> f64| (0..lengths.len()).map(of).sum::<f64>();
    let mean = sum(&|at| relative[at] * lengths[at]) / sum(&|at| lengths[at]);
    for (step, &relative) in steps.iter_mut().zip(relative) {
        if relative > 0.0 && mean > 0.0 {
            step.rate = (libm::round(nominal.rate as f64 * relative / mean) as u64).max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan;
    use sim::rng::Streams;

    #[test]
    fn equal_steps_become_one() {
        let step = |ms, rate| Step { at: Time::from_ms(ms), rate, delay: Time::ZERO, loss_ppb: 0 };
        let steps = [step(0, 5), step(10, 5), step(20, 7)];
        assert_eq!(
            schedule(&steps, None, |step| step.rate),
            Schedule::new(vec![(Time::ZERO, 5), (Time::from_ms(20), 7)], None)
        );
        assert_eq!(schedule(&steps, None, |step| step.loss_ppb), 0.into());
    }

    /// A cell serves others all the time in a run of a few milliseconds.
    #[test]
    fn a_short_run_may_send_nothing() {
        let steps = [Step { at: Time::ZERO, rate: 0, delay: Time::ZERO, loss_ppb: 0 }];
        assert_eq!(Path::of_steps(&steps, None).service.begins(Time::ZERO, true), Time::NEVER);
    }

    #[test]
    fn a_long_run_repeats_the_steps_of_a_model() {
        let its = plan::Starlink {
            phase_ps: 12_000_000_000_000,
            delay_spread_ps: 12_000_000_000,
            jitter_ps: 3_000_000_000,
            jitter_every_ps: 1_000_000_000_000,
            rate_cv_ppm: 300_000,
            outage_ps: (20_000_000_000, 100_000_000_000),
            loss_ppb: 0,
        };
        let nominal = Nominal { rate: 1_000_000, delay: Time::from_ms(10) };
        let delay = |hours: u64| {
            let rng = Streams::new(1).named("path/0");
            Path::new(&Variation::Starlink(its), nominal, rng, Time::from_secs(3600 * hours)).delay
        };
        assert_eq!(delay(2), delay(200));
        assert_ne!(delay(2), delay(1));
        assert_eq!(delay(2).values().count(), delay(1).values().count());
    }

    /// Ten seconds at 1, down for ten, ten at 5: a mean of 2.
    #[test]
    fn the_mean_is_the_rate_of_the_link() {
        let step = |s| Step { at: Time::from_secs(s), rate: 0, delay: Time::ZERO, loss_ppb: 0 };
        let mut steps = [step(0), step(10), step(20)];
        let nominal = Nominal { rate: 1_000_000, delay: Time::ZERO };
        scale_to_mean(&mut steps, &[1.0, 0.0, 5.0], nominal, Time::from_secs(30));
        assert_eq!(steps.map(|step| step.rate), [500_000, 0, 2_500_000]);
    }
}
