//! The table of flavors: a name for a loss recovery, a congestion control and presets.

use crate::congestion::{
    Bbr, Bbr3, CongestionAvoidance, CongestionControl, Cubic, Dctcp, Halving, Ledbat, LossBased, Prague,
    Reduction, Reno as RenoAvoidance, Vegas, Westwood,
};
use crate::loss::{LossDetection, NewReno, RackOrNewReno, Reno, Rfc6675, SackPipe, TimeoutOnly};
use crate::options::{
    Deflation, EcnFeedback, NewRenoParameters, OnDupAck, Options, PacingFrom, SackLossDetection,
    SlowStartKind, SsthreshFrom,
};

/// A row of the table.
#[derive(Debug)]
pub struct Flavor {
    /// By which a plan asks for it.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// How losses are found and recovered from.
    pub loss: fn(&Options) -> Box<dyn LossDetection>,
    /// How cwnd moves.
    pub congestion: fn(&Options) -> Box<dyn CongestionControl>,
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
    pub(super) const CUBIC: &[&str] = &["cubic_beta", "cubic_arithmetic"];
    /// LEDBAT.
    pub(super) const LEDBAT: &[&str] = &["ledbat_target"];
    /// What a congestion control decides about slow start and ssthresh.
    pub(super) const OF_A_CONTROL: &[&str] =
        &["growth", "growth_limit", "slow_start", "ssthresh_from", "ssthresh_rounding", "abe"];
    /// Loss detection by time, and what needs its samples of the RTT.
    pub(super) const RACK: &[&str] =
        &["loss_detection", "tlp", "tlp_timer", "f_rto", "undo", "sample_every_ack", "slow_start"];
}

/// Every flavor.
pub static FLAVORS: &[Flavor] = &[
    Flavor {
        name: "vanilla",
        summary: "slow start and congestion avoidance; losses are detected by time-out alone",
        loss: |_| Box::new(TimeoutOnly),
        congestion: reno_without_inflation,
        presets: Options::CLASSIC,
        careful_as_published: false,
        ignores: &[
            keys::DUP_ACKS,
            keys::CAREFUL,
            keys::NEWRENO,
            keys::SCOREBOARD,
            keys::PIPE,
            keys::CUBIC,
            keys::RACK,
            keys::LEDBAT,
        ],
        in_recovery: Outstanding::FlightSize,
        in_linux: "reno",
    },
    Flavor {
        name: "reno",
        summary: "fast retransmit and fast recovery (RFC 5681)",
        loss: |options| Box::new(Reno::new(options)),
        congestion: |options| reno(options, Halving { inflates: true, deflation: Deflation::Full }),
        presets: Options::CLASSIC,
        careful_as_published: false,
        ignores: &[keys::NEWRENO, keys::SCOREBOARD, keys::PIPE, keys::CUBIC, keys::RACK, keys::LEDBAT],
        in_recovery: Outstanding::FlightSize,
        in_linux: "reno",
    },
    Flavor {
        name: "newreno",
        summary: "stays in recovery until all is acknowledged (RFC 6582)",
        loss: newreno,
        congestion: reno_of_newreno,
        presets: Options::CLASSIC,
        careful_as_published: true,
        ignores: &[keys::SCOREBOARD, keys::PIPE, keys::CUBIC, keys::RACK, keys::LEDBAT],
        in_recovery: Outstanding::FlightSize,
        in_linux: "reno",
    },
    Flavor {
        name: "newreno_hoe",
        summary: "NewReno as Hoe 1996 and ns-2.1b3 had it (000 section 2.1)",
        loss: newreno,
        congestion: reno_of_newreno,
        presets: Options { newreno: NewRenoParameters::HOE, ..Options::CLASSIC },
        careful_as_published: false,
        ignores: &[keys::SCOREBOARD, keys::PIPE, keys::CUBIC, keys::RACK, keys::LEDBAT],
        in_recovery: Outstanding::FlightSize,
        in_linux: "reno",
    },
    Flavor {
        name: "newreno_full",
        summary: "NewReno with full deflation, as the text of 000 section 2.1 describes it",
        loss: newreno,
        congestion: reno_of_newreno,
        presets: Options { newreno: NewRenoParameters::FULL, ..Options::CLASSIC },
        careful_as_published: false,
        ignores: &[keys::SCOREBOARD, keys::PIPE, keys::CUBIC, keys::RACK, keys::LEDBAT],
        in_recovery: Outstanding::FlightSize,
        in_linux: "reno",
    },
    Flavor {
        name: "sack",
        summary: "SACK with an estimate of the pipe (Fall and Floyd 1996)",
        loss: |options| Box::new(SackPipe::new(options)),
        congestion: reno_without_inflation,
        presets: Options { sack: true, ..Options::CLASSIC },
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::SCOREBOARD, keys::CUBIC, keys::RACK, keys::LEDBAT],
        in_recovery: Outstanding::Pipe,
        in_linux: "reno",
    },
    Flavor {
        name: "sack_rfc6675",
        summary: "SACK with a scoreboard (RFC 6675)",
        loss: by_sack,
        congestion: |options| loss_based(options, RenoAvoidance::new(options)),
        presets: Options { sack: true, limited_transmit: true, ..Options::CLASSIC },
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::PIPE, keys::CUBIC, keys::RACK, keys::LEDBAT],
        in_recovery: Outstanding::Scoreboard,
        in_linux: "reno",
    },
    Flavor {
        name: "cubic",
        summary: "CUBIC (RFC 9438), RACK-TLP (RFC 8985), rate reduction (RFC 9937), HyStart++ (RFC 9406)",
        loss: by_sack,
        congestion: |options| loss_based(options, Cubic::new(options)),
        presets: Options::MODERN,
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::PIPE, keys::RENO, keys::LEDBAT],
        in_recovery: Outstanding::Scoreboard,
        in_linux: "cubic",
    },
    Flavor {
        name: "reno_sack",
        summary: "Reno's window (RFC 5681), RACK-TLP (RFC 8985), rate reduction (RFC 9937)",
        loss: by_sack,
        congestion: |options| loss_based(options, RenoAvoidance::new(options)),
        presets: Options { slow_start: SlowStartKind::Standard, ..Options::MODERN },
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::PIPE, keys::CUBIC, keys::LEDBAT],
        in_recovery: Outstanding::Scoreboard,
        in_linux: "reno",
    },
    Flavor {
        name: "vegas",
        summary: "Vegas (Brakmo 1995, as Linux has it): 2 to 4 packets in the queue; RACK-TLP (RFC 8985)",
        loss: by_sack,
        congestion: |options| loss_based(options, Vegas::new(options)),
        // It has an end of slow start of its own.
        presets: Options { slow_start: SlowStartKind::Standard, ..Options::MODERN },
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::PIPE, keys::CUBIC, keys::LEDBAT],
        in_recovery: Outstanding::Scoreboard,
        in_linux: "vegas",
    },
    Flavor {
        name: "bbr",
        summary: "BBR, version 1 (2016, as Linux has it): paced at the measured bandwidth; RACK-TLP (RFC 8985)",
        loss: by_sack,
        congestion: |_| Box::new(Bbr::new()),
        presets: Options {
            slow_start: SlowStartKind::Standard,
            pacing: PacingFrom::CongestionControl,
            ..Options::MODERN
        },
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::PIPE, keys::RENO, keys::CUBIC, keys::LEDBAT],
        in_recovery: Outstanding::Scoreboard,
        in_linux: "bbr",
    },
    Flavor {
        name: "dctcp",
        summary: "DCTCP (RFC 8257): cwnd falls by the part of the data that is marked; RACK-TLP (RFC 8985)",
        loss: by_sack,
        congestion: |options| Box::new(Dctcp::new(options)),
        presets: Options {
            ecn: true,
            ecn_feedback: EcnFeedback::Dctcp,
            slow_start: SlowStartKind::Standard,
            ssthresh_from: SsthreshFrom::FlightSizeBounded,
            ..Options::MODERN
        },
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::PIPE, keys::CUBIC, keys::LEDBAT],
        in_recovery: Outstanding::Scoreboard,
        in_linux: "dctcp",
    },
    Flavor {
        name: "prague",
        summary: "Prague (2024 draft): DCTCP for the Internet, paced; accurate ECN (RFC 9768), ECT(1)",
        loss: by_sack,
        congestion: |options| Box::new(Prague::new(options)),
        presets: Options {
            ecn: true,
            ecn_feedback: EcnFeedback::Accurate,
            l4s: true,
            slow_start: SlowStartKind::Standard,
            pacing: PacingFrom::CongestionControl,
            ssthresh_from: SsthreshFrom::FlightSizeBounded,
            ..Options::MODERN
        },
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::PIPE, keys::CUBIC, keys::LEDBAT],
        in_recovery: Outstanding::Scoreboard,
        in_linux: "prague",
    },
    Flavor {
        name: "westwood",
        summary: "Westwood+ (Grieco 2004, as Linux has it): a loss leaves bandwidth x least RTT; RACK-TLP (RFC 8985)",
        loss: by_sack,
        congestion: |options| loss_based(options, Westwood::new(options)),
        presets: Options { slow_start: SlowStartKind::Standard, ..Options::MODERN },
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::PIPE, keys::CUBIC, keys::LEDBAT],
        in_recovery: Outstanding::Scoreboard,
        in_linux: "westwood",
    },
    Flavor {
        name: "ledbat",
        summary: "LEDBAT (RFC 6817): yields to others, 100 ms of queueing delay at most; RACK-TLP (RFC 8985)",
        loss: by_sack,
        congestion: |options| loss_based(options, Ledbat::new(options)),
        // It has a limit of its own for a window that is not filled (section 2.4.1), and falls in one, too.
        presets: Options { slow_start: SlowStartKind::Standard, cwnd_validation: false, ..Options::MODERN },
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::PIPE, keys::CUBIC, keys::RENO],
        in_recovery: Outstanding::Scoreboard,
        in_linux: "ledbat",
    },
    Flavor {
        name: "bbr3",
        summary: "BBR, version 3 (draft-ietf-ccwg-bbr): paced by a model of the path; RACK-TLP (RFC 8985)",
        loss: by_sack,
        congestion: |options| Box::new(Bbr3::new(options)),
        presets: Options {
            slow_start: SlowStartKind::Standard,
            pacing: PacingFrom::CongestionControl,
            ..Options::MODERN
        },
        careful_as_published: false,
        ignores: &[keys::CAREFUL, keys::NEWRENO, keys::PIPE, keys::RENO, keys::CUBIC, keys::LEDBAT],
        in_recovery: Outstanding::Scoreboard,
        in_linux: "bbr3",
    },
];

/// A flavor whose congestion control another program brings ([`Connection::controlled_by`]); Reno's until then.
///
/// [`Connection::controlled_by`]: crate::connection::Connection::controlled_by
pub static OUTSIDE: Flavor = Flavor {
    name: "of_code",
    summary: "a congestion control of another program, RACK-TLP (RFC 8985), rate reduction (RFC 9937)",
    loss: by_sack,
    congestion: |options| loss_based(options, RenoAvoidance::new(options)),
    presets: Options {
        slow_start: SlowStartKind::Standard,
        pacing: PacingFrom::CongestionControl,
        ..Options::MODERN
    },
    careful_as_published: false,
    ignores: &[
        keys::CAREFUL,
        keys::NEWRENO,
        keys::PIPE,
        keys::RENO,
        keys::CUBIC,
        keys::LEDBAT,
        keys::OF_A_CONTROL,
    ],
    in_recovery: Outstanding::Scoreboard,
    in_linux: "",
};

impl Flavor {
    /// Whether it does nothing with this key of a plan or a scenario.
    #[must_use]
    pub fn ignores(&self, key: &str) -> bool {
        self.ignores.iter().any(|keys| keys.contains(&key))
    }

    /// Whether its congestion control makes random choices.
    #[must_use]
    pub fn is_random(&self) -> bool {
        (self.congestion)(&self.presets).seed(0)
    }

    /// The flavor of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        FLAVORS.iter().find(|flavor| flavor.name == name)
    }
}

fn by_sack(options: &Options) -> Box<dyn LossDetection> {
    match options.loss_detection {
        SackLossDetection::Rack => Box::new(RackOrNewReno::new(options)),
        SackLossDetection::Rfc6675 => Box::new(Rfc6675::new(options)),
    }
}

fn newreno(options: &Options) -> Box<dyn LossDetection> {
    Box::new(NewReno::new(options))
}

/// Proportional rate reduction if the options ask for it.
fn loss_based<A: CongestionAvoidance + 'static>(
    options: &Options,
    avoidance: A,
) -> Box<dyn CongestionControl> {
    Box::new(LossBased::new(options, avoidance, Reduction::proportional_if(options.prr)))
}

fn reno(options: &Options, halving: Halving) -> Box<dyn CongestionControl> {
    Box::new(LossBased::new(options, RenoAvoidance::new(options), Reduction::Halving(halving)))
}

fn reno_without_inflation(options: &Options) -> Box<dyn CongestionControl> {
    reno(options, Halving::PLAIN)
}

fn reno_of_newreno(options: &Options) -> Box<dyn CongestionControl> {
    let NewRenoParameters { deflation, on_dup_ack, .. } = options.newreno;
    reno(options, Halving { inflates: on_dup_ack == OnDupAck::Inflate, deflation })
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
