//! LEDBAT: the delay that it keeps, and to whom it yields.

use crate::dumbbell::{Path, World, config};
use base::Time;

const SECS: fn(u64) -> Time = Time::from_secs;

/// 10 Mbit/s, 50 ms, and a buffer of 400 ms.
fn path() -> Path {
    Path::new(10, Time::from_ms(50), 333)
}

/// RFC 6817: alone, a flow fills the path, and the queueing delay is its target, 100 ms. When CUBIC comes, which fills the
/// buffer, it goes back to its smallest window.
#[test]
fn ledbat_keeps_its_target_and_yields_to_cubic() {
    let path = path();
    let mut world = World::new(&path, &[(config("ledbat"), Time::ZERO), (config("cubic"), SECS(120))]);
    let alone = [SECS(60), SECS(120)].map(|at| world.at(at));
    let delay = alone[1].mean_queue(&alone[0]) / path.packets_per_second();
    let shared = [SECS(150), SECS(210)].map(|at| world.at(at));
    let goodputs = [0, 1].map(|flow| shared[1].goodput(&shared[0], flow));
    let share = goodputs[0] / (goodputs[0] + goodputs[1]);
    let utilization = alone[1].goodput(&alone[0], 0) * 8.0 / path.rate_bps as f64;
    assert!((delay - 0.1).abs() <= 0.01, "{delay} s");
    assert!(utilization > 0.95, "{utilization}: all but the headers");
    assert!(share < 0.1, "{share}");
}

/// Carofiglio 2010: the second of two flows takes the first one's queue for a part of the path. It adds its own target, and the
/// first one finds too long a delay for as long as it remembers the path without a queue.
#[test]
fn a_late_comer_starves_the_first_flow() {
    let path = path();
    let mut world = World::new(&path, &[(config("ledbat"), Time::ZERO), (config("ledbat"), SECS(30))]);
    let shared = [SECS(60), SECS(120)].map(|at| world.at(at));
    let goodputs = [0, 1].map(|flow| shared[1].goodput(&shared[0], flow));
    let delay = shared[1].mean_queue(&shared[0]) / path.packets_per_second();
    assert!(goodputs[1] > 5.0 * goodputs[0], "{goodputs:?}");
    assert!((delay - 0.2).abs() < 0.02, "{delay} s: two targets");
}
