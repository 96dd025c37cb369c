//! ERICA and ERICA+: explicit rate indication for congestion avoidance.
//!
//! Source: Kalyanaraman, Jain, Goyal, Fahmy, Vandalore, "The ERICA switch algorithm for ABR traffic
//! management in ATM networks", 1997 (004's reference 10), equations 1 to 11 as in ATM Forum/98-0408; queue control
//! and options from Kalyanaraman 1997. 004 section 6 has the values.
//!
//! The port measures the load of arriving cells, and writes the rates that follow from it into the BRMs that
//! pass the switch in the opposite direction. With f the [queue control](QueueControl) of ERICA+, or constant in ERICA:
//!
//! ```text
//! end of an interval    abr_cap   = link rate - rate of the higher categories
//!                       Tq        = ABR cells queued / abr_cap
//!                       target    = f(Tq) abr_cap
//!                       z         = ABR input rate / target       (infinite if target is 0)
//!                       FairShare = target / max(1, active VCs)
//!                       MaxAllocPrevious = MaxAllocCurrent;  MaxAllocCurrent = FairShare
//! FRM                   CCR[vc] = its CCR
//! BRM                   VCShare = CCR[vc] / z
//!                       ER = max(FairShare, VCShare)                       if z > 1 + delta
//!                            max(FairShare, VCShare, MaxAllocPrevious)     otherwise
//!                       MaxAllocCurrent = max(MaxAllocCurrent, ER)
//!                       if ER > FairShare and CCR[vc] < FairShare: ER = FairShare
//!                       the cell's ER = min(its ER, ER, target)
//! ```
//!
//! A VC gets one ER in each interval: all its BRMs of the interval get the same.
//!
//! Deviations and choices:
//! - VCShare is at most the target: in an interval without a cell z is 0, and an infinite share would become
//!   MaxAllocPrevious of the next.
//! - Before the end of the first interval there is no measurement: ER is at most f(0) times the line's rate, the target
//!   of an empty port.
//! - An interval in which no time has passed does not end: it has no rates.
//! - The ABR queue is that of the port at the end of the interval, including the cell being sent.
//!
//! Only + - * / and comparisons, so results are the same on every machine.
//!
//! | parameter | unit | 004 |
//! |---|---|---|
//! | `interval_cells`, `interval` | ABR cells, time: whichever comes first | 500, 5 ms |
//! | `delta` | 1 | not stated (0.1) |
//! | `queue_control` | | hyperbolic: T0 500 us, a 1.15, b 1.05, QDLF 0.5 |
//! | `ccr` | field of the FRM, or cells counted over the last interval | not stated (field) |
//! | `averaging` | | not stated (off) |
//! | `limit_jump` | whether the rule "if ER > FairShare ..." applies | not stated (yes) |

use super::averaging::{ActiveVcs, Load};
use super::{Averaging, PortQueue, QueueControl, RateControl};
use crate::abr::RmCell;
use base::Time;

/// Where the current rate of a VC is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ccr {
    /// From the CCR field of its last FRM.
    Field,
    /// From its cells in the last interval, the true rate of a source with little to send.
    Measured,
}

/// Parameters of ERICA.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EricaConfig {
    /// ABR cells that end an interval; at least 1.
    pub interval_cells: u32,
    /// Time that ends an interval; above 0.
    pub interval: Time,
    /// Up to 1 + delta of z, every VC may get the largest allocation of the last interval; from 0.
    pub delta: f64,
    /// Share of the ABR capacity to allocate, as a function of the queueing delay.
    pub queue_control: QueueControl,
    /// Where a VC's rate is taken from.
    pub ccr: Ccr,
    /// Averaging options.
    pub averaging: Averaging,
    /// Whether a VC below its fair share is raised to that in one step, and no further.
    pub limit_jump: bool,
}

impl EricaConfig {
    /// ERICA+ with the values of 004, and the simplest values for what it does not state.
    pub const OSU: Self = Self {
        interval_cells: 500,
        interval: Time::from_ms(5),
        delta: 0.1,
        queue_control: QueueControl::OSU,
        ccr: Ccr::Field,
        averaging: Averaging::OFF,
        limit_jump: true,
    };
}

/// ERICA or ERICA+ at one port.
#[derive(Clone, Debug)]
pub struct Erica {
    config: EricaConfig,
    start: Time,
    /// ABR cells since the start of the interval.
    cells: u32,
    /// Cells of higher categories since then.
    other_cells: u32,
    active: ActiveVcs,
    load: Load,
    vcs: Vec<Vc>,
    /// Of the last interval; none before the end of the first.
    measured: Option<Measured>,
    max_alloc_previous: f64,
    max_alloc_current: f64,
}

/// The measurements of an interval. Rates are cells/s.
#[derive(Clone, Copy, Debug)]
struct Measured {
    target: f64,
    z: f64,
    /// As counted; less than 1 if no VC was active.
    active_vcs: f64,
    fair_share: f64,
    /// Its length, s.
    length: f64,
}

/// The state of a VC.
#[derive(Clone, Copy, Debug, Default)]
struct Vc {
    /// CCR of its last FRM, cells/s.
    ccr: f64,
    /// Its last ER, cells/s, and the interval of it.
    er: f64,
    answered: u64,
    /// Its cells in the interval of its last cell, that interval, and its cells in the one before.
    cells: u32,
    counted: u64,
    cells_before: u32,
}

impl Erica {
    /// A port with `vcs` VCs, at the start of its first interval.
    #[must_use]
    pub fn new(config: EricaConfig, vcs: usize) -> Self {
        Self {
            config,
            start: Time::ZERO,
            cells: 0,
            other_cells: 0,
            active: ActiveVcs::new(config.averaging.vc_decay, vcs),
            load: Load::new(config.averaging.load),
            vcs: vec![Vc::default(); vcs],
            measured: None,
            max_alloc_previous: 0.0,
            max_alloc_current: 0.0,
        }
    }

    fn see(&mut self, vc: usize) {
        let further = self.active.see(vc);
        if further > 0.0
            && self.config.averaging.immediate_fair_share
            && let Some(last) = &mut self.measured
        {
            last.active_vcs += further;
            last.fair_share = last.target / last.active_vcs;
        }
    }

    /// The rate of a VC, cells/s.
    fn ccr(&self, vc: usize, last: &Measured) -> f64 {
        let vc = &self.vcs[vc];
        match self.config.ccr {
            Ccr::Field => vc.ccr,
            Ccr::Measured if vc.counted == self.active.interval() => f64::from(vc.cells_before) / last.length,
            Ccr::Measured if vc.counted + 1 == self.active.interval() => f64::from(vc.cells) / last.length,
            Ccr::Measured => 0.0,
        }
    }

    /// The rate to give to a VC, once an interval.
    fn explicit_rate(&mut self, vc: usize, last: &Measured) -> f64 {
        let ccr = self.ccr(vc, last);
        let fair_share = last.fair_share;
        let vc_share = if last.z > 0.0 { (ccr / last.z).min(last.target) } else { last.target };
        let mut er = fair_share.max(vc_share);
        if last.z <= 1.0 + self.config.delta {
            er = er.max(self.max_alloc_previous);
        }
        self.max_alloc_current = self.max_alloc_current.max(er);
        if self.config.limit_jump && er > fair_share && ccr < fair_share {
            er = fair_share;
        }
        er
    }
}

impl RateControl for Erica {
    fn arrival(&mut self, now: Time, vc: u32) -> bool {
        let vc = vc as usize;
        self.see(vc);
        if self.config.ccr == Ccr::Measured {
            self.vcs[vc].count(self.active.interval());
        }
        self.cells = self.cells.saturating_add(1);
        self.cells >= self.config.interval_cells && now > self.start
    }

    fn other_arrival(&mut self, _now: Time) {
        self.other_cells = self.other_cells.saturating_add(1);
    }

    fn interval_end(&self) -> Time {
        self.start.saturating_add(self.config.interval)
    }

    fn end_interval(&mut self, now: Time, queue: &PortQueue) {
        if now <= self.start {
            return;
        }
        let length = (now - self.start).as_ps() as f64 / PS_PER_S;
        let input = f64::from(self.cells) / length;
        let abr_cap = (queue.cell_rate - f64::from(self.other_cells) / length).max(0.0);
        let (input, abr_cap) = self.load.parts(input, abr_cap);

        let delay = if queue.abr_cells == 0 { 0.0 } else { f64::from(queue.abr_cells) / abr_cap };
        let target = self.config.queue_control.share(delay) * abr_cap;
        let z = self.load.ratio(if target > 0.0 { input / target } else { f64::INFINITY });
        let active_vcs = self.active.end_interval();
        let fair_share = target / active_vcs.max(1.0);
        self.max_alloc_previous = self.max_alloc_current;
        self.max_alloc_current = fair_share;

        self.measured = Some(Measured { target, z, active_vcs, fair_share, length });
        self.start = now;
        self.cells = 0;
        self.other_cells = 0;
    }

    fn forward_rm(&mut self, _now: Time, vc: u32, rm: &RmCell) {
        self.vcs[vc as usize].ccr = rm.ccr;
    }

    fn backward_rm(&mut self, _now: Time, vc: u32, rm: &mut RmCell, queue: &PortQueue) {
        let vc = vc as usize;
        if self.config.averaging.count_both_directions {
            self.see(vc);
        }
        let Some(last) = self.measured else {
            rm.er = rm.er.min(self.config.queue_control.share(0.0) * queue.cell_rate);
            return;
        };
        if self.vcs[vc].answered != self.active.interval() {
            self.vcs[vc].er = self.explicit_rate(vc, &last);
            self.vcs[vc].answered = self.active.interval();
        }
        rm.er = rm.er.min(self.vcs[vc].er).min(last.target);
    }
}

impl Vc {
    /// Counts a cell in this interval.
    fn count(&mut self, interval: u64) {
        if self.counted != interval {
            self.cells_before = if self.counted + 1 == interval { self.cells } else { 0 };
            self.cells = 0;
            self.counted = interval;
        }
        self.cells += 1;
    }
}

const PS_PER_S: f64 = 1e12;

#[cfg(test)]
mod closed_loop;
#[cfg(test)]
mod pseudo_code;
#[cfg(test)]
mod tests;
