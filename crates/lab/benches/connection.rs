//! Instructions of one TCP connection. Run with `make bench`.

#![allow(missing_docs, reason = "the macros make items without documentation")]

use base::Time;
use gungraun::{library_benchmark, library_benchmark_group, main};
use std::hint::black_box;
use tcp::{Config, Connection, Flavor, Options, Segment, SsthreshFrom, TickClock};

fn connection(flavor: &str) -> Connection {
    let flavor = Flavor::named(flavor).expect("a flavor");
    let config = Config {
        flavor,
        options: Options {
            delayed_ack: None,
            ssthresh_from: SsthreshFrom::Cwnd,
            initial_rto: Time::from_ms(3000),
            min_rto: Time::from_ms(200),
            max_rto: Time::from_ms(64_000),
            sws_avoidance: false,
            ..flavor.presets
        },
        smss: 1024,
        initial_window: 1,
        initial_ssthresh: 56_250,
        receive_buffer: 65_535,
        initial_receive_buffer: None,
        window_scale: Some(0),
        nagle: false,
        idle_restart: true,
        restart_window: None,
    };
    Connection::new(config, TickClock { tick: Time::from_ms(100), phase: Time::ZERO })
}

/// 1000 segments from one end to the other and their ACKs back, one lost in a hundred.
fn transfer(flavor: &str) -> u64 {
    let (mut sender, mut receiver) = (connection(flavor), connection(flavor));
    receiver.listen();
    sender.connect();
    sender.write(1_024_000);
    let mut now = Time::ZERO;
    let mut sent = 0;
    let mut flight: Vec<Segment> = Vec::new();
    while sender.sender().snd_una <= 1_024_000 {
        flight.extend(std::iter::from_fn(|| sender.poll(now)));
        if flight.is_empty() {
            now = sender.next_timer();
            sender.on_timer(now);
            continue;
        }
        now += Time::from_ms(5);
        let mut acks: Vec<Segment> = Vec::new();
        for segment in flight.drain(..) {
            sent += 1;
            if sent % 100 != 0 {
                receiver.on_segment(now, &segment);
                acks.extend(std::iter::from_fn(|| receiver.poll(now)));
            }
        }
        now += Time::from_ms(5);
        for ack in &acks {
            sender.on_segment(now, ack);
            flight.extend(std::iter::from_fn(|| sender.poll(now)));
        }
    }
    sent
}

#[library_benchmark]
#[bench::vanilla("vanilla")]
#[bench::reno("reno")]
#[bench::newreno("newreno")]
#[bench::sack("sack")]
fn one_connection(flavor: &str) -> u64 {
    black_box(transfer(flavor))
}

library_benchmark_group!(name = connection_group, benchmarks = one_connection);
main!(library_benchmark_groups = connection_group);
