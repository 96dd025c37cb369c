//! Westwood+: what random losses cost.

use crate::dumbbell::{Path, World, config};
use base::Time;
use tcp::{Config, Growth, Options};

/// Megabits per second over 20 Mbit/s and 50 ms with every thousandth packet lost.
fn goodput(config: Config) -> f64 {
    let mut path = Path::new(20, Time::from_ms(50), 100);
    path.lost = (1..1000).map(|number| number * 1000).collect();
    let mut world = World::new(&path, &[(config, Time::ZERO)]);
    let start = world.at(Time::from_secs(20));
    world.at(Time::from_secs(120)).goodput(&start, 0) * 8e-6
}

/// Mascolo 2001: losses that are no sign of a queue leave a flow what the path carries, where Reno halves its window.
#[test]
fn losses_without_a_queue_cost_less_than_reno_pays() {
    let westwood = goodput(config("westwood"));
    let reno = config("sack_rfc6675");
    let options = Options { growth: Growth::Bytes { limit: None }, ..reno.options };
    let reno = goodput(Config { options, ..reno });
    assert!(westwood > 1.3 * reno, "{westwood} {reno}");
}
