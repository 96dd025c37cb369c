//! The table of flavors: a name for a loss recovery, a congestion control and options.

use crate::config::Config;
use crate::congestion::{self, CongestionControl};
use crate::recovery::{LossRecovery, NewReno, NewRenoParameters, Reno, SackPipe, Vanilla};

/// A row of the table.
#[derive(Debug)]
pub struct Flavor {
    /// By which a plan asks for it.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// How losses are recovered from.
    pub recovery: fn(&Config) -> Box<dyn LossRecovery>,
    /// How cwnd moves.
    pub congestion: fn(&Config) -> Box<dyn CongestionControl>,
    /// NewReno's parameters, if it is a NewReno.
    pub newreno: Option<NewRenoParameters>,
    /// Whether SACK is offered in the SYN.
    pub sack: bool,
}

/// Every flavor.
pub static FLAVORS: &[Flavor] = &[
    Flavor {
        name: "vanilla",
        summary: "slow start and congestion avoidance; losses are found by time-out alone",
        recovery: |_| Box::new(Vanilla),
        congestion: reno,
        newreno: None,
        sack: false,
    },
    Flavor {
        name: "reno",
        summary: "fast retransmit and fast recovery (RFC 5681)",
        recovery: |_| Box::<Reno>::default(),
        congestion: reno,
        newreno: None,
        sack: false,
    },
    Flavor {
        name: "newreno",
        summary: "stays in recovery until all is acknowledged (RFC 6582)",
        recovery: newreno,
        congestion: reno,
        newreno: Some(NewRenoParameters::RFC6582),
        sack: false,
    },
    Flavor {
        name: "newreno_hoe",
        summary: "NewReno as Hoe 1996 and ns-2.1b3 had it (000 section 2.1)",
        recovery: newreno,
        congestion: reno,
        newreno: Some(NewRenoParameters::HOE),
        sack: false,
    },
    Flavor {
        name: "newreno_full",
        summary: "NewReno with full deflation, as the text of 000 section 2.1 describes it",
        recovery: newreno,
        congestion: reno,
        newreno: Some(NewRenoParameters::FULL),
        sack: false,
    },
    Flavor {
        name: "sack",
        summary: "SACK with an estimate of the pipe (Fall and Floyd 1996)",
        recovery: |_| Box::<SackPipe>::default(),
        congestion: reno,
        newreno: None,
        sack: true,
    },
];

impl Flavor {
    /// The flavor of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        FLAVORS.iter().find(|flavor| flavor.name == name)
    }
}

fn reno(config: &Config) -> Box<dyn CongestionControl> {
    Box::new(congestion::Reno::new(config.loss_window, config.additive_constant))
}

fn newreno(config: &Config) -> Box<dyn LossRecovery> {
    let own = config.flavor.newreno.expect("a NewReno row has parameters");
    Box::new(NewReno::new(config.newreno.unwrap_or(own)))
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
