//! Instructions of the two ports. Run with `make bench`.

#![allow(missing_docs, reason = "the macros make items without documentation")]

use atm::{Eom, Epd, Fate, Frame, PlainPort, PortConfig, PortEvents, TrainPort};
use base::Time;
use gungraun::{library_benchmark, library_benchmark_group, main};
use std::hint::black_box;

const VCS: u32 = 100;
const CELLS: u32 = 23;

/// What a WAN port meets: 100 access links of 149.76 Mbit/s, 23-cell frames at 1.2 times the
/// trunk's rate, 0.5 RTT of buffer, EPD.
fn port_config() -> (PortConfig, Vec<Time>) {
    let config = PortConfig {
        cell_time: Time::from_ps(9_422_222),
        buffer: 531,
        policy: Box::new(Epd { r: 424 }),
        eom: Eom::Keep,
    };
    (config, vec![Time::from_ps(2_831_198); VCS as usize])
}

fn frames() -> impl Iterator<Item = Frame<u32>> {
    let pause = Time::from_ps(9_422_222 * u64::from(CELLS) * 10 / 12);
    (0..20 * VCS).map(move |n| Frame { vc: n * 7 % VCS, first: pause * u64::from(n), cells: CELLS, tag: n })
}

#[derive(Default)]
struct Carried(u64);

impl PortEvents<u32> for Carried {
    fn finished(&mut self, _: Time, _: u32, fate: Fate) {
        self.0 += u64::from(matches!(fate, Fate::Carried(_)));
    }
}

/// The same for both ports, which have no trait in common.
macro_rules! port_benchmark {
    ($name:ident, $port:ident) => {
        #[library_benchmark]
        #[bench::frames_2000(port_config())]
        fn $name((config, spacings): (PortConfig, Vec<Time>)) -> u64 {
            let mut port = $port::new(config, &spacings);
            let mut carried = Carried::default();
            for frame in frames() {
                port.advance(frame.first, &mut carried);
                port.offer(Frame { first: frame.first + Time::from_us(1), ..frame });
            }
            port.advance(Time::from_secs(10), &mut carried);
            black_box(carried.0)
        }
    };
}
port_benchmark!(train_port, TrainPort);
port_benchmark!(plain_port, PlainPort);

library_benchmark_group!(name = ports, compare_by_id = true, benchmarks = [train_port, plain_port]);
main!(library_benchmark_groups = ports);
