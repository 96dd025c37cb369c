//! Instructions of the event queue. Run with `make bench`.

#![allow(missing_docs, reason = "the macros make items without documentation")]

use base::Time;
use gungraun::{library_benchmark, library_benchmark_group, main};
use sim::{Agenda, EventKey};
use std::hint::black_box;

// 10 000 events, of which 256 are always to come.
#[library_benchmark]
fn agenda() -> u64 {
    let mut agenda = Agenda::new();
    for number in 0..256_u64 {
        agenda.insert(Time::from_us(number * 37 % 256), number);
    }
    let mut sum = 0;
    for _ in 0..10_000 {
        let (key, number) = agenda.pop_until(Time::NEVER).expect("never empty");
        sum += number;
        let key =
            EventKey { time: key.time + Time::from_us(1 + number * 31 % 97), order: agenda.next_order() };
        agenda.schedule(key, number);
    }
    black_box(sum)
}

library_benchmark_group!(name = event_queue, benchmarks = agenda);
main!(library_benchmark_groups = event_queue);
