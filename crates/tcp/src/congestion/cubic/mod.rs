//! CUBIC: cwnd grows with the cube of the time since the last loss, so that it stays long near the window where that was.
//!
//! Source: RFC 9438, or Linux (`net/ipv4/tcp_cubic.c`). Slow start is the connection's.
//!
//! | `cubic_arithmetic` | file |
//! |---|---|
//! | `Rfc9438` | `rfc9438.rs`: real numbers |
//! | `Linux` | `linux.rs`: Linux' integers, and what else it does otherwise |

use super::{AckSample, Cause, CongestionAvoidance, CongestionWindow, SlowStart};
use crate::options::{CubicArithmetic, Options};
use crate::sender::Sender;
use base::Time;
use linux::Linux;
use rfc9438::Rfc9438;

mod linux;
mod rfc9438;
mod roots;

/// CUBIC.
#[derive(Clone, Copy, Debug)]
pub struct Cubic(Arithmetic);

#[derive(Clone, Copy, Debug)]
enum Arithmetic {
    Rfc9438(Rfc9438),
    Linux(Linux),
}

impl Cubic {
    /// With these options.
    #[must_use]
    pub fn new(options: &Options) -> Self {
        Self(match options.cubic_arithmetic {
            CubicArithmetic::Rfc9438 => Arithmetic::Rfc9438(Rfc9438::new(options)),
            CubicArithmetic::Linux => Arithmetic::Linux(Linux::new(options)),
        })
    }

    fn its(&mut self) -> &mut dyn CongestionAvoidance {
        match &mut self.0 {
            Arithmetic::Rfc9438(its) => its,
            Arithmetic::Linux(its) => its,
        }
    }
}

impl CongestionAvoidance for Cubic {
    fn needs_rtt(&self) -> bool {
        match &self.0 {
            Arithmetic::Rfc9438(its) => its.needs_rtt(),
            Arithmetic::Linux(its) => its.needs_rtt(),
        }
    }

    fn on_sample(&mut self, sample: &AckSample) {
        self.its().on_sample(sample);
    }

    fn on_ack(
        &mut self,
        window: &mut CongestionWindow,
        sender: &Sender,
        slow_start: &SlowStart,
        sample: &AckSample,
    ) {
        self.its().on_ack(window, sender, slow_start, sample);
    }

    fn ssthresh(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> u64 {
        self.its().ssthresh(window, sender, cause)
    }

    fn save(&mut self) {
        self.its().save();
    }

    fn on_spurious(&mut self, window: &CongestionWindow, sender: &Sender, cause: Cause) -> bool {
        self.its().on_spurious(window, sender, cause)
    }

    fn needs_transmit_start(&self) -> bool {
        true
    }

    fn on_transmit_start(&mut self, now: Time) {
        self.its().on_transmit_start(now);
    }

    fn on_sent(&mut self, now: Time) {
        self.its().on_sent(now);
    }

    fn on_unlimited(&mut self, now: Time) {
        self.its().on_unlimited(now);
    }
}
