//! The controller of PIE, which disciplines with a queue for each flow share.
//!
//! Source: RFC 8033, sections 4 and 5, as `pie.rs` says, which also tells the deviations.

use crate::link::{DropCause, PPB};
use crate::packet::Packet;
use crate::queue::{PacketBuffer, Queued, Setting, Verdict};
use base::Time;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

#[cfg(test)]
mod tests;

/// The probability 1.
pub(super) const ONE: u64 = 1_000_000_000_000_000_000;
/// Steps of a probability below so much are divided by this.
const TUNING: [(u64, u64); 7] = [
    (ONE / 1_000_000, 2048),
    (ONE / 100_000, 512),
    (ONE / 10_000, 128),
    (ONE / 1000, 32),
    (ONE / 100, 8),
    (ONE / 10, 2),
    (ONE, 1),
];
/// From this probability on a step is [`LARGEST_STEP`] at most.
const CAPPED_FROM: u64 = ONE / 10;
const LARGEST_STEP: i128 = ONE as i128 / 50;
/// Above this delay each step is larger by [`LARGEST_STEP`].
const HIGH_DELAY: Time = Time::from_ms(250);
/// Nothing is dropped below this probability if the delay is below half of the target.
const SPARED_BELOW: u64 = ONE / 5;
/// Sums of probabilities below which no packet is dropped, and from which on each is.
const SUM: (u64, u64) = (ONE / 100 * 85, ONE / 2 * 17);
/// Bytes over which the rate of departures is measured.
const DQ_THRESHOLD: u64 = 16_384;

/// The parameters of a controller.
pub(in crate::queue) struct Config<P> {
    target: Time,
    t_update: Time,
    /// Millionths of a hertz.
    alpha: i128,
    beta: i128,
    max_burst: Time,
    mark: fn(&mut P) -> bool,
    mark_ecnth: u64,
    /// Whether the delay comes from the rate of departures.
    by_rate: bool,
}

impl<P> Config<P> {
    /// From the values of the eight parameters.
    pub(in crate::queue) fn new(values: &[u64], setting: &Setting<P>) -> Self {
        let &[target, t_update, alpha, beta, max_burst, ecn, mark_ecnth, delay] = values else {
            unreachable!("there is a value for each parameter")
        };
        Self {
            target: Time::from_ps(target),
            t_update: Time::from_ps(t_update),
            alpha: i128::from(alpha),
            beta: i128::from(beta),
            max_burst: Time::from_ps(max_burst),
            mark: setting.mark_if(ecn == 1),
            mark_ecnth: mark_ecnth * (ONE / u64::from(PPB)),
            by_rate: delay == 1,
        }
    }

    /// Whether a delay is below half of the target.
    fn is_low(&self, delay: Time) -> bool {
        delay.as_ps() < self.target.as_ps().div_ceil(2)
    }
}

/// What an arriving packet finds.
#[derive(Clone, Copy, Debug)]
pub(in crate::queue) struct Found {
    /// Bytes that wait in the queue of the controller.
    pub(in crate::queue) bytes: u64,
    /// Length of the longest packet seen so far, bytes.
    pub(in crate::queue) max_packet: u64,
    /// Whether there is room for the packet.
    pub(in crate::queue) has_room: bool,
}

/// The state of a controller: one a queue, or one a flow.
#[derive(Clone, Copy, Debug)]
pub(in crate::queue) struct Controller {
    /// The probability with which packets are dropped, and its sum over those spared since the last drop; 1e-18.
    pub(super) p: u64,
    sum: u64,
    /// The present delay, and that of the last update.
    delay: Time,
    pub(super) old_delay: Time,
    burst_allowance: Time,
    /// Updates since the start of the run.
    updates: u64,
    meter: Meter,
}

impl Controller {
    pub(in crate::queue) fn new<P>(config: &Config<P>) -> Self {
        Self {
            p: 0,
            sum: 0,
            delay: Time::ZERO,
            old_delay: Time::ZERO,
            burst_allowance: config.max_burst,
            updates: 0,
            meter: Meter { average: Time::ZERO, since: None },
        }
    }

    /// Decides about an arriving packet.
    pub(in crate::queue) fn admit<P>(
        &mut self,
        config: &Config<P>,
        packet: &mut Packet<P>,
        found: Found,
        now: Time,
        rng: &mut ChaCha8Rng,
    ) -> Verdict {
        self.catch_up(config, found.bytes, now);
        let verdict = if !found.has_room {
            Verdict::Drop(DropCause::QueueFull)
        } else if !self.drop_early(config, found, rng) {
            Verdict::Enqueue
        } else if self.p <= config.mark_ecnth && (config.mark)(&mut packet.payload) {
            Verdict::Mark
        } else {
            Verdict::Drop(DropCause::QueueEarly)
        };
        if verdict != Verdict::Enqueue {
            self.sum = 0;
        }
        if self.p == 0 && config.is_low(self.delay) && config.is_low(self.old_delay) {
            self.burst_allowance = config.max_burst;
        }
        verdict
    }

    /// The next packet to send from this buffer.
    pub(in crate::queue) fn dequeue<P>(
        &mut self,
        config: &Config<P>,
        buffer: &mut PacketBuffer<P>,
        now: Time,
    ) -> Option<Queued<P>> {
        self.catch_up(config, buffer.bytes(), now);
        let head = buffer.dequeue()?;
        if config.by_rate {
            self.meter.departs(u64::from(head.packet.bytes), buffer.bytes(), now);
        } else {
            self.delay = now - head.since;
        }
        Some(head)
    }

    /// Whether an arriving packet is to be dropped or marked.
    pub(in crate::queue) fn drop_early<P>(
        &mut self,
        config: &Config<P>,
        found: Found,
        rng: &mut ChaCha8Rng,
    ) -> bool {
        let is_spared = self.burst_allowance > Time::ZERO
            || config.is_low(self.old_delay) && self.p < SPARED_BELOW
            || found.bytes <= 2 * found.max_packet;
        if is_spared {
            return false;
        }
        self.sum = if self.p == 0 { 0 } else { self.sum + self.p };
        if self.sum < SUM.0 {
            return false;
        }
        self.sum >= SUM.1 || rng.random::<f64>() * (ONE as f64) < self.p as f64
    }

    /// One update of the probability.
    pub(in crate::queue) fn update<P>(&mut self, config: &Config<P>, delay: Time) {
        let is_idle = delay == Time::ZERO && self.old_delay == Time::ZERO;
        self.change(self.step(config, delay), is_idle);
        self.old_delay = delay;
        self.burst_allowance = self.burst_allowance.saturating_sub(config.t_update);
    }

    /// Makes the updates that were due while so many bytes waited.
    fn catch_up<P>(&mut self, config: &Config<P>, bytes: u64, now: Time) {
        let due = now.div_floor(config.t_update);
        let missed = due - std::mem::replace(&mut self.updates, due);
        if missed == 0 {
            return;
        }
        if config.by_rate {
            self.delay = self.meter.delay(bytes);
        } else if bytes == 0 {
            self.delay = Time::ZERO;
        }
        self.update(config, self.delay);
        self.repeat(config, missed - 1);
    }

    /// So many further updates with the delay of the last one.
    fn repeat<P>(&mut self, config: &Config<P>, mut times: u64) {
        let delay = self.old_delay;
        self.burst_allowance = self.burst_allowance.saturating_sub(config.t_update * times);
        while times > 0 {
            let (before, step) = (self.p, self.step(config, delay));
            // A decay makes the steps unlike, but p is zero after some 2000 of them.
            let alike = if delay == Time::ZERO { 1 } else { self.alike(step).min(times) };
            self.change(step * i128::from(alike), delay == Time::ZERO);
            if self.p == before {
                return;
            }
            times -= alike;
        }
    }

    /// So many updates have this step at least: until the probability leaves its row of [`TUNING`].
    fn alike(&self, step: i128) -> u64 {
        let (p, row) = (i128::from(self.p), tuning(self.p));
        let lower = row.checked_sub(1).map_or(0, |below| i128::from(TUNING[below].0));
        let distance = if step > 0 { i128::from(TUNING[row].0) - p } else { p - lower };
        (distance / step.abs().max(1)).max(1) as u64
    }

    /// By how much an update changes the probability.
    fn step<P>(&self, config: &Config<P>, delay: Time) -> i128 {
        let ps = |time: Time| i128::from(time.as_ps());
        let integral = config.alpha * (ps(delay) - ps(config.target));
        let proportional = config.beta * (ps(delay) - ps(self.old_delay));
        let tuned = (integral + proportional).div_euclid(i128::from(TUNING[tuning(self.p)].1));
        let capped = if self.p >= CAPPED_FROM { tuned.min(LARGEST_STEP) } else { tuned };
        if delay > HIGH_DELAY { capped + LARGEST_STEP } else { capped }
    }

    fn change(&mut self, step: i128, decays: bool) {
        let changed = i128::from(self.p) + step;
        let changed = if decays { changed * 49 / 50 } else { changed };
        self.p = changed.clamp(0, i128::from(ONE)) as u64;
    }
}

/// The row of [`TUNING`] for a probability.
fn tuning(p: u64) -> usize {
    TUNING.iter().position(|row| p < row.0).unwrap_or(TUNING.len() - 1)
}

/// How long [`DQ_THRESHOLD`] bytes take to depart.
#[derive(Clone, Copy, Debug)]
struct Meter {
    /// On average; zero before the first measurement.
    average: Time,
    /// When the present measurement began, and the bytes that have departed since; none if too little waits.
    since: Option<(Time, u64)>,
}

impl Meter {
    /// Counts a packet that leaves so many bytes behind.
    fn departs(&mut self, bytes: u64, left: u64, now: Time) {
        if let Some((start, departed)) = &mut self.since {
            *departed += bytes;
            if *departed >= DQ_THRESHOLD {
                let (average, taken) = (u128::from(self.average.as_ps()), u128::from((now - *start).as_ps()));
                let ps = if average == 0 { taken } else { (3 * average + taken) / 4 };
                (self.average, self.since) = (Time::from_ps(ps as u64), None);
            }
        }
        if self.since.is_none() && left >= DQ_THRESHOLD {
            self.since = Some((now, 0));
        }
    }

    /// How long so many bytes take to depart.
    fn delay(&self, bytes: u64) -> Time {
        let ps = u128::from(bytes) * u128::from(self.average.as_ps()) / u128::from(DQ_THRESHOLD);
        Time::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
    }
}
