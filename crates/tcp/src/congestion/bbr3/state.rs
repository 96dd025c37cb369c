//! The states, and how fast and how much each sends.
//!
//! Source: draft-ietf-ccwg-bbr section 5.6.1 (summary of the control behavior), gains in percent.
//!
//! | state | `pacing_gain` | `cwnd_gain` |
//! |---|---|---|
//! | Startup | 277 (4 ln 2) | 200 |
//! | Drain | 50 | 200 |
//! | `ProbeBW_DOWN` | 90 | 200 |
//! | `ProbeBW_CRUISE` | 100 | 200 |
//! | `ProbeBW_REFILL` | 100 | 200 |
//! | `ProbeBW_UP` | 125 | 225 |
//! | `ProbeRTT` | 100 | 50 |

/// What the flow does at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Startup,
    Drain,
    ProbeBwDown,
    ProbeBwCruise,
    ProbeBwRefill,
    ProbeBwUp,
    ProbeRtt,
}

impl State {
    /// Percent of `bw`.
    pub(super) const fn pacing_gain(self) -> u64 {
        match self {
            Self::Startup => 277,
            Self::Drain => 50,
            Self::ProbeBwDown => 90,
            Self::ProbeBwCruise | Self::ProbeBwRefill | Self::ProbeRtt => 100,
            Self::ProbeBwUp => 125,
        }
    }

    /// Percent of the BDP.
    pub(super) const fn cwnd_gain(self) -> u64 {
        match self {
            Self::ProbeBwUp => 225,
            Self::ProbeRtt => 50,
            _ => 200,
        }
    }

    /// `IsInAProbeBWState`.
    pub(super) const fn is_probe_bw(self) -> bool {
        matches!(self, Self::ProbeBwDown | Self::ProbeBwCruise | Self::ProbeBwRefill | Self::ProbeBwUp)
    }

    /// `IsProbingBW`: losses are then what the probe asks for.
    pub(super) const fn is_probing(self) -> bool {
        matches!(self, Self::Startup | Self::ProbeBwRefill | Self::ProbeBwUp)
    }

    /// Its name, and which part of it.
    pub(super) const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Startup => ("startup", ""),
            Self::Drain => ("drain", ""),
            Self::ProbeBwDown => ("probe_bw", "down"),
            Self::ProbeBwCruise => ("probe_bw", "cruise"),
            Self::ProbeBwRefill => ("probe_bw", "refill"),
            Self::ProbeBwUp => ("probe_bw", "up"),
            Self::ProbeRtt => ("probe_rtt", ""),
        }
    }
}
