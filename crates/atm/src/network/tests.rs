//! What must hold inside a network and cannot be seen from outside.

use super::*;
use crate::abr::AbrConfig;
use crate::erica::{EricaConfig, RateControlConfig};
use crate::{Eom, Tail};
use base::Time;
use sim::rng::Streams;

/// Hosts 0 to 2 at switch 3, host 4 at switch 5; 10 us a cell between the switches, 1 us elsewhere.
fn lines(rate_control: RateControlConfig) -> Vec<LineConfig> {
    let port = || SwitchPort {
        vbr_buffer: None,
        abr_buffer: None,
        ubr_buffer: None,
        ubr_share_ppb: 0,
        ubr_queueing: UbrQueueing::Fifo,
        draws: Streams::new(0).named("dfba/0"),
        policy: Box::new(Tail),
        eom: Eom::Keep,
        rate_control,
    };
    let mut lines = Vec::new();
    for (a, b, cell_us) in [(0, 3, 1), (1, 3, 1), (2, 3, 1), (3, 5, 10), (5, 4, 1)] {
        for (from, to) in [(a, b), (b, a)] {
            let port = matches!(from, 3 | 5).then(port);
            let (cell_time, delay) = (Time::from_us(cell_us), Time::from_us(50));
            lines.push(LineConfig { from, to, cell_time, delay, cost: 1, port });
        }
    }
    lines
}

/// VC 2n from host n to host 4, and VC 2n + 1 back.
fn config(services: [Service; 3], stop: Time) -> NetworkConfig {
    let mut vcs = Vec::new();
    for (host, service) in (0..).zip(services) {
        let cells = if service.category() == Category::Abr {
            Cells::Greedy { start: Time::ZERO, stop }
        } else {
            Cells::Packets
        };
        vcs.push(VcConfig { path: vec![2 * host, 6, 8], peer: 2 * host + 1, service, cells });
        let back = vec![9, 7, 2 * host + 1];
        vcs.push(VcConfig { path: back, peer: 2 * host, service, cells: Cells::Nothing });
    }
    NetworkConfig { lines: lines(RateControlConfig::Erica(EricaConfig::OSU)), vcs }
}

fn abr() -> Service {
    Service::Abr(AbrConfig::osu(400_000.0, 100_000.0, Time::from_us(400)))
}

fn look(network: &mut AtmNetwork<()>, until: Time) {
    network.advance(until, &mut ());
}

/// RM cells at ports, on lines and waiting for NICs.
fn rm_cells(network: &AtmNetwork<()>) -> usize {
    let flying = network.lanes.cells().map(|flying| &flying.cell);
    let on_lines = flying.filter(|cell| !cell.kind.is_data()).count();
    let to_hosts: usize = network.lines.iter().map(|line| line.rms.len()).sum();
    let waiting = network.vcs.iter().filter_map(|vc| vc.abr.as_ref()?.brm).count();
    on_lines + to_hosts + waiting
}

/// Contents of RM cells are kept as long as the cells are there, and the queue of a FIFO is what has a time to leave
/// it.
#[test]
fn every_rm_cell_has_its_contents_and_every_queued_cell_its_time() {
    let mut network = AtmNetwork::new(config([abr(); 3], Time::from_ms(20))).expect("a network");
    let mut most = 0;
    for step in 0..400 {
        let now = Time::from_us(97 * step);
        look(&mut network, now);
        assert_eq!(network.rms.kept(), rm_cells(&network));
        let trunk =
            network.counters(now).classes.iter().find(|class| class.line == 6).map(|class| class.queued);
        let lane = network.lines[6].lane.expect("it leads to a switch");
        let leaves_later = |arrives: Time| arrives > now + network.lines[6].delay;
        let queued = network.lanes.lane(lane).filter(|flying| leaves_later(flying.arrives)).count();
        assert_eq!(trunk, Some(queued as u32));
        most = most.max(queued);
    }
    assert!(most > 20);
    look(&mut network, Time::from_secs(2));
    // All that was sent has come back, but for the last BRM of a VC without cells of its own to send.
    assert_eq!(network.rms.kept(), rm_cells(&network));
    assert!(rm_cells(&network) <= 6);
}

/// Three hosts have equally long lines, so their cells stand in one lane; each direction between the switches has its
/// own.
#[test]
fn equally_long_lines_from_hosts_share_a_lane() {
    let network: AtmNetwork<()> = AtmNetwork::new(config([abr(); 3], Time::ZERO)).expect("a network");
    let lanes: Vec<_> = network.lines.iter().map(|line| line.lane).collect();
    let (hosts, there, back) = (Some(0), Some(1), Some(2));
    assert_eq!(lanes, [hosts, None, hosts, None, hosts, None, there, back, None, hosts]);
}

#[test]
fn inconsistent_networks_are_refused() {
    let error = |change: fn(&mut NetworkConfig)| {
        let mut config = config([abr(), Service::Ubr, Service::Vbr], Time::NEVER);
        change(&mut config);
        AtmNetwork::<()>::new(config).err()
    };
    assert_eq!(error(|_| {}), None);
    assert_eq!(
        error(|config| config.lines[4].cell_time = Time::ZERO),
        Some(NetworkError::CellTime { line: 4 })
    );
    assert_eq!(error(|config| config.vcs[2].path = vec![2, 8]), Some(NetworkError::Path { vc: 2 }));
    assert_eq!(error(|config| config.vcs[2].path = vec![2, 6]), Some(NetworkError::Path { vc: 2 }));
    assert_eq!(error(|config| config.vcs[2].path = vec![6, 8]), Some(NetworkError::Path { vc: 2 }));
    assert_eq!(error(|config| config.vcs[2].path.clear()), Some(NetworkError::Path { vc: 2 }));
    assert_eq!(error(|config| config.vcs[0].peer = 3), Some(NetworkError::Peer { vc: 0 }));
    assert_eq!(error(|config| config.vcs[1].peer = 99), Some(NetworkError::Peer { vc: 0 }));
    assert_eq!(error(|config| config.vcs[1].service = Service::Ubr), Some(NetworkError::Peer { vc: 0 }));
    let greedy = Cells::Greedy { start: Time::ZERO, stop: Time::NEVER };
    let mut with_greedy = config([abr(), Service::Ubr, Service::Vbr], Time::NEVER);
    with_greedy.vcs[4].cells = greedy;
    assert_eq!(AtmNetwork::<()>::new(with_greedy).err(), Some(NetworkError::Greedy { vc: 4 }));
}

/// The way back leads over a switch of its own, and the BRMs of VC 0 would not pass switch 3.
#[test]
fn brms_must_pass_the_switches_that_give_rates() {
    let mut config = config([abr(); 3], Time::NEVER);
    for (from, to) in [(5, 6), (6, 0)] {
        let port = config.lines[7].port.as_ref().map(|port| SwitchPort {
            policy: Box::new(Tail),
            draws: port.draws.clone(),
            ..*port
        });
        let (cell_time, delay) = (Time::from_us(1), Time::ZERO);
        config.lines.push(LineConfig { from, to, cell_time, delay, cost: 1, port });
    }
    config.vcs[1].path = vec![9, 10, 11];
    let error = AtmNetwork::<()>::new(config).err();
    assert_eq!(error, Some(NetworkError::OneWay { vc: 0, switch: 3 }));
    assert!(NetworkError::OneWay { vc: 0, switch: 3 }.to_string().contains("switch 3"));
}
