//! Which cell goes first, worked out by hand.

use atm::abr::AbrConfig;
use atm::erica::RateControlConfig;
use atm::network::{Category, Cells, ClassCounters, Service, SwitchPort};
use base::Time;
use sim::HostId;

use crate::support::{Happened, Link, Log, Plan, Script, Scripted, cells_at, counters, endless, us, world};

fn port() -> SwitchPort {
    endless(RateControlConfig::None)
}

/// A world in which VC 2n goes from host n to the last host, over a switch; its packets are those of script n, and
/// a cell takes as long on each line as the plan says.
fn star(lines: &[Time], to_last: Time, vcs: Vec<(Service, Cells)>, scripts: &[Vec<(Time, u32)>]) -> Link {
    let last = lines.len() as u32;
    let mut plan = Plan::new(last + 1, 1);
    for (host, &cell_time) in (0..).zip(lines) {
        plan.between(host, last + 1, cell_time, us(5), port);
    }
    plan.between(last, last + 1, to_last, us(100), port);
    assert!(scripts.len() <= vcs.len());
    let vcs = (0..).zip(vcs).map(|(n, (service, cells))| (n % last, last, service, cells));
    plan.vcs = vcs.collect();
    plan.link()
}

/// Scripts for VC 0, 2, 4 and so on; VCs with odd numbers send nothing.
fn run(link: Link, packets: &[Vec<(Time, u32)>], until: Time) -> sim::World<Scripted, Log> {
    let to = HostId(1);
    let both = |packets: &Vec<(Time, u32)>| {
        [Script { to, packets: packets.clone() }, Script { to, packets: Vec::new() }]
    };
    let mut world = world(link, &packets.iter().flat_map(both).collect::<Vec<_>>());
    world.advance_to(until);
    world
}

fn delivered(world: &sim::World<Scripted, Log>) -> Vec<(Time, u32, u32)> {
    let delivered = |happened: &(Time, Happened)| match happened.1 {
        Happened::Delivered(from, number) => Some((happened.0, from.0, number)),
        _ => None,
    };
    world.observer().happened.iter().filter_map(delivered).collect()
}

fn sent(world: &sim::World<Scripted, Log>) -> Vec<(Time, u32)> {
    let sent = |happened: &(Time, Happened)| match happened.1 {
        Happened::CellSent(vc, _) => Some((happened.0, vc)),
        _ => None,
    };
    world.observer().happened.iter().filter_map(sent).collect()
}

/// 23 cells. The first has left the NIC after 2 us and arrives after 7; the others come 2 us apart, so that the port,
/// 10 us a cell, is never idle and has sent the last one at 7 + 230 us; 100 us later it is there.
#[test]
fn a_lone_frame_arrives_when_its_last_cell_does() {
    let scripts = [vec![(Time::ZERO, 1064)]];
    let link = star(&[us(2)], us(10), vec![(Service::Ubr, Cells::Packets)], &scripts);
    let mut world = run(link, &scripts, us(1000));
    assert_eq!(delivered(&world), [(us(7 + 230 + 100), 0, 0)]);
    let counters = counters(&mut world, us(1000));
    let class = counters.classes.iter().find(|class| class.cells_offered > 0).expect("a class");
    assert_eq!((class.category, class.cells_carried, class.cells_lost), (Category::Ubr, 23, 0));
    // Cell n of 0..23 arrives at 7 + 2n and has left at 7 + 10 (n + 1): sum of 10 + 8n.
    assert_eq!(class.queued_ps, u128::from(us(23 * 10 + 8 * 253).as_ps()));
    // When the last comes, at 51 us, four have left.
    assert_eq!(class.max_queued, 19);
}

/// One NIC, a cell a microsecond. UBR has 5 cells from 0 on; VBR has one at 1 us, which is chosen at the end of the
/// first of UBR, and two at 2 us.
#[test]
fn a_nic_sends_vbr_before_ubr_and_interrupts_no_cell() {
    let vcs =
        vec![(Service::Ubr, cells_at(vec![us(0); 5])), (Service::Vbr, cells_at(vec![us(1), us(2), us(2)]))];
    let scripts = [vec![], vec![]];
    let link = star(&[us(1)], us(1), vcs, &scripts);
    let world = run(link, &scripts, us(1000));
    let order: Vec<u32> = sent(&world).iter().map(|cell| cell.1).collect();
    assert_eq!(order, [0, 2, 2, 2, 0, 0, 0, 0]);
    let times: Vec<Time> = sent(&world).iter().map(|cell| cell.0).collect();
    assert_eq!(times, (0..8).map(us).collect::<Vec<_>>());
}

/// Three NICs and a port of 4 us a cell. Cells of UBR come at 6 (the first is sent until 10), 7 and 8 us, one of VBR at
/// 10 us: it goes before those that came earlier.
#[test]
fn a_port_chooses_after_what_arrives_at_the_same_time() {
    let vcs =
        vec![(Service::Ubr, cells_at(vec![us(0), us(1), us(2)])), (Service::Vbr, cells_at(vec![us(4)]))];
    let scripts = [vec![], vec![]];
    let link = star(&[us(1), us(1)], us(4), vcs, &scripts);
    let mut world = run(link, &scripts, us(9));
    // At 9 us three are queued, of which one is being sent.
    let class = |world: &mut _, at, category| {
        let classes = counters(world, at).classes;
        let of = |class: &ClassCounters| class.line == 5 && class.category == category;
        classes.into_iter().find(of).expect("a class of the line from the switch to the last host")
    };
    let queued =
        |world: &mut _, at| (class(world, at, Category::Vbr).queued, class(world, at, Category::Ubr).queued);
    assert_eq!(queued(&mut world, us(9)), (0, 3));
    world.advance_to(us(13));
    assert_eq!(queued(&mut world, us(13)), (1, 2));
    world.advance_to(us(14));
    assert_eq!(queued(&mut world, us(14)), (0, 2));
    world.advance_to(us(1000));
    // VBR is there from 10 to 14.
    let vbr = class(&mut world, us(1000), Category::Vbr);
    assert_eq!((vbr.max_queued, vbr.queued_ps), (1, u128::from(us(4).as_ps())));
}

/// Four VCs on one NIC, all allowed to send 125 000 cells/s, a cell each 8 us; a cell takes 1 us. All begin at 0, so
/// they go by their numbers, and each again 8 us after its own cell.
#[test]
fn abr_vcs_share_a_nic_in_the_order_in_which_they_may_send() {
    let abr = AbrConfig::osu(125_000.0, 125_000.0, us(200));
    let greedy = || Cells::Greedy { start: Time::ZERO, stop: us(20) };
    let vcs = (0..4).map(|_| (Service::Abr(abr), greedy())).collect();
    let scripts = [vec![], vec![], vec![], vec![]];
    let link = star(&[us(1)], us(1), vcs, &scripts);
    // Before the first cells come to their destination.
    let world = run(link, &scripts, us(100));
    let forward: Vec<(Time, u32)> = sent(&world).into_iter().filter(|cell| cell.1 % 2 == 0).collect();
    let cell = |n: u64| (us(n / 4 * 8 + n % 4), n as u32 % 4 * 2);
    assert_eq!(forward, (0..12).map(cell).collect::<Vec<_>>());
}

/// What the NIC has of UBR goes out while ABR may not send.
#[test]
fn ubr_fills_what_abr_leaves() {
    let abr = AbrConfig::osu(250_000.0, 250_000.0, us(200));
    let vcs = vec![
        (Service::Abr(abr), Cells::Greedy { start: us(1), stop: us(15) }),
        (Service::Ubr, cells_at(vec![us(0); 20])),
    ];
    let scripts = [vec![], vec![]];
    let link = star(&[us(1)], us(1), vcs, &scripts);
    let world = run(link, &scripts, us(20));
    let order: Vec<u32> = sent(&world).iter().map(|cell| cell.1).filter(|vc| vc % 2 == 0).collect();
    assert_eq!(order[..16], [2, 0, 2, 2, 2, 0, 2, 2, 2, 0, 2, 2, 2, 0, 2, 2]);
}

/// Buffers of the categories are apart: VBR overflows where ABR has room.
#[test]
fn a_category_fills_its_own_buffer_only() {
    let burst = || cells_at(vec![us(0); 10]);
    let mut plan = Plan::new(3, 1);
    let port = || SwitchPort { vbr_buffer: Some(2), ..port() };
    plan.between(0, 3, us(1), us(5), port);
    plan.between(1, 3, us(1), us(5), port);
    plan.between(2, 3, us(10), us(5), port);
    let abr = Service::Abr(AbrConfig::osu(1e6, 1e6, us(200)));
    plan.vcs = vec![(0, 2, Service::Vbr, burst()), (1, 2, abr, burst())];
    let mut world = run(plan.link(), &[vec![], vec![]], us(10_000));
    let counters = counters(&mut world, us(10_000));
    let lost = |category| {
        counters
            .classes
            .iter()
            .filter(|class| class.category == category)
            .map(|class| class.cells_lost)
            .sum::<u64>()
    };
    // VBR cells come at 6, 7 .. 15 us. The port is taken by the first of them until 16.
    assert_eq!((lost(Category::Vbr), lost(Category::Abr)), (8, 0));
    assert_eq!(counters.vcs[0].cells_lost, 8);
    assert_eq!(counters.vcs[2].cells_received, 10);
}
