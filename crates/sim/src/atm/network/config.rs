//! What an ATM network is made of.

use std::fmt;

use super::sources::Cells;
use crate::atm::abr::AbrConfig;
use crate::atm::erica::RateControlConfig;
use crate::atm::policy::FramePolicy;
use crate::atm::port::Eom;
use crate::time::Time;

/// Lines and VCs. The points between which the lines lead are numbers; a point with a NIC is a host.
pub struct NetworkConfig {
    /// The lines.
    pub lines: Vec<LineConfig>,
    /// The VCs. What a host sends travels on the VC with the host's number.
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
    /// What a path pays for it; at least 1.
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
    /// Buffer for UBR, cells; none: unlimited.
    pub ubr_buffer: Option<u32>,
    /// When a new frame of UBR is refused.
    pub policy: Box<dyn FramePolicy>,
    /// What becomes of the last cell of a cut frame of UBR.
    pub eom: Eom,
    /// What is done about the rates of ABR.
    pub rate_control: RateControlConfig,
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
    /// Unspecified bit rate: gets what is left. Cells leave the host at the rate of the line.
    Ubr,
}

/// A service category, in the order in which ports serve them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Category {
    /// Variable bit rate, and constant bit rate.
    Vbr = 0,
    /// Available bit rate.
    Abr = 1,
    /// Unspecified bit rate.
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
            Self::Ubr => Category::Ubr,
        }
    }
}

/// What is wrong with a network.
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
    /// The BRMs of an ABR VC do not pass a switch that its cells pass, which could not tell it a rate.
    OneWay {
        /// Number of the VC.
        vc: u32,
        /// The switch, as a point.
        switch: u32,
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
        (0..).zip(&self.vcs).try_for_each(|(vc, config)| self.check_peer(vc, config))
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
