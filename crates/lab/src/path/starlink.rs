//! A path like that of Starlink: the terminal gets another satellite every 15 seconds.
//!
//! Source: slots of 15 s that begin 12, 27, 42 and 57 s after each full minute: Pan, Zhao and Cai 2023, "Measuring a Low-Earth-Orbit
//! Satellite Network", and the LENS data set; steps of delay and rate and losses at the edges: Mohan et al. 2024, "A
//! Multifaceted Look at Starlink Performance"; jitter and loss within slots: Huston 2024, "A Transport Protocol's View of
//! Starlink".
//!
//! In each slot the delay is that of the link and a share of `delay_spread`, and the rate is drawn from a log-normal law. Within a
//! slot the delay moves up and down by up to `jitter`, in whole frames of the radio link. Each slot ends with an outage, in
//! which nothing is sent; what was sent before arrives.
//!
//! Deviations and choices: this is a sketch with the features that trouble a TCP, and not a model of orbits, cells or other users.
//! Only the times of slots are known exactly; all other defaults are round numbers within what was measured. Rates are
//! scaled so that their mean over the run is the rate of the link. Both directions of a link that have the same number
//! draw the same.
//!
//! | parameter | unit |
//! |---|---|
//! | phase | time of the first edge after the start of a run |
//! | delay_spread | time, one way |
//! | jitter, and how often it is drawn | time, one way |
//! | rate_cv | standard deviation of the rate by its mean, 1 |
//! | outage | shortest and longest, time |
//! | loss | probability |

use super::{Nominal, Step, scale_to_mean};
use crate::plan;
use crate::workload::laws::{above_zero, normal};
use base::Time;
use rand_chacha::ChaCha8Rng;

/// Steps are made for so long at most: a whole number of slots.
pub(super) const LONGEST: Time = Time::from_secs(3600);
const SLOT: Time = Time::from_secs(15);
/// A frame of the radio link: delays are whole numbers of it.
const FRAME: Time = Time::from_ps(1_333_333_333);

/// The steps of a run until this time.
pub(super) fn steps(its: &plan::Starlink, nominal: Nominal, mut rng: ChaCha8Rng, until: Time) -> Vec<Step> {
    let (mut steps, mut relative) = (Vec::new(), Vec::new());
    let cv = f64::from(its.rate_cv_ppm) / 1e6;
    let variance = libm::log(1.0 + cv * cv);
    let (mut begins, mut ends) = (Time::ZERO, Time::from_ps(its.phase_ps));
    while begins < until {
        let rate = libm::exp(libm::sqrt(variance) * normal(&mut rng) - variance / 2.0);
        let slot_delay = nominal.delay + share(its.delay_spread_ps, &mut rng);
        let mut at = begins;
        while at < ends.min(until) {
            let frames = share(its.jitter_ps, &mut rng).div_floor(FRAME);
            steps.push(Step { at, rate: 0, delay: slot_delay + FRAME * frames, loss_ppb: its.loss_ppb });
            relative.push(rate);
            at += Time::from_ps(its.jitter_every_ps);
        }
        let longer = share(its.outage_ps.1 - its.outage_ps.0, &mut rng);
        let outage = Time::from_ps(its.outage_ps.0) + longer;
        begins = ends + outage;
        if outage > Time::ZERO && ends < until {
            steps.push(Step { at: ends, rate: 0, delay: slot_delay, loss_ppb: its.loss_ppb });
            relative.push(0.0);
        }
        ends += SLOT;
    }
    scale_to_mean(&mut steps, &relative, nominal, until);
    steps
}

/// Uniform up to this time.
fn share(of_ps: u64, rng: &mut ChaCha8Rng) -> Time {
    Time::from_ps((of_ps as f64 * above_zero(rng)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::rng::Streams;

    const MS: u64 = 1_000_000_000;

    fn its() -> plan::Starlink {
        plan::Starlink {
            phase_ps: 12_000 * MS,
            delay_spread_ps: 12 * MS,
            jitter_ps: 3 * MS,
            jitter_every_ps: 20 * MS,
            rate_cv_ppm: 300_000,
            outage_ps: (20 * MS, 100 * MS),
            loss_ppb: 1_300_000,
        }
    }

    fn minute(seed: u64) -> Vec<Step> {
        let nominal = Nominal { rate: 150_000_000, delay: Time::from_ms(10) };
        steps(&its(), nominal, Streams::new(seed).named("path/0"), Time::from_secs(60))
    }

    #[test]
    fn satellites_change_12_27_42_and_57_s_after_the_minute() {
        let steps = minute(1);
        let outages: Vec<_> = steps.iter().filter(|step| step.rate == 0).map(|step| step.at).collect();
        assert_eq!(outages, [12, 27, 42, 57].map(Time::from_secs));
        let after: Vec<_> =
            steps.windows(2).filter(|two| two[0].rate == 0).map(|two| two[1].at - two[0].at).collect();
        let bounds = Time::from_ms(20)..=Time::from_ms(100);
        assert!(after.len() == 4 && after.iter().all(|outage| bounds.contains(outage)), "{after:?}");
        let mut rates: Vec<_> = steps.iter().map(|step| step.rate).filter(|&rate| rate > 0).collect();
        rates.dedup();
        assert_eq!(rates.len(), 5, "one for each slot: {rates:?}");
    }

    #[test]
    fn delays_and_rates_are_as_asked_for() {
        let (mut least, mut most, mut weighted) = (Time::NEVER, Time::ZERO, 0.0);
        let steps = minute(2);
        for (step, end) in
            steps.iter().zip(steps[1..].iter().map(|step| step.at).chain([Time::from_secs(60)]))
        {
            weighted += step.rate as f64 * (end - step.at).as_secs_f64();
            (least, most) = (least.min(step.delay), most.max(step.delay));
        }
        assert!((weighted / 60.0 - 150e6).abs() < 1.0, "{weighted}");
        assert!(least >= Time::from_ms(10) && most <= Time::from_ms(25) && most - least > Time::from_ms(5));
        assert_eq!(minute(2), minute(2));
        assert_ne!(minute(2), minute(3));
    }
}
