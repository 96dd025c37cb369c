//! An ATM network: its lines, VCs and switches as one component. See [the module](super).

use std::collections::VecDeque;

use super::arriving::Arriving;
use super::cell::{Cell, RmTable};
use super::config::{LineConfig, NetworkConfig, NetworkError};
use super::frames::{FrameCounts, FrameVc};
use super::lanes::Lanes;
use super::nic::Nic;
use super::port::Port;
use super::sources::Cells;
use super::tournament::Tournament;
use super::vc::Vc;
use super::{Category, NetworkCounters, VcCounters};
use crate::aal5;
use crate::report::AtmEvent;
use base::Time;
use sim::link::{Ring, Watch};
use sim::{Packet, Waits};

/// An ATM network, from the sending hosts' network cards to the receiving ones.
pub struct AtmNetwork<P> {
    pub(super) lines: Vec<Line>,
    pub(super) vcs: Vec<Vc<P>>,
    /// The hops of all VCs, those of each in order.
    pub(super) hops: Vec<Hop>,
    pub(super) lanes: Lanes,
    /// The times of tasks. Arrivals of cells at switches are no tasks.
    pub(super) timers: Tournament,
    pub(super) tasks: Vec<Task>,
    pub(super) rms: RmTable,
    pub(super) ring: Ring<P>,
    /// Packets whose last cell has not come to the last port.
    pub(super) in_network: usize,
    /// The shortest time that a packet takes from its last port to its host.
    shortest_exit: Time,
}

/// A line in one direction.
pub(super) struct Line {
    pub(super) cell_time: Time,
    pub(super) delay: Time,
    pub(super) begin: Begin,
    /// Where its cells wait until they reach the next switch; none: it leads to a host.
    pub(super) lane: Option<u32>,
    /// The timer of its NIC or its port, which then chooses a cell.
    pub(super) choice_timer: u32,
    /// Data cells for the host at its end that may not have arrived yet.
    pub(super) arriving: VecDeque<Arriving>,
    /// RM cells for the host at its end, and the timer of the first arrival.
    pub(super) rms: VecDeque<(Time, Cell)>,
    pub(super) rm_timer: u32,
}

/// The NIC or port at the beginning of a line.
#[allow(clippy::large_enum_variant, reason = "a cell that comes to a port finds it a step sooner")]
pub(super) enum Begin {
    Nic(Nic),
    Port(Port),
}

/// A line as a VC sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    pub(super) line: u32,
    /// The number of the VC among those of its category on the line.
    pub(super) number: u32,
    /// For ABR, the line on which the peer leaves the switch where this hop begins: its port stamps the BRMs about
    /// the peer, which travel here. And the number of the peer there.
    pub(super) stamps: Option<(u32, u32)>,
}

/// What the network does when a timer is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// An RM cell comes to the host at the end of the line.
    DeliverRm(u32),
    /// The cell source of the VC makes a cell.
    MakeCell(u32),
    /// The ABR source of the VC may send.
    Send(u32),
    /// The port of the line chooses a cell.
    Port(u32),
    /// The NIC of the line chooses a cell.
    Nic(u32),
}

/// No timer.
const NO_TIMER: u32 = u32::MAX;

impl Line {
    fn new(config: LineConfig, lane: Option<u32>, vcs: &LineVcs) -> Self {
        let LineConfig { cell_time, delay, .. } = config;
        let begin = match config.port {
            None => Begin::Nic(Nic::default()),
            Some(port) => Begin::Port(Port::new(port, cell_time, vcs.numbers, &vcs.frames)),
        };
        let (arriving, rms) = (VecDeque::new(), VecDeque::new());
        Self { cell_time, delay, begin, lane, choice_timer: NO_TIMER, arriving, rms, rm_timer: NO_TIMER }
    }

    pub(super) fn nic(&mut self) -> &mut Nic {
        match &mut self.begin {
            Begin::Nic(nic) => nic,
            Begin::Port(_) => unreachable!("a VC begins at a NIC"),
        }
    }

    pub(super) fn port(&mut self) -> &mut Port {
        match &mut self.begin {
            Begin::Port(port) => port,
            Begin::Nic(_) => unreachable!("a VC goes on from a port"),
        }
    }
}

impl<P> AtmNetwork<P> {
    /// An empty network at time zero.
    ///
    /// # Errors
    /// If lines and VCs do not fit together; see [`NetworkError`].
    pub fn new(config: NetworkConfig) -> Result<Self, NetworkError> {
        config.check()?;
        let shortest_exit = shortest_exit(&config);
        let (hops, vcs_of_lines) = hops(&config);
        let (lanes_of_lines, lanes) = lanes(&config);
        let line = |(number, line): (usize, LineConfig)| {
            Line::new(line, lanes_of_lines[number], &vcs_of_lines[number])
        };
        let mut lines: Vec<Line> = config.lines.into_iter().enumerate().map(line).collect();
        let mut first_hop = 0;
        let mut vcs = Vec::with_capacity(config.vcs.len());
        for (number, vc) in (0..).zip(config.vcs) {
            let next_hop = first_hop + vc.path.len() as u32;
            vcs.push(Vc::new(number, vc, first_hop));
            first_hop = next_hop;
        }
        let tasks = assign_timers(&mut lines, &mut vcs);
        let mut timers = Tournament::new(tasks.len());
        for vc in &mut vcs {
            match &mut vc.cells {
                Cells::Packets | Cells::Nothing => {}
                Cells::Greedy { start, .. } => timers.set(vc.make_timer, *start),
                Cells::Law(law) => timers.set(vc.make_timer, law.next_cell()),
            }
        }
        let (rms, ring, lanes) = (RmTable::default(), Ring::new(), Lanes::new(lanes));
        Ok(Self { lines, vcs, hops, lanes, timers, tasks, rms, ring, in_network: 0, shortest_exit })
    }

    /// ACR of an ABR VC at the start, cells/s; none of another.
    #[must_use]
    pub fn initial_acr(&self, vc: u32) -> Option<f64> {
        self.vcs[vc as usize].abr.as_ref().map(|abr| abr.initial_acr)
    }

    /// Totals up to `now`, the time of the last advance.
    pub fn counters(&mut self, now: Time) -> NetworkCounters {
        let (mut ports, mut classes) = (Vec::new(), Vec::new());
        for (number, line) in (0..).zip(&mut self.lines) {
            if let Begin::Port(port) = &mut line.begin {
                ports.push((number, port.counters(now)));
                classes.extend(port.classes(now, number));
            }
        }
        let mut vcs: Vec<VcCounters> = self.vcs.iter().map(|vc| vc.counters(now)).collect();
        for cell in self.arriving_after(now) {
            let vc = &mut vcs[cell.vc as usize];
            vc.cells_received -= 1;
            cell.completes.take_from(vc);
        }
        for (counters, vc) in vcs.iter_mut().zip(&self.vcs).filter(|(_, vc)| vc.category == Category::Ubr) {
            let counts = self.entered(vc);
            counters.frames = counts.frames;
            counters.frames_eligible = counts.eligible;
            counters.frames_tagged = counts.tagged;
        }
        NetworkCounters { ports, classes, vcs }
    }

    /// Measures how long cells wait for a line that a switch port feeds; of another line nothing.
    pub fn measure_waits(&mut self, line: u32, waits: Waits) {
        if let Begin::Port(port) = &mut self.lines[line as usize].begin {
            port.measure_waits(waits);
        }
    }

    /// How long cells waited, by line, where it was measured.
    pub fn waits(&self) -> impl Iterator<Item = (u32, &Waits)> {
        (0..).zip(&self.lines).filter_map(|(number, line)| match &line.begin {
            Begin::Port(port) => port.waits().map(|waits| (number, waits)),
            Begin::Nic(_) => None,
        })
    }

    /// The frames of a UBR or GFR VC that reached its first switch; zeros if it passes none.
    fn entered(&self, vc: &Vc<P>) -> FrameCounts {
        let hop = self.hops.get(vc.first_hop as usize + 1).copied();
        let entry = hop.map(|hop| (&self.lines[hop.line as usize].begin, hop.number));
        match entry {
            Some((Begin::Port(port), number)) if vc.hops > 1 => port.frame_counts(number),
            _ => FrameCounts::default(),
        }
    }

    /// The data cells that have a time of arrival at a host, but later than `now`.
    fn arriving_after(&self, now: Time) -> impl Iterator<Item = &Arriving> {
        let arriving = self.lines.iter().flat_map(|line| &line.arriving);
        arriving.filter(move |cell| cell.at > now)
    }

    /// Data cells of each VC between its NIC and its destination at `now`, counted one by one.
    #[must_use]
    pub fn cells_on_way(&self, now: Time) -> Vec<u64> {
        let mut cells = vec![0; self.vcs.len()];
        let waiting = self.lines.iter().filter_map(|line| match &line.begin {
            Begin::Port(port) => Some(port.waiting()),
            Begin::Nic(_) => None,
        });
        let in_flight = self.lanes.cells().map(|flying| &flying.cell);
        for cell in in_flight.chain(waiting.flatten()).filter(|cell| cell.kind.is_data()) {
            cells[cell.vc as usize] += 1;
        }
        self.arriving_after(now).for_each(|cell| cells[cell.vc as usize] += 1);
        cells
    }

    /// Packets in the network.
    pub(crate) fn packets(&self) -> usize {
        self.in_network + self.ring.len()
    }

    /// Takes out a packet that has arrived by `now`, the time of the last advance.
    pub(crate) fn receive(&mut self, now: Time) -> Option<Packet<P>> {
        self.ring.pop_until(now)
    }

    /// The head of the ring, or the earliest time at which another packet could arrive: the next
    /// event would have to be the arrival of its last cell at an idle last port.
    pub(crate) fn next_event(&self) -> Time {
        let arrives = self.ring.next_arrival();
        if self.in_network == 0 {
            return arrives;
        }
        let next = self.lanes.next_arrival().min(self.timers.first_time());
        arrives.min(next.saturating_add(self.shortest_exit))
    }

    /// Takes a packet of the host `packet.from`, which is the number of its VC.
    pub(crate) fn send(&mut self, now: Time, packet: Packet<P>, watch: &mut impl Watch<P, AtmEvent>) {
        self.advance(now, watch);
        self.in_network += 1;
        let (number, cells) = (packet.from.0, aal5::cells(packet.bytes));
        let vc = &mut self.vcs[number as usize];
        vc.offer(packet, cells);
        self.offer(now, number, cells);
    }
}

/// The shortest time that a cell of a packet takes over its last line.
fn shortest_exit(config: &NetworkConfig) -> Time {
    let vcs = config.vcs.iter().filter(|vc| matches!(vc.cells, Cells::Packets));
    let last = vcs.filter_map(|vc| config.lines.get(*vc.path.last()? as usize));
    last.map(|line| line.cell_time.saturating_add(line.delay)).min().unwrap_or(Time::NEVER)
}

/// The tasks by the numbers of their timers, which are noted where they are needed. Of tasks that are due at the same
/// time, the one with the smallest number comes first.
fn assign_timers<P>(lines: &mut [Line], vcs: &mut [Vc<P>]) -> Vec<Task> {
    let mut tasks = Vec::new();
    let mut place = |due| {
        tasks.push(due);
        tasks.len() as u32 - 1
    };
    for (number, line) in (0..).zip(lines.iter_mut()).filter(|(_, line)| line.lane.is_none()) {
        line.rm_timer = place(Task::DeliverRm(number));
    }
    for (number, vc) in (0..).zip(vcs.iter_mut()) {
        if matches!(vc.cells, Cells::Greedy { .. } | Cells::Law(_)) {
            vc.make_timer = place(Task::MakeCell(number));
        }
    }
    for (number, vc) in (0..).zip(vcs.iter_mut()).filter(|(_, vc)| vc.abr.is_some()) {
        vc.send_timer = place(Task::Send(number));
    }
    for (number, line) in (0..).zip(lines.iter_mut()) {
        match &line.begin {
            Begin::Port(port) if port.is_scheduled() => line.choice_timer = place(Task::Port(number)),
            Begin::Port(_) => {}
            Begin::Nic(_) => line.choice_timer = place(Task::Nic(number)),
        }
    }
    tasks
}

/// The VCs on a line: how many of each category, and those of UBR and GFR.
#[derive(Clone, Default)]
struct LineVcs {
    numbers: [u32; 3],
    frames: Vec<FrameVc>,
}

/// The hops of all VCs, and the VCs of each line.
fn hops(config: &NetworkConfig) -> (Vec<Hop>, Vec<LineVcs>) {
    let mut vcs_of_lines = vec![LineVcs::default(); config.lines.len()];
    let mut hops = Vec::new();
    let mut first_hops = Vec::new();
    for vc in &config.vcs {
        first_hops.push(hops.len());
        let (service, category) = (vc.service, vc.service.category());
        for (at, &line) in vc.path.iter().enumerate() {
            let vcs = &mut vcs_of_lines[line as usize];
            let number = &mut vcs.numbers[category as usize];
            hops.push(Hop { line, number: *number, stamps: None });
            *number += 1;
            if category == Category::Ubr {
                vcs.frames.push(FrameVc { service, enters: at == 1 });
            }
        }
    }
    let abr = |vc: &&super::VcConfig| vc.service.category() == Category::Abr;
    for (vc, first) in config.vcs.iter().zip(&first_hops).filter(|(vc, _)| abr(vc)) {
        let peer = &config.vcs[vc.peer as usize];
        for hop in 1..vc.path.len() {
            let switch = config.lines[vc.path[hop] as usize].from;
            let meets = |&hop: &usize| config.lines[peer.path[hop] as usize].from == switch;
            if let Some(at) = (1..peer.path.len()).find(meets) {
                let Hop { line, number, .. } = hops[first_hops[vc.peer as usize] + at];
                hops[first + hop].stamps = Some((line, number));
            }
        }
    }
    (hops, vcs_of_lines)
}

/// The lane of each line, none for one that leads to a host, and how many lanes there are. Lines from NICs that cells
/// cross in the same time share one.
fn lanes(config: &NetworkConfig) -> (Vec<Option<u32>>, usize) {
    let crossing = |line: &LineConfig| line.cell_time.saturating_add(line.delay);
    let mut leads_on = vec![false; config.lines.len()];
    for vc in &config.vcs {
        vc.path[..vc.path.len() - 1].iter().for_each(|&line| leads_on[line as usize] = true);
    }
    let lines = || config.lines.iter().zip(&leads_on);
    let from_nics = lines().filter(|(line, leads_on)| line.port.is_none() && **leads_on);
    let mut crossings: Vec<Time> = from_nics.map(|(line, _)| crossing(line)).collect();
    crossings.sort_unstable();
    crossings.dedup();
    let mut lanes = crossings.len();
    let lane = |(line, leads_on): (&LineConfig, &bool)| {
        if !leads_on {
            return None;
        }
        if line.port.is_none() {
            return crossings.binary_search(&crossing(line)).ok().map(|lane| lane as u32);
        }
        lanes += 1;
        Some(lanes as u32 - 1)
    };
    (lines().map(lane).collect(), lanes)
}
