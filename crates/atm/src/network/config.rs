//! The configuration of an ATM network.

use std::fmt;

use super::scfq::Excess;
use super::sources::Cells;
use crate::CELL_BYTES;
use crate::abr::AbrConfig;
use crate::erica::RateControlConfig;
use crate::gfr::GfrConfig;
use crate::policy::FramePolicy;
use crate::port::Eom;
use base::Time;
use rand_chacha::ChaCha8Rng;

/// Lines and VCs. The points between which the lines lead are numbers; a point with a NIC is a host.
pub struct NetworkConfig {
    /// The lines.
    pub lines: Vec<LineConfig>,
    /// The VCs. Packets of a host travel on the VC with the host's number.
    pub vcs: Vec<VcConfig>,
}

/// A line in one direction.
pub struct LineConfig {
    /// The point where it begins.
    pub from: u32,
    /// The point where it ends.
    pub to: u32,
    /// Time to send a cell; above zero.
    pub cell_time: Time,
    /// Propagation delay.
    pub delay: Time,
    /// Its cost in a path; at least 1.
    pub cost: u32,
    /// The switch port from which it leads; none: it leads from a host's NIC.
    pub port: Option<SwitchPort>,
}

/// An output port of a switch.
pub struct SwitchPort {
    /// Buffer for VBR, cells; none: unlimited.
    pub vbr_buffer: Option<u32>,
    /// Buffer for ABR, cells; none: unlimited.
    pub abr_buffer: Option<u32>,
    /// Buffer for UBR and GFR, cells; none: unlimited.
    pub ubr_buffer: Option<u32>,
    /// Share of the line guaranteed to UBR and GFR together, before VBR and ABR, parts in 1e9.
    pub ubr_share_ppb: u32,
    /// How cells of UBR and GFR wait.
    pub ubr_queueing: UbrQueueing,
    /// When a new frame of UBR or GFR is refused.
    pub policy: Box<dyn FramePolicy>,
    /// The random stream of a policy with random refusals.
    pub draws: ChaCha8Rng,
    /// Whether the last cell of a cut frame of UBR or GFR is kept.
    pub eom: Eom,
    /// The rate control of ABR.
    pub rate_control: RateControlConfig,
}

/// How cells of UBR and GFR wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UbrQueueing {
    /// In one queue.
    Fifo,
    /// In a queue for each VC; VCs share the rate of the class by weight.
    PerVc(Excess),
}

/// A virtual channel in one direction.
pub struct VcConfig {
    /// The numbers of its lines, from the sender's NIC on.
    pub path: Vec<u32>,
    /// The VC in the other direction. The BRMs of each of the two travel on the other.
    pub peer: u32,
    /// Its service.
    pub service: Service,
    /// What it carries.
    pub cells: Cells,
}

/// A service category with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Service {
    /// Variable bit rate: served first. Cells leave the host as they are made.
    Vbr,
    /// Available bit rate: served next. Cells leave the host at ACR.
    Abr(AbrConfig),
    /// Unspecified bit rate: gets the remaining rate. Cells leave the host at the rate of the line.
    Ubr,
    /// Guaranteed frame rate: UBR with a contract, which the first switch enforces.
    Gfr(GfrConfig),
}

/// A service category, in the order in which ports serve them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Category {
    /// Variable bit rate, and constant bit rate.
    Vbr = 0,
    /// Available bit rate.
    Abr = 1,
    /// Unspecified bit rate, and guaranteed frame rate: frames without reserved rate.
    Ubr = 2,
}

impl Category {
    /// All of them, first served first.
    pub const ALL: [Self; 3] = [Self::Vbr, Self::Abr, Self::Ubr];
}

impl Service {
    /// Its category.
    #[must_use]
    pub fn category(&self) -> Category {
        match self {
            Self::Vbr => Category::Vbr,
            Self::Abr(_) => Category::Abr,
            Self::Ubr | Self::Gfr(_) => Category::Ubr,
        }
    }

    /// The minimum cell rate of a frame service, bit/s of whole cells; 0 of UBR.
    pub(super) fn frame_mcr(&self) -> u64 {
        match self {
            Self::Gfr(contract) => contract.mcr_bps,
            Self::Vbr | Self::Abr(_) | Self::Ubr => 0,
        }
    }
}

/// An error in a network's configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// The line takes no time to send a cell.
    CellTime {
        /// Number of the line.
        line: u32,
    },
    /// The lines of a VC do not lead from a NIC over ports of switches to a host.
    Path {
        /// Number of the VC.
        vc: u32,
    },
    /// An ABR VC and its peer are not two ABR VCs between the same hosts.
    Peer {
        /// Number of the VC.
        vc: u32,
    },
    /// The BRMs of an ABR VC do not pass a switch that its cells pass, so that switch could not set its rate.
    OneWay {
        /// Number of the VC.
        vc: u32,
        /// The switch, as a point.
        switch: u32,
    },
    /// A contract has a PCR of 0, or an MCR above it.
    Contract {
        /// Number of the VC.
        vc: u32,
    },
    /// The MCRs of the GFR VCs on a line are more than it can carry.
    Promised {
        /// Number of the line.
        line: u32,
    },
    /// A VC that is not ABR has a source that always has a cell.
    Greedy {
        /// Number of the VC.
        vc: u32,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CellTime { line } => write!(f, "line {line}: a cell takes more than 0 ps"),
            Self::Path { vc } => {
                write!(f, "VC {vc}: its lines do not lead from a NIC over switches to a host")
            }
            Self::Peer { vc } => write!(f, "VC {vc}: its peer is not an ABR VC between the same hosts"),
            Self::OneWay { vc, switch } => {
                write!(f, "VC {vc}: the way back does not pass switch {switch}, which gives rates to the VC")
            }
            Self::Contract { vc } => write!(f, "VC {vc}: PCR must be above 0 and MCR at most PCR"),
            Self::Promised { line } => {
                write!(f, "line {line}: the MCRs of the GFR VCs on it are more than its rate")
            }
            Self::Greedy { vc } => write!(f, "VC {vc}: only an ABR source can always have a cell"),
        }
    }
}

impl std::error::Error for NetworkError {}

impl NetworkConfig {
    /// Whether it makes sense.
    pub(super) fn check(&self) -> Result<(), NetworkError> {
        for (number, line) in (0..).zip(&self.lines) {
            if line.cell_time == Time::ZERO {
                return Err(NetworkError::CellTime { line: number });
            }
        }
        let points = self.lines.iter().map(|line| line.from.max(line.to) as usize + 1).max().unwrap_or(0);
        let mut is_switch = vec![false; points];
        let ports = self.lines.iter().filter(|line| line.port.is_some());
        ports.for_each(|line| is_switch[line.from as usize] = true);
        for (vc, config) in (0..).zip(&self.vcs) {
            if !self.leads(&config.path, &is_switch) {
                return Err(NetworkError::Path { vc });
            }
            if matches!(config.cells, Cells::Greedy { .. }) && config.service.category() != Category::Abr {
                return Err(NetworkError::Greedy { vc });
            }
        }
        self.check_contracts()?;
        (0..).zip(&self.vcs).try_for_each(|(vc, config)| self.check_peer(vc, config))
    }

    fn check_contracts(&self) -> Result<(), NetworkError> {
        // Bits that a line carries in a number of picoseconds.
        const CELL: u128 = 8 * CELL_BYTES as u128 * 1_000_000_000_000;
        let mut promised = vec![0; self.lines.len()];
        for (vc, config) in (0..).zip(&self.vcs) {
            let Service::Gfr(contract) = config.service else { continue };
            if contract.pcr_bps == 0 || contract.mcr_bps > contract.pcr_bps {
                return Err(NetworkError::Contract { vc });
            }
            config.path.iter().for_each(|&line| promised[line as usize] += u128::from(contract.mcr_bps));
        }
        for ((number, line), bps) in (0..).zip(&self.lines).zip(promised) {
            // The time of a cell is a whole number of picoseconds, and so the rate is not exact.
            if bps * u128::from(line.cell_time.as_ps().saturating_sub(1)) > CELL {
                return Err(NetworkError::Promised { line: number });
            }
        }
        Ok(())
    }

    /// Whether the lines lead from a NIC over ports of switches to a host.
    fn leads(&self, path: &[u32], is_switch: &[bool]) -> bool {
        let line = |number: &u32| self.lines.get(*number as usize);
        let Some(lines) = path.iter().map(line).collect::<Option<Vec<_>>>() else { return false };
        let meets = |pair: &[&LineConfig]| pair[0].to == pair[1].from && pair[1].port.is_some();
        let Some(last) = lines.last() else { return false };
        lines[0].port.is_none() && lines.windows(2).all(meets) && !is_switch[last.to as usize]
    }

    fn check_peer(&self, vc: u32, config: &VcConfig) -> Result<(), NetworkError> {
        if config.service.category() != Category::Abr {
            return Ok(());
        }
        let ends = |config: &VcConfig| (self.begin(config, 0), self.end(config));
        let peer = self.vcs.get(config.peer as usize).filter(|peer| {
            let (from, to) = ends(config);
            peer.peer == vc && peer.service.category() == Category::Abr && ends(peer) == (to, from)
        });
        let peer = peer.ok_or(NetworkError::Peer { vc })?;
        let on_way_back = |switch| (1..peer.path.len()).any(|hop| self.begin(peer, hop) == switch);
        let missed = (1..config.path.len()).map(|hop| self.begin(config, hop)).find(|&at| !on_way_back(at));
        missed.map_or(Ok(()), |switch| Err(NetworkError::OneWay { vc, switch }))
    }

    /// The point where a hop begins.
    fn begin(&self, vc: &VcConfig, hop: usize) -> u32 {
        self.lines[vc.path[hop] as usize].from
    }

    fn end(&self, vc: &VcConfig) -> u32 {
        self.lines[vc.path[vc.path.len() - 1] as usize].to
    }
}
