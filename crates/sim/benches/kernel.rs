//! Instructions of the event queue. Run with `make bench`.

#![allow(missing_docs, reason = "the macros make items without documentation")]

use base::Time;
use gungraun::{library_benchmark, library_benchmark_group, main};
use sim::{EventKey, EventQueue};
use std::hint::black_box;

// 10 000 events, with always 256 in the queue.
#[library_benchmark]
fn insert_and_pop() -> u64 {
    let mut queue = EventQueue::new();
    for number in 0..256_u64 {
        queue.insert(Time::from_us(number * 37 % 256), number);
    }
    let mut sum = 0;
    for _ in 0..10_000 {
        let (key, number) = queue.pop_until(Time::NEVER).expect("never empty");
        sum += number;
        let key =
            EventKey { time: key.time + Time::from_us(1 + number * 31 % 97), order: queue.next_order() };
        queue.schedule(key, number);
    }
    black_box(sum)
}

library_benchmark_group!(name = event_queue, benchmarks = insert_and_pop);
main!(library_benchmark_groups = event_queue);
