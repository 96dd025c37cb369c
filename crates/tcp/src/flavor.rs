//! The table of flavors: a name for a loss recovery, a congestion control and presets.

use crate::config::{
    AckTimer, Config, Deflation, Floor, Growth, NewRenoParameters, OnDupAck, Options, SsthreshFrom,
    SsthreshRounding, Timers, WindowProbe,
};
use crate::congestion::{
    CongestionAvoidance, CongestionControl, Cubic, Halving, LossBased, Reduction, Reno as RenoAvoidance,
    Vegas,
};
use crate::loss::{LossDetection, NewReno, Reno, Rfc6675, SackPipe, TimeoutOnly};
use base::Time;

/// A row of the table.
#[derive(Debug)]
pub struct Flavor {
    /// By which a plan asks for it.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// How losses are found and recovered from.
    pub loss: fn(&Config) -> Box<dyn LossDetection>,
    /// How cwnd moves.
    pub congestion: fn(&Config) -> Box<dyn CongestionControl>,
    /// What else is on, unless a plan says otherwise.
    pub presets: Options,
    /// [`Options::careful_fast_retransmit`] as the flavor's own source has it.
    pub careful_as_published: bool,
    /// Keys of a plan or a scenario that it does nothing with, by whose they are.
    pub ignores: &'static [&'static [&'static str]],
    /// What counts against cwnd in a recovery.
    pub in_recovery: Outstanding,
    /// What Linux calls a congestion control like its own.
    pub in_linux: &'static str,
}

/// What counts against cwnd in a recovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outstanding {
    /// Everything that is not acknowledged.
    FlightSize,
    /// The sender's own estimate of what is in the network, which no other count bounds.
    Pipe,
    /// Everything that is neither acknowledged nor on the scoreboard as SACKed or lost.
    Scoreboard,
}

/// Keys that not every flavor does something with, by what does.
mod keys {
    /// Any recovery that counts duplicate ACKs.
    pub(super) const DUP_ACKS: &[&str] = &["limited_transmit"];
    /// Recoveries that a third duplicate ACK alone begins.
    pub(super) const CAREFUL: &[&str] = &["careful_fast_retransmit"];
    /// NewReno's recovery.
    pub(super) const NEWRENO: &[&str] = &["deflation", "partial_ack_timer"];
    /// The recovery of RFC 6675.
    pub(super) const SCOREBOARD: &[&str] = &["prr", "lost_retransmission_detection"];
    /// The recovery by an estimate of the pipe.
    pub(super) const PIPE: &[&str] = &["retransmit_wait"];
    /// Reno's congestion avoidance.
    pub(super) const RENO: &[&str] = &["cwnd_rounding", "cwnd_ack_batch"];
    /// CUBIC.
    pub(super) const CUBIC: &[&str] = &["cubic_beta"];
}

/// Every flavor.
pub static FLAVORS: &[Flavor] = &[
    Flavor {
        name: "vanilla",
        summary: "slow start and congestion avoidance; losses are found by time-out alone",
        loss: |_| Box::new(TimeoutOnly),
        congestion: reno_without_inflation,
        presets: CLASSIC,
        careful_as_published: false,
        ignores: &[keys::DUP_ACKS, keys::CAREFUL, keys::NEWRENO, keys::SCOREBOARD, keys::PIPE, keys::CUBIC],
        in_recovery: Outstanding::FlightSize,
        in_linux: "reno",
    },
    Flavor {
        name: "reno",
        summary: "fast retransmit and fast recovery (RFC 5681)",
        loss: |config| Box::new(Reno::new(&config.options)),
        congestion: |config| reno(config, Halving { inflates: true, deflation: Deflation::Full }),
        presets: CLASSIC,
        careful_as_published: false,
        ignores: &[keys::NEWRENO, keys::SCOREBOARD, keys::PIPE, keys::CUBIC],
        in_recovery: Outstanding::FlightSize,
        in_linux: "reno",
    },
    Flavor {
        name: "newreno",
        summary: "stays in recovery until all is acknowledged (RFC 6582)",
        loss: newreno,
        congestion: reno_of_newreno,
        presets: CLASSIC,
        careful_as_published: true,
        ignores: &[keys::SCOREBOARD, keys::PIPE, keys::CUBIC],
        in_recovery: Outstanding::FlightSize,
        in_linux: "reno",
    },
    Flavor {
        name: "newreno_hoe",
        summary: "NewReno as Hoe 1996 and ns-2.1b3 had it (000 section 2.1)",
        loss: newreno,
        congestion: reno_of_newreno,
        presets: Options { newreno: NewRenoParameters::HOE, ..CLASSIC },
        careful_as_published: false,
        ignores: &[keys::SCOREBOARD, keys::PIPE, keys::CUBIC],
        in_recovery: Outstanding::FlightSize,
        in_linux: "reno",
    },
    Flavor {
        name: "newreno_full",
        summary: "NewReno with full deflation, as the text of 000 section 2.1 describes it",
        loss: newreno,
        congestion: reno_of_newreno,
        presets: Options { newreno: NewRenoParameters::FULL, ..CLASSIC },
        careful_as_published: false,
        ignores: &[keys::SCOREBOARD, keys::PIPE, keys::CUBIC],
        in_recovery: Outstanding::FlightSize,
        in_linux: "reno",
    },
    Flavor {
        name: "sack",
        summary: "SACK with an estimate of the pipe (Fall and Floyd 1996)",
        loss: |config| Box::new(SackPipe::new(config)),
        congestion: reno_without_inflation,
        presets: Options { sack: true, ..CLASSIC },
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::SCOREBOARD, keys::CUBIC],
        in_recovery: Outstanding::Pipe,
        in_linux: "reno",
    },
    Flavor {
        name: "sack_rfc6675",
        summary: "SACK with a scoreboard (RFC 6675)",
        loss: |config| Box::new(Rfc6675::new(&config.options)),
        congestion: |config| loss_based(config, RenoAvoidance::new(config)),
        presets: Options { sack: true, limited_transmit: true, ..CLASSIC },
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::PIPE, keys::CUBIC],
        in_recovery: Outstanding::Scoreboard,
        in_linux: "reno",
    },
    Flavor {
        name: "cubic",
        summary: "CUBIC (RFC 9438), SACK (RFC 6675), rate reduction (RFC 9937), fine timers",
        loss: |config| Box::new(Rfc6675::new(&config.options)),
        congestion: |config| loss_based(config, Cubic::new(config)),
        presets: MODERN,
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::PIPE, keys::RENO],
        in_recovery: Outstanding::Scoreboard,
        in_linux: "cubic",
    },
    Flavor {
        name: "vegas",
        summary: "Vegas (Brakmo 1995, as Linux has it): 2 to 4 packets in the queue; SACK (RFC 6675)",
        loss: |config| Box::new(Rfc6675::new(&config.options)),
        congestion: |config| loss_based(config, Vegas::new(config)),
        presets: MODERN,
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::PIPE, keys::CUBIC],
        in_recovery: Outstanding::Scoreboard,
        in_linux: "vegas",
    },
];

/// The RFCs' own numbers on the coarse clock of the 1990s.
const CLASSIC: Options = Options {
    sack: false,
    sack_blocks: 3,
    dsack: false,
    timestamps: false,
    ecn: false,
    limited_transmit: false,
    prr: false,
    lost_retransmission_detection: false,
    growth: Growth::Acks,
    cwnd_validation: false,
    ssthresh_from: SsthreshFrom::FlightSizeBounded,
    careful_fast_retransmit: true,
    ssthresh_rounding: SsthreshRounding::Bytes,
    cubic_beta: 0.7,
    newreno: NewRenoParameters::RFC6582,
    timers: Timers::Ticks,
    min_rto_of: Floor::Rto,
    initial_rto: Time::from_ms(1000),
    min_rto: Time::from_ms(1000),
    max_rto: Time::from_ms(60_000),
    delayed_ack: Some(Time::from_ms(200)),
    ack_timer: AckTimer::PerAck,
    ack_every: 2,
    quick_acks: 0,
    quick_ack_bytes: 0,
    recovery_samples: true,
    window_probe: WindowProbe::Octet,
};

/// What present-day stacks do.
const MODERN: Options = Options {
    sack: true,
    sack_blocks: 4,
    dsack: true,
    timestamps: true,
    limited_transmit: true,
    prr: true,
    lost_retransmission_detection: true,
    growth: Growth::Bytes { limit: None },
    cwnd_validation: true,
    ssthresh_from: SsthreshFrom::Cwnd,
    timers: Timers::Fine,
    min_rto_of: Floor::Variance,
    min_rto: Time::from_ms(200),
    max_rto: Time::from_ms(120_000),
    delayed_ack: Some(Time::from_ms(40)),
    quick_acks: 16,
    window_probe: WindowProbe::Ack,
    ..CLASSIC
};

impl Flavor {
    /// Whether it does nothing with this key of a plan or a scenario.
    #[must_use]
    pub fn ignores(&self, key: &str) -> bool {
        self.ignores.iter().any(|keys| keys.contains(&key))
    }

    /// The flavor of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        FLAVORS.iter().find(|flavor| flavor.name == name)
    }
}

fn newreno(config: &Config) -> Box<dyn LossDetection> {
    Box::new(NewReno::new(&config.options))
}

/// Proportional rate reduction if the options ask for it.
fn loss_based<A: CongestionAvoidance + 'static>(config: &Config, avoidance: A) -> Box<dyn CongestionControl> {
    Box::new(LossBased::new(config, avoidance, Reduction::proportional_if(config.options.prr)))
}

fn reno(config: &Config, halving: Halving) -> Box<dyn CongestionControl> {
    Box::new(LossBased::new(config, RenoAvoidance::new(config), Reduction::Halving(halving)))
}

fn reno_without_inflation(config: &Config) -> Box<dyn CongestionControl> {
    reno(config, Halving::PLAIN)
}

fn reno_of_newreno(config: &Config) -> Box<dyn CongestionControl> {
    let NewRenoParameters { deflation, on_dup_ack, .. } = config.options.newreno;
    reno(config, Halving { inflates: on_dup_ack == OnDupAck::Inflate, deflation })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (i, flavor) in FLAVORS.iter().enumerate() {
            assert!(std::ptr::eq(Flavor::named(flavor.name).unwrap(), flavor));
            assert!(FLAVORS[i + 1..].iter().all(|other| other.name != flavor.name));
        }
        assert!(Flavor::named("no such flavor").is_none());
    }
}
