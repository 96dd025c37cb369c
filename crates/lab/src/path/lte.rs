//! A path like that of a mobile network: a cell serves its users in turn, whoever has a good channel.
//!
//! Source: proportional fairness: Jalali, Padovani and Pankaj 2000, "Data throughput of CDMA-HDR". In each transmission time
//! interval of 1 ms the cell serves the user whose possible rate is largest by its average so far, which decays with
//! a time constant. A user's channel: Rayleigh fading as a first-order autoregressive process of a complex amplitude, with
//! the correlation of one interval to the next from the coherence time; log-normal shadowing that changes more slowly; the
//! rate is log2(1 + SNR) (Shannon). Hybrid ARQ: some intervals need a further transmission 8 ms later, and what
//! was sent after them waits, so that it arrives at once (3GPP TS 36.321; reordering in RLC).
//!
//! Deviations and choices: a sketch with the features that trouble a TCP. Every user but the one on this link always has data.
//! The possible rate has no steps of modulation and no largest value. Rates are scaled so that their mean over the
//! run is the rate of the link. Both directions of a link that have the same number draw the same.
//!
//! | parameter | unit |
//! |---|---|
//! | users | this one included |
//! | coherence | time in which the channel's correlation falls to 1/e |
//! | snr | mean, 1 |
//! | shadowing_cv, shadowing_time | standard deviation by mean, 1; time |
//! | averaging | time constant of the averages |
//! | retransmissions | share of intervals |

use super::{Nominal, Step, scale_to_mean};
use crate::plan;
use crate::workload::laws::{above_zero, normal};
use base::Time;
use rand_chacha::ChaCha8Rng;

/// Steps are made for so long at most.
pub(super) const LONGEST: Time = Time::from_secs(900);
/// A transmission time interval.
const TTI: Time = Time::from_ms(1);
const RETRANSMISSION: Time = Time::from_ps(plan::LTE_RETRANSMISSION_PS);

/// The steps of a run until this time.
pub(super) fn steps(its: &plan::Lte, nominal: Nominal, mut rng: ChaCha8Rng, until: Time) -> Vec<Step> {
    let model = Model::new(its);
    let mut users: Vec<User> = (0..its.users).map(|_| User::new(&mut rng)).collect();
    let (mut steps, mut relative) = (Vec::new(), Vec::new());
    let mut at = Time::ZERO;
    while at < until {
        let rate = model.serve(&mut users, &mut rng);
        let is_sent_again = above_zero(&mut rng) <= model.retransmissions;
        let delay = nominal.delay + if is_sent_again { RETRANSMISSION } else { Time::ZERO };
        steps.push(Step { at, rate: 0, delay, loss_ppb: 0 });
        relative.push(rate);
        at += TTI;
    }
    scale_to_mean(&mut steps, &relative, nominal, until);
    steps
}

struct Model {
    snr: f64,
    /// Of a user's amplitude, and of its shadowing, from one interval to the next: what is kept, and what is new.
    fading: (f64, f64),
    shadowing: (f64, f64),
    /// Standard deviation of the logarithm of the shadowing.
    deviation: f64,
    /// Weight of an interval in the averages.
    weight: f64,
    retransmissions: f64,
}

/// A user: amplitude (in two parts), shadowing (standard normal) and the average of its rate.
struct User {
    amplitude: (f64, f64),
    shadowing: f64,
    average: f64,
}

impl User {
    fn new(rng: &mut ChaCha8Rng) -> Self {
        Self { amplitude: (normal(rng), normal(rng)), shadowing: normal(rng), average: 0.01 }
    }
}

impl Model {
    fn new(its: &plan::Lte) -> Self {
        let kept = |time_ps: u64| {
            let kept = libm::exp(-TTI.as_secs_f64() / Time::from_ps(time_ps).as_secs_f64());
            (kept, libm::sqrt(1.0 - kept * kept))
        };
        let cv = f64::from(its.shadowing_cv_ppm) / 1e6;
        Self {
            snr: f64::from(its.snr_ppm) / 1e6,
            fading: kept(its.coherence_ps),
            shadowing: kept(its.shadowing_time_ps),
            deviation: libm::sqrt(libm::log(1.0 + cv * cv)),
            weight: 1.0 - kept(its.averaging_ps).0,
            retransmissions: f64::from(its.retransmissions_ppb) / 1e9,
        }
    }

    /// One interval: the rate of the first user, 0 if another one is served.
    fn serve(&self, users: &mut [User], rng: &mut ChaCha8Rng) -> f64 {
        let rates: Vec<f64> = users.iter_mut().map(|user| self.possible_rate(user, rng)).collect();
        let mut served = 0;
        for (number, user) in users.iter().enumerate() {
            if rates[number] * users[served].average > rates[served] * user.average {
                served = number;
            }
        }
        for (number, user) in users.iter_mut().enumerate() {
            let rate = if number == served { rates[number] } else { 0.0 };
            user.average += self.weight * (rate - user.average);
        }
        if served == 0 { rates[0] } else { 0.0 }
    }

    fn possible_rate(&self, user: &mut User, rng: &mut ChaCha8Rng) -> f64 {
        let (kept, new) = self.fading;
        let (real, imaginary) = user.amplitude;
        user.amplitude = (kept * real + new * normal(rng), kept * imaginary + new * normal(rng));
        let (kept, new) = self.shadowing;
        user.shadowing = kept * user.shadowing + new * normal(rng);
        let shadowing = libm::exp(self.deviation * user.shadowing - self.deviation * self.deviation / 2.0);
        let (real, imaginary) = user.amplitude;
        let power = (real * real + imaginary * imaginary) / 2.0;
        libm::log2(1.0 + self.snr * shadowing * power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::rng::Streams;

    const MS: u64 = 1_000_000_000;

    fn minute(users: u32, seed: u64) -> Vec<Step> {
        let its = plan::Lte {
            users,
            coherence_ps: 30 * MS,
            snr_ppm: 10_000_000,
            shadowing_cv_ppm: 1_000_000,
            shadowing_time_ps: 2000 * MS,
            averaging_ps: 100 * MS,
            retransmissions_ppb: 100_000_000,
        };
        let nominal = Nominal { rate: 10_000_000, delay: Time::from_ms(20) };
        steps(&its, nominal, Streams::new(seed).named("path/0"), Time::from_secs(60))
    }

    /// Of eight users each is served an eighth of the time or so, and gets more than an eighth of what it would have alone: it
    /// is served when its channel is good.
    #[test]
    fn a_user_is_served_when_its_channel_is_good() {
        let steps = minute(8, 1);
        let served = steps.iter().filter(|step| step.rate > 0).count() as f64 / steps.len() as f64;
        assert!((0.08..0.2).contains(&served), "{served}");
        let mean = steps.iter().map(|step| step.rate as f64).sum::<f64>() / steps.len() as f64;
        assert!((mean - 10e6).abs() < 1000.0, "{mean}");
        let again = steps.iter().filter(|step| step.delay > Time::from_ms(20)).count() as f64 / 60_000.0;
        assert!((0.095..0.105).contains(&again), "{again}");
    }

    /// A second has less than half of the mean rate, and another one more than twice.
    #[test]
    fn rates_of_seconds_differ_much() {
        let steps = minute(4, 3);
        let seconds: Vec<f64> = steps
            .chunks(1000)
            .map(|all| all.iter().map(|step| step.rate as f64).sum::<f64>() / 1000.0)
            .collect();
        let (least, most) =
            seconds.iter().fold((f64::MAX, 0.0_f64), |(a, b), &rate| (a.min(rate), b.max(rate)));
        assert!(least < 5e6 && most > 20e6, "{least} to {most}");
        assert_ne!(minute(4, 3), minute(4, 4));
    }

    #[test]
    fn alone_in_its_cell_it_is_always_served() {
        assert!(minute(1, 1).iter().all(|step| step.rate > 0));
    }
}
