//! Rates on the line: an ABR VC does not exceed its ACR, and the network gives it one.

use atm::abr::AbrConfig;
use atm::erica::{Efci, EricaConfig, RateControlConfig};
use atm::network::{Category, Cells, Service};
use base::Time;
use proptest::prelude::*;

use crate::support::{Happened, Plan, cells_at, counters, endless, network, us, world};

/// A bucket of one cell that fills at ACR. Between any two instants at most the integral of ACR passes, and a cell.
struct Policer {
    acr: f64,
    credit: f64,
    since: Time,
}

/// Times are whole picoseconds, and rates 1e6 cells/s at most: what rounding of times is worth, in cells.
const TOLERANCE: f64 = 1e-5;

impl Policer {
    fn pass_time(&mut self, now: Time) {
        self.credit = (self.credit + self.acr * (now - self.since).as_ps() as f64 / 1e12).min(1.0);
        self.since = now;
    }

    fn has_no_objection(&mut self, now: Time) -> bool {
        self.pass_time(now);
        self.credit -= 1.0;
        self.credit >= -TOLERANCE
    }
}

/// Two switches, `vcs` ABR VCs from as many hosts on the one to a host on the other, or all from one host.
fn plan(vcs: &[(u32, bool)], from_one: bool, interval: u64, stop: Time) -> Plan {
    let senders = if from_one { 1 } else { vcs.len() as u32 };
    let mut plan = Plan::new(senders + 1, 2);
    let erica = EricaConfig { interval_cells: 30, interval: us(interval), ..EricaConfig::OSU };
    let port = || endless(RateControlConfig::Erica(erica));
    let (left, right) = (senders + 1, senders + 2);
    for host in 0..senders {
        plan.between(host, left, us(3), us(10), port);
    }
    plan.between(left, right, us(10), us(200), port);
    plan.between(right, senders, us(3), us(10), port);
    // MCR is above TCR, so that all cells are in rate.
    let vc = |(number, &(icr, greedy)): (u32, &(u32, bool))| {
        let abr = AbrConfig { mcr: 50.0, ..AbrConfig::osu(333_000.0, f64::from(icr), us(500)) };
        let cells = if greedy {
            Cells::Greedy { start: us(u64::from(number)), stop }
        } else {
            cells_at((0..2000).map(|n| us(n / 20 * 400)).collect())
        };
        (if from_one { 0 } else { number }, senders, Service::Abr(abr), cells)
    };
    plan.vcs = (0..).zip(vcs).map(vc).collect();
    plan
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Measured where cells begin to leave the NIC; where they end to leave it is a cell time later, for all of them
    /// alike.
    #[test]
    fn no_abr_vc_exceeds_its_acr_on_the_line(
        vcs in prop::collection::vec((500u32..333_000, any::<bool>()), 1..6),
        from_one: bool,
        interval in 50u64..2000,
    ) {
        let mut world = world(plan(&vcs, from_one, interval, us(100_000)).link(), &[]);
        let mut policers: Vec<Policer> = (0..2 * vcs.len() as u32)
            .map(|vc| network(&mut world).initial_acr(vc).expect("ABR"))
            .map(|acr| Policer { acr, credit: 1.0, since: Time::ZERO })
            .collect();
        world.advance_to(us(100_000));
        let mut cells = 0;
        for &(at, ref happened) in &world.observer().happened {
            match *happened {
                Happened::CellSent(vc, _) => {
                    cells += 1;
                    prop_assert!(policers[vc as usize].has_no_objection(at), "VC {vc} at {at}");
                }
                Happened::Acr(vc, acr) => {
                    let policer = &mut policers[vc as usize];
                    policer.pass_time(at);
                    policer.acr = acr;
                }
                _ => {}
            }
        }
        prop_assert!(cells > 100);
    }
}

/// One to four greedy VCs share a line of 100 000 cells/s. ERICA+ fills it, loses nothing, keeps its target delay of
/// 500 us within a factor, and gives each VC the same.
#[test]
fn greedy_vcs_share_a_line_evenly() {
    for vcs in 1..=4 {
        let all: Vec<(u32, bool)> = (0..vcs).map(|number| (10_000 + 20_000 * number, true)).collect();
        let mut world = world(plan(&all, false, 1000, Time::NEVER).link(), &[]);
        let (half, end) = (us(500_000), us(1_000_000));
        world.advance_to(half);
        let before = counters(&mut world, half);
        world.advance_to(end);
        let after = counters(&mut world, end);
        let sent = |vc: usize| after.vcs[2 * vc].cells_sent - before.vcs[2 * vc].cells_sent;
        // 50 000 cells of the line, 31 of 32 of them data.
        let total: u64 = (0..vcs as usize).map(sent).sum();
        assert!((47_500..=48_600).contains(&total), "{vcs} VCs: {total}");
        for vc in 0..vcs as usize {
            let share = sent(vc) as f64 * f64::from(vcs) / total as f64;
            assert!((0.97..=1.03).contains(&share), "{vcs} VCs: VC {vc} has {share} of its share");
        }
        let classes = after.classes.iter().zip(&before.classes);
        let waited = |(after, before): (&atm::network::ClassCounters, &atm::network::ClassCounters)| {
            assert_eq!((after.category, after.cells_lost), (Category::Abr, 0));
            (after.queued_ps - before.queued_ps) as f64 / (half.as_ps() as f64)
        };
        let longest = classes.map(waited).fold(0.0, f64::max);
        // The target is 500 us, 50 cells.
        assert!((10.0..=100.0).contains(&longest), "{vcs} VCs: {longest} cells queued on average");
    }
}

/// Without explicit rates: data cells that find more than 100 cells are marked, the destination sets CI, and the source
/// goes down by a sixteenth for each such BRM, and up by a sixteenth of PCR for each other.
#[test]
fn efci_comes_back_as_congestion_indication() {
    let mut plan = Plan::new(3, 2);
    let port = || endless(RateControlConfig::Efci(Efci { threshold: 100 }));
    for (a, b, cell_time) in [(0, 3, us(3)), (1, 3, us(3)), (3, 4, us(10)), (4, 2, us(3))] {
        plan.between(a, b, cell_time, us(50), port);
    }
    let abr = Service::Abr(AbrConfig { icr: 20_000.0, ..AbrConfig::tm40(333_000.0, us(300)) });
    let greedy = || Cells::Greedy { start: Time::ZERO, stop: Time::NEVER };
    plan.vcs = vec![(0, 2, abr, greedy()), (1, 2, abr, greedy())];
    let mut world = world(plan.link(), &[]);
    world.advance_to(us(1_000_000));
    let acr = |vc| {
        let acr = move |happened: &(Time, Happened)| match happened.1 {
            Happened::Acr(of, acr) if of == vc => Some(acr),
            _ => None,
        };
        world.observer().happened.iter().filter_map(acr).collect::<Vec<f64>>()
    };
    for vc in [0, 2] {
        let acr = acr(vc);
        let steps = || acr.windows(2).map(|pair| (pair[0], pair[1]));
        let ups = steps().filter(|(before, after)| after > before);
        let downs = steps().filter(|(before, after)| after < before);
        assert!(ups.clone().count() > 10 && downs.clone().count() > 10);
        assert!(ups.clone().all(|(before, after)| after == (before + 333_000.0 / 16.0).min(333_000.0)));
        assert!(downs.clone().all(|(before, after)| after == before - before / 16.0));
    }
    let classes = counters(&mut world, us(1_000_000)).classes;
    let trunk = classes.iter().find(|class| class.line == 4).expect("the trunk");
    // It is busy but for the beginning and where both go down at once, and the queue has an end.
    assert!(trunk.cells_carried > 94_000 && (101..2_000).contains(&trunk.max_queued), "{trunk:?}");
}

/// Both ways ACR begins at 0. Only out-of-rate cells can leave then: the FRM of VC 0, its BRM on VC 1, and an FRM of VC
/// 1. Without the second the two would wait for each other for ever.
#[test]
fn a_pair_without_a_rate_gets_one() {
    let mut plan = plan(&[(0, true)], false, 1000, Time::NEVER);
    for vc in &mut plan.vcs {
        if let Service::Abr(abr) = &mut vc.2 {
            abr.mcr = 0.0;
        }
    }
    let mut world = world(plan.link(), &[]);
    assert_eq!([0, 1].map(|vc| network(&mut world).initial_acr(vc)), [Some(0.0); 2]);
    world.advance_to(us(400_000));
    let before = counters(&mut world, us(400_000)).vcs[0].cells_sent;
    world.advance_to(us(500_000));
    let after = counters(&mut world, us(500_000)).vcs[0].cells_sent;
    // A tenth of a second of 100 000 cells/s, less what RM cells take.
    assert!(after - before > 9_000, "{}", after - before);
}

/// A line from host to host is a network too.
#[test]
fn two_hosts_need_no_switch() {
    let mut plan = Plan::new(2, 0);
    plan.between(0, 1, us(10), us(100), || endless(RateControlConfig::None));
    let abr = AbrConfig::osu(100_000.0, 50_000.0, us(220));
    plan.vcs = vec![(0, 1, Service::Abr(abr), Cells::Greedy { start: Time::ZERO, stop: us(100_000) })];
    let mut world = world(plan.link(), &[]);
    world.advance_to(us(200_000));
    let vcs = counters(&mut world, us(200_000)).vcs;
    assert_eq!(vcs[0].cells_sent, vcs[0].cells_received);
    assert_eq!(vcs[0].frms_sent, vcs[0].brms_received);
    // The first BRM raises ACR to the rate of the line.
    assert!((9_600..=9_700).contains(&vcs[0].cells_sent), "{}", vcs[0].cells_sent);
}
