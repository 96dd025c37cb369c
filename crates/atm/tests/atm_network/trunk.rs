//! A network of one switch with one port, against the trunk between two switches that has the fast port in it.
//!
//! The conventions of time are the same but for one: of cells that come together the trunk takes that first whose frame
//! was offered first, the network that from the NIC with the smaller number. So here no two cells come together: VC n
//! sends when the time is n modulo the access link's cell time. Half of the ports have a scheduler, which must do what
//! a FIFO does if there is one category to choose from.

use atm::erica::RateControlConfig;
use atm::network::{
    AtmNetwork, Cells, LineConfig, NetworkConfig, Paths, Service, SwitchPort, UbrQueueing, VcConfig,
};
use atm::{AtmLink, CellAccess, CellTrunk, Eom, FRAME_POLICIES, FramePolicy, PortConfig};
use base::Time;
use proptest::prelude::*;
use sim::HostId;
use sim::rng::Streams;

use crate::support::{Happened, Link, Script, world};

#[derive(Clone, Debug)]
struct Input {
    policy: usize,
    eom: Eom,
    buffer: u32,
    r: u32,
    z_ppm: u32,
    cell_time: u64,
    senders: u32,
    /// Whether the port has VCs of another category too, which send nothing, and so a scheduler.
    scheduled: bool,
    /// (pause since the packet before, sender, cells)
    packets: Vec<(u64, u32, u32)>,
}

/// Time to send a cell on an access link, ps: more than there are senders.
const ACCESS: u64 = 7;
const DELAY: u64 = 20;

prop_compose! {
    fn inputs()(
        policy in 0..FRAME_POLICIES.len(),
        eom in prop_oneof![Just(Eom::Keep), Just(Eom::Drop)],
        buffer in 1u32..40,
        r_percent in 0u32..100,
        z_ppm in 1u32..=1_000_000,
        cell_time in 1u64..15,
        senders in 1u32..6,
        scheduled: bool,
        packets in prop::collection::vec((0u64..30, 0u32..6, 1u32..12), 1..80),
    ) -> Input {
        let packets = packets.into_iter().map(|(pause, sender, cells)| (pause, sender % senders, cells)).collect();
        let r = buffer * r_percent / 100;
        Input { policy, eom, buffer, r, z_ppm, cell_time, senders, scheduled, packets }
    }
}

impl Input {
    fn policy(&self) -> Box<dyn FramePolicy> {
        let kind = &FRAME_POLICIES[self.policy];
        let value = |name: &&str| if name.ends_with("_ppm") { self.z_ppm } else { self.r };
        (kind.make)(&kind.parameters.iter().map(value).collect::<Vec<_>>())
    }

    /// Host 0 receives; host n + 1 is sender n.
    fn scripts(&self) -> Vec<Script> {
        let none = Script { to: HostId(0), packets: Vec::new() };
        let mut scripts = vec![none; self.senders as usize + 1];
        let mut now = 0;
        for &(pause, sender, cells) in &self.packets {
            now += pause;
            let at = now.div_ceil(ACCESS) * ACCESS + u64::from(sender);
            // 40 bytes less than fill the cells: LLC/SNAP, trailer, padding.
            scripts[sender as usize + 1].packets.push((Time::from_ps(at), cells * 48 - 40));
        }
        scripts
    }

    fn trunk(&self) -> Link {
        let port = PortConfig {
            cell_time: Time::from_ps(self.cell_time),
            buffer: self.buffer,
            policy: self.policy(),
            eom: self.eom,
        };
        let access = CellAccess { cell_time: Time::from_ps(ACCESS), delay: Time::from_ps(DELAY) };
        let vcs = [u32::MAX].into_iter().chain(0..self.senders).collect();
        CellTrunk::new(port, Time::from_ps(100), access, self.senders as usize, vcs).into()
    }

    fn network(&self) -> Link {
        let switch = self.senders + 1;
        let line = |from, to, cell_time, delay, port| LineConfig {
            from,
            to,
            cell_time: Time::from_ps(cell_time),
            delay: Time::from_ps(delay),
            cost: 1,
            port,
        };
        let port = SwitchPort {
            vbr_buffer: Some(0),
            abr_buffer: Some(0),
            ubr_buffer: Some(self.buffer),
            ubr_share_ppb: 0,
            ubr_queueing: UbrQueueing::Fifo,
            draws: Streams::new(0).named("dfba/0"),
            policy: self.policy(),
            eom: self.eom,
            rate_control: RateControlConfig::None,
        };
        let mut lines: Vec<_> =
            (0..=self.senders).map(|from| line(from, switch, ACCESS, DELAY, None)).collect();
        // The trunk and the access link behind it, on which nothing queues.
        lines.push(line(switch, 0, self.cell_time, 100 + ACCESS + DELAY, Some(port)));
        let paths = Paths::new(switch, 1, &lines);
        // Host 0 has a VC by its number, and sends nothing.
        let path = |vc: u32| if vc == 0 { vec![1, switch] } else { paths.find(vc, 0).expect("a path") };
        let vc = |vc| VcConfig { path: path(vc), peer: vc, service: Service::Ubr, cells: Cells::Packets };
        let mut vcs: Vec<VcConfig> = (0..=self.senders).map(vc).collect();
        if self.scheduled {
            vcs.push(VcConfig { path: path(1), peer: 0, service: Service::Vbr, cells: Cells::Nothing });
        }
        AtmNetwork::new(NetworkConfig { lines, vcs }).expect("a network").into()
    }
}

/// What becomes of the packets, when and why, and what the port counts. With a scheduler it is known later that a
/// packet will arrive, or will not because of another's remains; only the arrivals have their times then.
fn fates(
    link: Link,
    scripts: &[Script],
    until: Time,
    scheduled: bool,
) -> (Vec<(Time, Happened)>, atm::PortCounters) {
    let mut world = world(link, scripts);
    world.advance_to(until);
    let Some(Link::Component(component)) = world.links_mut().next() else { panic!("a world of a component") };
    let counters = match &mut **component {
        AtmLink::Network(network) => network.counters(until).ports[0].1,
        AtmLink::Trunk(trunk) => trunk.counters(until),
    };
    let happened = world.into_observer().happened;
    let fate = |(at, happened): (Time, Happened)| match happened {
        Happened::Crossing(..) | Happened::Dropped(..) if scheduled => Some((Time::NEVER, happened)),
        Happened::Crossing(..) | Happened::Dropped(..) | Happened::Delivered(..) => Some((at, happened)),
        _ => None,
    };
    let mut fates: Vec<_> = happened.into_iter().filter_map(fate).collect();
    // A link reports in order, but may report later than the hosts.
    fates.sort_by_key(|(at, happened)| (*at, scheduled.then(|| format!("{happened:?}"))));
    (fates, counters)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn one_port_loses_and_carries_what_the_trunk_does(input in inputs()) {
        let scripts = input.scripts();
        let until = Time::from_ps(100_000);
        // A policy that weighs VCs has a scheduler, too. Its thresholds are one here, and so it draws nothing.
        let scheduled = input.scheduled || input.policy().needs_contracts();
        let network = fates(input.network(), &scripts, until, scheduled);
        let trunk = fates(input.trunk(), &scripts, until, scheduled);
        prop_assert_eq!(network, trunk);
    }
}
